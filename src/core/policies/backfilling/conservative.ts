import { doubled, type Jobs } from "../../jobs/jobs.ts";
import type { WaitingKinds } from "../../jobs/waiting-kinds.ts";
import type { Heuristic } from "../../matching/heuristic.ts";
import { DRAINED, type MachineState } from "../../machines/machine-state.ts";
import { NONE } from "../../none.ts";
import type { Placer } from "../../pool/placer.ts";
import type { Chooser } from "../../pool/search.ts";
import type { Plan } from "../../pool/plan.ts";
import type { Policy, PolicyContext, PolicyKind } from "../../pool/policy.ts";
import type { WaitQueue } from "../../queue/wait-queue.ts";
import { shortestFirst } from "./candidates.ts";
import { Foresight } from "./foresight.ts";
import { KindList } from "./kind-list.ts";
import { Profile } from "./profile.ts";
import { RunningJobs } from "./running-jobs.ts";

/**
 * Conservative backfilling (Mu'alem and Feitelson 2001): every waiting job, in
 * order of arrival, is promised the earliest time at which it fits around those
 * promised before it; the jobs whose time is now start.
 *
 * Promises are made anew in every pass from what is known then, on the pool's
 * cores and memory as a whole. On a pool of several machines a job whose time has
 * come may still find them fragmented; it then keeps what it was promised, and is
 * tried again in the next pass.
 */
export const conservative: PolicyKind = {
  name: "conservative",
  summary: "conservative backfilling: later jobs may pass as long as no waiting job is delayed",
  takesHeuristic: true,
  needsEstimates: true,
  needsMemory: false,
  reactsToEvents: true,
  create: (context, heuristic) => new Conservative(context, heuristic),
};

/** After so many promises foresight is tried; then at twice as many, and so on: where it fails, little is lost. */
const FIRST_LOOK = 4;
const LOOK_EFFORT = 256;

/**
 * Only the jobs that start now leave a pass, so it ends when no kind of job that
 * waits can start any more around the promises made so far. Nothing of what comes
 * later in the queue is promised then: every promise only takes.
 */
class Conservative implements Policy {
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  private readonly queue: WaitQueue;
  private readonly waitingKinds: WaitingKinds;
  private readonly placer: Placer;
  private readonly chooser: Chooser;
  private readonly running: RunningJobs;
  private readonly profile = new Profile();
  private readonly latest = new LatestPromises();
  /** By kind, the waiting jobs, those with the shortest estimate first. */
  private readonly waiting: KindList[] = [];
  private readonly foresight: Foresight;
  private now = 0;

  constructor(context: PolicyContext, heuristic: Heuristic) {
    this.machines = context.machines;
    this.jobs = context.jobs;
    this.queue = context.queue;
    this.waitingKinds = context.waitingKinds;
    this.placer = context.placer;
    this.chooser = context.chooser(heuristic);
    this.running = new RunningJobs(context.jobs);
    this.foresight = new Foresight(context.jobs, this.profile, context.waitingKinds, this.waiting);
  }

  cycle(now: number, plan: Plan): void {
    const { queue, jobs, profile, latest } = this;
    this.now = now;
    if (!this.isAnySmallEnough()) return;
    this.startProfile(now);
    latest.clear();
    queue.begin();
    let possible = this.kindThatCanStart();
    let promises = 0;
    let nextLook = this.canForesee() ? FIRST_LOOK : Infinity;
    for (let job = queue.next(); job !== NONE && possible !== NONE; promises++) {
      if (promises === nextLook) {
        if (this.foresight.foresee(job, now, LOOK_EFFORT + promises)) {
          for (const starting of this.foresight.starting) this.start(starting, now, plan);
          return;
        }
        nextLook *= 2;
      }
      const kind = jobs.kind[job];
      const tasks = jobs.tasks[job];
      const cores = jobs.cores[job] * tasks;
      const memory = jobs.memory[job] * tasks;
      const gpu = jobs.gpu[job] * tasks;
      const seconds = jobs.estimateSeconds[job];
      const notBefore = Math.max(now, latest.of(kind, seconds));
      const time = profile.earliest(cores, memory, gpu, seconds, notBefore);
      latest.note(kind, seconds, time);
      // Users submit equal jobs by the hundred: as many as fit there are promised the same time at once.
      const most = kind === 0 ? 1 : profile.times;
      let count = 0;
      do {
        count++;
        if (time === now) this.start(job, now, plan);
        job = queue.next();
      } while (
        count < most &&
        job !== NONE &&
        jobs.kind[job] === kind &&
        jobs.estimateSeconds[job] === seconds
      );
      if (time < Infinity) profile.take(time, cores * count, memory * count, gpu * count, seconds);
      if (!this.canStart(possible)) possible = this.kindThatCanStart();
    }
  }

