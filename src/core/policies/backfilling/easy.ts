import type { Heuristic } from "../../matching/heuristic.ts";
import { NONE } from "../../none.ts";
import { FailedRequests } from "../../pool/failed-requests.ts";
import type { PlacementGuard } from "../../pool/placer.ts";
import type { Chooser } from "../../pool/search.ts";
import type { Plan } from "../../pool/plan.ts";
import type { Joining, Policy, PolicyContext, PolicyKind, PolicyState } from "../../pool/policy.ts";
import { Turns } from "../../reasons/turns.ts";
import { CandidatesOfQueue, earliestFirst, shortestFirst, type Candidates } from "./candidates.ts";
import { CandidatesByKind } from "./candidates-by-kind.ts";
import { HeadPromises } from "./head-promises.ts";
import { KeptPromises } from "./kept-promises.ts";
import { RunningJobs } from "./running-jobs.ts";
import { Shadow } from "./shadow.ts";

/**
 * EASY backfilling (Lifka 1995): jobs start in order of arrival; when the first
 * does not fit it is promised the earliest time at which it will, and later jobs
 * may start at once as long as that promise holds.
 */
export const easy: PolicyKind = {
  name: "easy",
  summary: "EASY backfilling: later jobs may pass as long as the first waiting job is not delayed",
  takesHeuristic: true,
  needsEstimates: true,
  needsMemory: false,
  reactsToEvents: true,
  heedsLimits: false,
  heedsLicences: true,
  // When licences will be free, or machines are booked, only the planner knows. It promises the first waiting job its
  // machines as well.
  create: (context, heuristic) =>
    context.licences === null && context.bookings === null
      ? new Easy(context, heuristic, false)
      : new KeptPromises(context, heuristic, 1),
};

/** EASY with the candidates in order of their estimates, shortest first (Tsafrir et al. 2007). */
export const easySjbf: PolicyKind = {
  ...easy,
  name: "easy-sjbf",
  heedsLicences: false,
  summary: "EASY backfilling that tries the candidates with the shortest estimates first",
  create: (context, heuristic) => new Easy(context, heuristic, true),
};

/**
 * EASY++ (Tsafrir, Etsion and Feitelson 2007): the same on predicted run times. Who drives the pool predicts: it gives
 * each job its prediction as the estimate, and tells the pool when a running job is expected to end later.
 */
export const easyPlusPlus: PolicyKind = {
  ...easySjbf,
  name: "easy++",
  summary: "EASY++: easy-sjbf on run times predicted from those of the user's last two jobs",
  plansOnPredictions: true,
};

class Easy implements Policy {
  readonly promised: HeadPromises;
  private readonly context: PolicyContext;
  private readonly chooser: Chooser;
  private readonly running: RunningJobs;
  private readonly shadow: Shadow;
  private readonly candidates: Candidates;
  private readonly turns: Turns;
  /** Requests that found no machine since this was last cleared. */
  private readonly failed: FailedRequests;
  /** Whether what was learned of the waiting jobs may no longer hold. */
  private isStale = false;
  private revision = 0;

  constructor(context: PolicyContext, heuristic: Heuristic, isShortestFirst: boolean) {
    const { machines, jobs, queue } = context;
    this.context = context;
    this.chooser = context.chooser(heuristic);
    this.running = new RunningJobs(jobs);
    this.shadow = new Shadow(context, this.running);
    this.promised = new HeadPromises(context, this.running);
    this.failed = new FailedRequests(jobs, context.waitingKinds);
    this.turns = new Turns((job) => context.notes.comesTo(job));
    const { kinds } = jobs;
    const mayFit = (kind: number): boolean =>
      kinds.cores[kind] * kinds.tasks[kind] <= machines.totalFreeCores && !this.failed.includes(kind);
    const comesBefore = isShortestFirst ? shortestFirst(jobs) : null;
    this.candidates = queue.isByArrival
      ? new CandidatesByKind(jobs, context.waitingKinds, mayFit, comesBefore ?? earliestFirst(jobs))
      : new CandidatesOfQueue(context, mayFit, comesBefore);
  }

