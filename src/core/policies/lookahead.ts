import type { Jobs } from "../jobs/jobs.ts";
import type { MachineState } from "../machines/machine-state.ts";
import { commonDivisor } from "../matching/divisor.ts";
import { NONE } from "../none.ts";
import { MatchingPass } from "./matching-pass.ts";
import type { PolicyKind } from "../pool/policy.ts";
import type { PassOrder, WaitQueue } from "../queue/wait-queue.ts";

/** The number of jobs that are considered together (Shmueli and Feitelson 2005 found 50 to be enough). */
const WINDOW = 50;
/** The largest number of units in which free cores are counted: the table of sums has this length. */
const MAX_UNITS = 1 << 16;

/**
 * Lookahead over the queue, after Shmueli and Feitelson 2005. Jobs are taken a window at a time, and of each window the
 * set that fills the most free cores is tried before the rest. The first job of the queue is always tried first.
 */
export const lookahead: PolicyKind = {
  name: "lookahead",
  summary: `of every ${WINDOW} waiting jobs, first those that together fill the most free cores`,
  takesHeuristic: true,
  needsEstimates: false,
  needsMemory: false,
  reactsToEvents: false,
  create(context, heuristic) {
    const { machines, jobs, queue } = context;
    const ahead = new LookaheadOrder(queue, jobs, machines);
    const pass = new MatchingPass(context, ahead);
    const chooser = context.chooser(heuristic);
    return { cycle: (_now, plan) => pass.run(chooser, plan) };
  },
};

/** A queue's pass in another order: within each window, the best-filling set first. */
class LookaheadOrder implements PassOrder {
  private readonly queue: WaitQueue;
  private readonly jobs: Jobs;
  private readonly machines: MachineState;
  private readonly window: number[] = [];
  private given = 0;
  private isFirst = true;
  /** By sum of units: the last job, by position in the window, of a set with that sum; 0 if no set has it. */
  private lastOf = new Uint8Array(1);

  constructor(queue: WaitQueue, jobs: Jobs, machines: MachineState) {
    this.queue = queue;
    this.jobs = jobs;
    this.machines = machines;
  }

  begin(): void {
    this.queue.begin();
    this.window.length = 0;
    this.given = 0;
    this.isFirst = true;
  }

  next(): number {
    if (this.isFirst) {
      this.isFirst = false;
      return this.queue.next();
    }
    if (this.given === this.window.length) this.fillWindow();
    return this.given < this.window.length ? this.window[this.given++] : NONE;
  }

  placed(job: number): void {
    this.queue.placed(job);
  }

  private fillWindow(): void {
    const { window, queue, jobs } = this;
    window.length = 0;
    this.given = 0;
    let asked = 0;
    for (let job = NONE; window.length < WINDOW && (job = queue.next()) !== NONE;) {
      window.push(job);
      asked += jobs.coresOf(job) * jobs.tasksOf(job);
    }
    if (asked > this.machines.totalFreeCores) this.putBestFirst();
  }

  /** Subset sum over the window: the set that uses the most of the free cores, with preference for earlier jobs. */
  private putBestFirst(): void {
    const { window, jobs, machines } = this;
    const sizes = window.map((job) => jobs.coresOf(job) * jobs.tasksOf(job));
    const divisor = sizes.reduce(commonDivisor, 0);
    const unit = divisor * Math.ceil(machines.totalFreeCores / divisor / MAX_UNITS);
    const free = unit === 0 ? 0 : Math.floor(machines.totalFreeCores / unit);
    if (this.lastOf.length <= free) this.lastOf = new Uint8Array(free + 1);
    const { lastOf } = this;
    lastOf.fill(0, 0, free + 1);
    const units = sizes.map((size) => Math.ceil(size / unit));
    let reached = 0;
    for (let i = 0; i < window.length; i++) {
      const size = units[i];
      for (let sum = Math.min(free, reached + size); sum >= size; sum--) {
        if (lastOf[sum] === 0 && (sum === size || lastOf[sum - size] !== 0)) {
          lastOf[sum] = i + 1;
          if (sum > reached) reached = sum;
        }
      }
    }
    const isChosen = window.map(() => false);
    for (let sum = reached; sum > 0;) {
      const i = lastOf[sum] - 1;
      isChosen[i] = true;
      sum -= units[i];
    }
    const chosen = window.filter((_, i) => isChosen[i]);
    const rest = window.filter((_, i) => !isChosen[i]);
    window.splice(0, window.length, ...chosen, ...rest);
  }
}