  waits(job: number): void {
    const kind = this.jobs.kind[job];
    (this.waiting[kind] ??= new KindList(this.jobs, shortestFirst(this.jobs))).add(job);
  }

  leaves(job: number): void {
    this.waiting[this.jobs.kind[job]].remove(job);
  }

  finished(job: number): void {
    this.running.remove(job);
  }

  joined(job: number, now: number): void {
    this.running.add(job, now);
  }

  /** Starts a job, unless the machines are fragmented. */
  private start(job: number, now: number, plan: Plan): void {
    if (!this.placer.place(job, this.chooser, plan)) return;
    this.queue.placed(job);
    this.running.add(job, now);
  }

  private canForesee(): boolean {
    const isKindless = (this.waiting[0]?.length ?? 0) > 0;
    return this.queue.isByArrival && !isKindless;
  }

  private isAnySmallEnough(): boolean {
    const { kinds } = this.jobs;
    const { list, count } = this.waitingKinds;
    for (let i = 0; i < count; i++) {
      const kind = list[i];
      if (kind === 0 || kinds.cores[kind] * kinds.tasks[kind] <= this.machines.totalFreeCores) return true;
    }
    return false;
  }

  /** A kind of which a waiting job could start now, as far as promises have been made; or `NONE`. */
  private kindThatCanStart(): number {
    const { list, count } = this.waitingKinds;
    for (let i = 0; i < count; i++) if (this.canStart(list[i])) return list[i];
    return NONE;
  }

  private canStart(kind: number): boolean {
    const { profile, jobs } = this;
    // Jobs without a kind ask for this and that.
    if (kind === 0) return profile.coresNow > 0;
    const job = this.waiting[kind].at(0);
    const tasks = jobs.tasks[job];
    const until = profile.freeUntil(jobs.cores[job] * tasks, jobs.memory[job] * tasks, jobs.gpu[job] * tasks);
    return this.now + jobs.estimateSeconds[job] <= until;
  }

  /** What is expected to be free if none of the waiting jobs started. */
  private startProfile(now: number): void {
    const { profile, machines, running, jobs } = this;
    const total = (amounts: Int32Array): number => {
      let sum = 0;
      for (let machine = 0; machine < machines.count; machine++)
        if (machines.closed[machine] < DRAINED) sum += amounts[machine];
      return sum;
    };
    let cores = machines.totalFreeCores;
    let memory = total(machines.freeMemory);
    let gpu = machines.considersGpu ? total(machines.freeGpu) : 0;
    profile.start(now, cores, memory, gpu);
    running.look(now);
    for (let i = 0; i < running.count;) {
      const end = running.expectedEnd(running.jobAt(i), now);
      for (; i < running.count; i++) {
        const job = running.jobAt(i);
        if (running.expectedEnd(job, now) !== end) break;
        const tasks = jobs.tasks[job];
        cores += jobs.cores[job] * tasks;
        memory += jobs.memory[job] * tasks;
        gpu += jobs.gpu[job] * tasks;
      }
      profile.append(end, cores, memory, gpu);
    }
  }
}

/**
 * What jobs of each kind of request were promised last in a pass. What is free
 * only shrinks within one, so a job that asks for the same for at least as long
 * gets no earlier time, and need not be tried at one.
 */
class LatestPromises {
  private pass = 0;
  private passOf = new Float64Array(256);
  private seconds = new Float64Array(256);
  private time = new Float64Array(256);

  clear(): void {
    this.pass++;
  }

  /** A time before which there is no use looking; -Infinity where nothing is known. */
  of(kind: number, seconds: number): number {
    const isKnown = kind < this.passOf.length && this.passOf[kind] === this.pass;
    return isKnown && seconds >= this.seconds[kind] ? this.time[kind] : -Infinity;
  }

  note(kind: number, seconds: number, time: number): void {
    if (kind === 0) return;
    while (kind >= this.passOf.length) {
      this.passOf = doubled(this.passOf);
      this.seconds = doubled(this.seconds);
      this.time = doubled(this.time);
    }
    this.passOf[kind] = this.pass;
    this.seconds[kind] = seconds;
    this.time[kind] = time;
  }
}
