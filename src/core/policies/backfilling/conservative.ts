import type { Heuristic } from "../../matching/heuristic.ts";
import { DRAINED } from "../../machines/machine-state.ts";
import { NONE } from "../../none.ts";
import type { Chooser } from "../../pool/search.ts";
import { Plan } from "../../pool/plan.ts";
import type { Policy, PolicyContext, PolicyKind } from "../../pool/policy.ts";
import { ArrivalOrder } from "./arrival-order.ts";
import { DueHead } from "./due-head.ts";
import { ExpectedEnds } from "./expected-ends.ts";
import { Profile } from "./profile.ts";
import { QueueOrder } from "./promise-order.ts";
import { Promises } from "./promises.ts";
import { OVERRUN_SECONDS } from "./running-jobs.ts";
import { WaitingGroups } from "./waiting-groups.ts";

/**
 * Conservative backfilling (Mu'alem and Feitelson 2001): every waiting job, in
 * order of arrival, is promised the earliest time at which it fits around those
 * promised before it; the jobs whose time is now start.
 *
 * Promises are made anew in every pass, from what is known then. They count the pool's cores and memory as a whole, so
 * on a pool of several machines a job whose time has come may find the free cores scattered. It then keeps its promise,
 * and is tried again in the next pass.
 *
 * A job without an estimate (`Infinity`) is never expected to end. A job that waits for such jobs is promised no time.
 * Jobs with an estimate may pass it, as they will end some day. A job without one may pass it only if the passed job
 * would still fit beside it.
 */
export const conservative: PolicyKind = {
  name: "conservative",
  summary: "conservative backfilling: later jobs may pass as long as no waiting job is delayed",
  takesHeuristic: true,
  needsEstimates: true,
  needsMemory: false,
  reactsToEvents: true,
  heedsLimits: false,
  heedsLicences: false,
  create: (context, heuristic) => new Conservative(context, heuristic),
};

/**
 * The only result of a pass is the jobs that start now. So it makes only the promises that decide which these are: see
 * `Promises`. Promises at the horizon or later decide nothing, since by then all jobs that may start now will have
 * ended. Promises only take from what is free, so the horizon comes nearer, and the pass ends when no job may start any
 * more.
 */
class Conservative implements Policy {
  private readonly context: PolicyContext;
  private readonly chooser: Chooser;
  private readonly expectedEnds: ExpectedEnds;
  private readonly profile = new Profile();
  private readonly groups: WaitingGroups;
  private readonly promises: Promises;
  private readonly queueOrder: QueueOrder;
  private readonly arrivalOrder: ArrivalOrder;
  /** Null if no machine is ever reserved for a family. */
  private readonly dueHead: DueHead | null;
  private now = 0;
  private plan = new Plan();
  /** The latest end of a job that may start now, and that job's kind. */
  private horizon = 0;
  private horizonKind = 0;

  constructor(context: PolicyContext, heuristic: Heuristic) {
    const { jobs, queue } = context;
    this.context = context;
    this.chooser = context.chooser(heuristic);
    this.expectedEnds = new ExpectedEnds(jobs);
    this.groups = new WaitingGroups(jobs);
    this.promises = new Promises(jobs, this.profile, (job) => this.start(job));
    this.queueOrder = new QueueOrder(jobs, queue);
    this.arrivalOrder = new ArrivalOrder(jobs, this.groups);
    this.dueHead = context.reserving === null ? null : new DueHead(context);
  }

  cycle(now: number, plan: Plan): void {
    const { promises } = this;
    const { queue, notes } = this.context;
    if (notes.isAsked) {
      notes.begin();
      notes.passEnds({ kind: "promised later" });
    }
    if (!this.isAnySmallEnough()) return;
    this.now = now;
    this.plan = plan;
    this.startProfile();
    this.dueHead?.begin();
    promises.begin(queue.isByArrival ? this.arrivalOrder : this.queueOrder, now);
    this.findHorizon();
    while (this.horizon > now && promises.makeNext(this.horizon)) {
      if (this.endOfLongest(this.horizonKind) < this.horizon) this.findHorizon();
    }
  }

  waits(job: number): void {
    this.groups.add(job);
  }

  leaves(job: number): void {
    this.groups.remove(job);
  }

  finished(job: number): void {
    this.dueHead?.remove(job);
    this.expectedEnds.remove(job);
  }

  joined(job: number, now: number): void {
    this.expectedEnds.add(job, now);
    this.dueHead?.add(job, now);
  }

  /** Starts a job, unless the free cores are scattered over the machines, or on machines that it may not use. */
  private start(job: number): void {
    const { placer, queue } = this.context;
    const { dueHead, chooser, plan, now } = this;
    const isPlaced =
      dueHead === null ? placer.place(job, chooser, plan) : dueHead.place(job, chooser, plan, now);
    if (!isPlaced) return;
    queue.placed(job);
    this.expectedEnds.add(job, now);
    dueHead?.add(job, now);
  }

  private isAnySmallEnough(): boolean {
    const { jobs, machines, waitingKinds } = this.context;
    const { kinds } = jobs;
    const { list, count } = waitingKinds;
    for (let i = 0; i < count; i++) {
      const kind = list[i];
      if (kinds.cores[kind] * kinds.tasks[kind] <= machines.totalFreeCores) return true;
    }
    return false;
  }

  private findHorizon(): void {
    const { list, count } = this.context.waitingKinds;
    this.horizon = -Infinity;
    for (let i = 0; i < count; i++) {
      const end = this.endOfLongest(list[i]);
      if (end <= this.horizon) continue;
      this.horizon = end;
      this.horizonKind = list[i];
    }
  }

  /** When the longest job of a kind would end that may start now, given the promises made so far; or -Infinity. */
  private endOfLongest(kind: number): number {
    const { profile, groups, promises, now } = this;
    const { kinds } = this.context.jobs;
    const tasks = kinds.tasks[kind];
    const until = profile.freeUntil(
      kinds.cores[kind] * tasks,
      kinds.memory[kind] * tasks,
      kinds.gpu[kind] * tasks,
    );
    if (until === -Infinity) return until;
    const ofKind = groups.of(kind);
    let low = 0;
    let high = ofKind.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const seconds = groups.seconds[ofKind[middle]];
      if (now + seconds <= until && !promises.isLate(kind, seconds)) low = middle + 1;
      else high = middle;
    }
    while (low > 0 && groups.unpromised[ofKind[low - 1]] === NONE) low--;
    if (low === 0) return -Infinity;
    // At least a little later than now, so that a job of 0 s has its place before it.
    return now + Math.max(OVERRUN_SECONDS, groups.seconds[ofKind[low - 1]]);
  }

  /** What is expected to be free if no waiting job started. */
  private startProfile(): void {
    const { profile, expectedEnds, now } = this;
    const { machines } = this.context;
    const total = (amounts: Int32Array): number => {
      let sum = 0;
      for (let machine = 0; machine < machines.count; machine++)
        if (machines.closed[machine] < DRAINED) sum += amounts[machine];
      return sum;
    };
    const memory = machines.considersMemory ? total(machines.freeMemory) : 0;
    const gpu = machines.considersGpu ? total(machines.freeGpu) : 0;
    expectedEnds.fill(profile, now, machines.totalFreeCores, memory, gpu);
  }
}