  cycle(now: number, plan: Plan): void {
    const { queue, machines, notes, packing } = this.context;
    this.promised.begin(now);
    // A family that leaves a machine, or comes to one, opens or closes it to others: no revision of the machines tells.
    if (this.isStale || this.revision !== machines.revision || packing !== null) {
      this.failed.clear();
      this.candidates.forget?.();
      this.isStale = false;
      this.revision = machines.revision;
    }
    if (notes.isAsked) notes.begin();
    queue.begin();
    let head = queue.next();
    while (head !== NONE && this.mayStart(head, plan)) {
      this.promised.startsFirst(head);
      this.start(head, now);
      this.shadow.forget();
      head = queue.next();
    }
    if (head === NONE) {
      this.promised.passEnds(head);
      return;
    }
    if (notes.isAsked) notes.comesTo(head);
    if (machines.totalFreeCores > 0) this.backfill(head, now, plan);
    if (this.promised.becomesHead(head)) this.promised.promise(head, this.timeOf(head, plan, now));
    this.promised.passEnds(head);
    if (notes.isAsked) this.note(head, this.timeOf(head, plan, now));
  }

  save(placeOf: (job: number) => number): PolicyState {
    return this.promised.save(placeOf);
  }

  load(state: PolicyState): void {
    this.promised.load(state);
  }

  /** When the head is expected to start; NaN if that is not known. */
  private timeOf(head: number, plan: Plan, now: number): number {
    const { shadow } = this;
    if (!shadow.isOf(head, now) || !shadow.moveSooner(now)) shadow.compute(head, plan, now);
    return shadow.knownTime;
  }

  private note(head: number, time: number): void {
    const { notes } = this.context;
    notes.passedBy(head, this.promised.promised(head, time));
    notes.passEnds({ kind: "would delay", job: head, startSeconds: Number.isNaN(time) ? null : time });
  }

  waits(job: number): void {
    this.promised.waits(job);
    this.candidates.add?.(job);
  }

  leaves(job: number): void {
    this.promised.leaves(job);
    this.candidates.remove?.(job);
    // It leaves without having started: if it was the last of its kind, the kind's number may go to another request.
    if (this.context.jobs.placement[job] === NONE) this.isStale = true;
  }

  finished(job: number): void {
    this.promised.finished(job);
    this.shadow.release(job);
    this.running.remove(job);
    this.isStale = true;
  }

  /** What a suspended job has kept may become free. */
  suspensionEnds(): void {
    this.isStale = true;
    this.shadow.forget();
  }

  joined(job: number, now: number, how: Joining): void {
    this.promised.joined(how);
    this.running.add(job, now);
    this.shadow.forget();
  }

  private start(job: number, now: number): void {
    this.context.queue.placed(job);
    this.context.notes.starts(job);
    this.promised.planned(job);
    this.running.add(job, now);
  }

  /** Adds a job to the plan, if it finds machines and the guard allows it. */
  private mayStart(job: number, plan: Plan, guard?: PlacementGuard): boolean {
    const { failed } = this;
    const { placer } = this.context;
    if (failed.roomFor(job) !== NONE) return false;
    if (placer.place(job, this.chooser, plan, guard)) return true;
    if (placer.room !== NONE) failed.add(job, placer.room);
    return false;
  }

  /** Adds a job that is expected to end at `end` to the plan, if the head is not delayed. */
  private mayPass(job: number, end: number, plan: Plan): boolean {
    const { shadow } = this;
    const start = plan.length;
    if (!shadow.mayAdmit(job, end)) return false;
    if (!this.mayStart(job, plan, shadow.guardUntil(end))) {
      if (this.context.placer.isRefusedEverywhere) shadow.noteRefused(job);
      return false;
    }
    if (shadow.admit(plan, start, end)) return true;
    this.context.placer.undoLast(plan);
    return false;
  }

  private backfill(head: number, now: number, plan: Plan): void {
    const { shadow, candidates, turns } = this;
    const { jobs, placer, notes } = this.context;
    if (!shadow.isOf(head, now)) candidates.forget?.();
    candidates.begin(head, now);
    if (notes.isAsked) turns.begin(notes.asked, (one, other) => candidates.comesBefore(one, other));
    let isShadowKnown = false;
    for (let job = candidates.next(); job !== NONE; job = candidates.next()) {
      if (notes.isAsked) turns.come(job);
      isShadowKnown ||= shadow.isOf(head, now) && shadow.moveSooner(now);
      if (!isShadowKnown) {
        // The shadow is found on the machines without the candidate, and only for a candidate that finds machines.
        if (!this.mayStart(job, plan)) {
          candidates.leaveOutKind?.();
          continue;
        }
        placer.undoLast(plan);
        shadow.compute(head, plan, now);
        isShadowKnown = true;
      }
      const end = now + jobs.estimateSeconds[job];
      if (this.mayPass(job, end, plan)) {
        this.start(job, now);
        candidates.started?.();
      } else if (this.failed.roomFor(job) !== NONE) candidates.leaveOutKind?.();
      // Jobs that name heuristics may go to different machines though they are of one kind.
      else if (!placer.hasNamed) candidates.leaveOutLong?.(shadow.time);
    }
  }
}
