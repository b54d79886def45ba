import type { Jobs } from "../jobs/jobs.ts";
import type { AllowedMachines } from "../machines/allowed-machines.ts";
import type { Licences } from "../licences/licences.ts";
import { NONE } from "../none.ts";
import type { PassOrder } from "../queue/wait-queue.ts";
import type { CycleNotes } from "../reasons/cycle-notes.ts";
import { FailedRequests } from "../pool/failed-requests.ts";
import type { Placer } from "../pool/placer.ts";
import type { Chooser } from "../pool/search.ts";
import type { Plan } from "../pool/plan.ts";
import type { PassLimits, PolicyContext } from "../pool/policy.ts";
import type { Reservations } from "../pool/reservations.ts";

const PLACED = -1;
/** After so many jobs in turn that were not placed, a pass looks ahead. */
const PASSED_OVER = 4;

/**
 * One pass of a scheduling cycle over the queue (Shai 2014, sections 1, 3 and 6):
 *
 * 1. take the next job;
 * 2. match it with the pool's heuristic, or with the one it names;
 * 3. matched: its machine's free resources shrink at once;
 * 4. not matched: make a reservation for it;
 * 5. stop when the queue is exhausted or every machine is reserved; or when no waiting kind of request can be placed
 *    any more, which gives the same result.
 *
 * A job whose licences are in use is passed over, and reserves nothing: no machine would let it start sooner.
 *
 * The pass writes a plan, and takes the resources that the plan needs; machines are open again at its end. It starts
 * nothing. The caller keeps the plan or undoes it, so that Max-Jobs can try several.
 */
export class MatchingPass {
  private readonly queue: PassOrder;
  private readonly jobs: Jobs;
  private readonly licences: Licences | null;
  private readonly allowed: AllowedMachines;
  private readonly placer: Placer;
  private readonly reservations: Reservations;
  private readonly limits: PassLimits;
  private readonly failed: FailedRequests;
  private readonly notes: CycleNotes;

  constructor(context: PolicyContext, queue: PassOrder = context.queue) {
    this.queue = queue;
    this.jobs = context.jobs;
    this.licences = context.licences;
    this.allowed = context.allowed;
    this.placer = context.placer;
    this.reservations = context.reservations;
    this.limits = context.limits;
    this.notes = context.notes;
    this.failed = new FailedRequests(context.jobs, context.waitingKinds);
  }

  run(chooser: Chooser, plan: Plan): void {
    const { queue, reservations, failed, limits, notes, jobs, licences } = this;
    plan.clear();
    failed.clear();
    queue.begin();
    reservations.begin();
    const { isAsked } = notes;
    if (isAsked) notes.begin();
    const leavesOut = queue.leaveOut !== undefined && limits.examined === Infinity && !isAsked;
    let examined = 1;
    let withoutLicences = 0;
    let passedOver = 0;
    for (; examined <= limits.examined; examined++) {
      const job = queue.next();
      if (job === NONE) break;
      if (licences !== null && !licences.areFree(jobs.kind[job])) {
        withoutLicences++;
        failed.addWithoutLicences(job);
        if (isAsked) notes.passedBy(job);
        if (failed.coversAll) break;
        continue;
      }
      const room = this.match(job, chooser, plan);
      if (room === PLACED) {
        queue.placed(job);
        if (isAsked) notes.starts(job);
        passedOver = 0;
        continue;
      }
      if (++passedOver === PASSED_OVER && !isAsked) this.lookAhead(chooser);
      if (isAsked) notes.passedBy(job);
      const tried = examined - withoutLicences;
      if (failed.coversAll || (tried <= limits.reserving && !reservations.note(job, room))) break;
      if (leavesOut && this.isDoneWithFamilyOf(job, tried)) queue.leaveOut?.(job);
    }
    reservations.clear();
    if (isAsked)
      notes.passEnds(
        examined > limits.examined
          ? { kind: "not examined", examined: limits.examined }
          : { kind: "reserved" },
      );
  }

  /**
   * Whether no job of the family can be placed in this pass, or reserve anything. Never if the number of jobs that may
   * reserve is limited, since the jobs left out would count.
   */
  private isDoneWithFamilyOf(job: number, examined: number): boolean {
    const { failed, limits, reservations } = this;
    if (!failed.coversFamilyOf(job)) return false;
    if (examined >= limits.reserving) return true;
    return limits.reserving === Infinity && reservations.isExhaustedFor(job);
  }

  /**
   * Looks at the waiting kinds that may still fit, up to the first that does. If none does the pass is over; otherwise
   * it would go on to a job of each kind, the last of which may be thousands of jobs away.
   */
  private lookAhead(chooser: Chooser): void {
    const { failed, placer } = this;
    for (let kind = failed.undecided; kind !== NONE; kind = failed.undecided) {
      if (placer.fits(kind, chooser)) return;
      failed.addKind(kind);
    }
  }

  /** `PLACED`, or the largest number of the job's tasks that there can be room for. */
  private match(job: number, poolChooser: Chooser, plan: Plan): number {
    const { placer, reservations, failed } = this;
    let room = failed.roomFor(job);
    if (room !== NONE) return room;
    room = reservations.roomFor(job, placer.chooserOf(job, poolChooser).find);
    if (room === NONE) {
      if (placer.place(job, poolChooser, plan)) return PLACED;
      room = placer.room;
    }
    if (this.allowed.isKeptOff(job)) failed.addKeptOff(job, room);
    else failed.add(job, room);
    return room;
  }
}
