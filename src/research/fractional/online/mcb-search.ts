import { NONE } from "../../../core/none.ts";
import { WHOLE_NODE } from "./nodes.ts";
import { JobPacking } from "./job-packing.ts";
import type { OnlineState } from "./state.ts";

/** The CPU share of a task of a job when the goal is `level`; `Infinity` where the job cannot reach that. */
type ShareFor = (job: number, level: number) => number;

/**
 * Searches for the highest level, between 0 and 1, at which all jobs can be
 * packed. Where there is none, the least urgent job is left out, and so on.
 */
export class McbSearch {
  private readonly state: OnlineState;
  private readonly worthMoving: number | null;
  private readonly packing: JobPacking;
  /** Packs around all jobs that are placed. */
  private readonly gentle: JobPacking | null;
  /** The one of the two whose result was taken. */
  private found: JobPacking;
  private readonly isTimeless: boolean;
  /**
   * The state's changes after the last run, NaN if it left out jobs; and which jobs could not be moved then, in order
   * of arrival.
   */
  private lastChanges = NaN;
  private lastStays: readonly boolean[] = [];

  /**
   * @param worthMoving the part by which the level must rise to be worth moving placed jobs; null: moves cost nothing
   * @param isTimeless whether the share for a level is the same at all times
   */
  constructor(state: OnlineState, worthMoving: number | null, isTimeless: boolean) {
    this.state = state;
    this.isTimeless = isTimeless;
    this.worthMoving = worthMoving;
    this.packing = new JobPacking(state, worthMoving !== null);
    this.gentle = worthMoving === null ? null : new JobPacking(state, false);
    this.found = this.packing;
  }

  /**
   * Plans every job anew, except the ones that have too little virtual time to be moved.
   *
   * @param precision the search ends when the level is known this closely
   */
  run(now: number, precision: number, shareFor: ShareFor): void {
    const { state } = this;
    const { jobs, nodes } = state;
    const inOrder: number[] = [];
    const stays: boolean[] = [];
    let memory = 0;
    for (let i = 0; i < jobs.activeCount; i++) {
      const job = jobs.active[i];
      inOrder.push(job);
      stays.push(jobs.planned[job] !== NONE && state.isTooYoung(job, now));
      memory += jobs.memory[job] * jobs.tasks[job];
    }
    if (this.isTimeless && state.changes === this.lastChanges && isEqual(stays, this.lastStays)) return;
    const staysNow = [...stays];
    // Jobs are left out until the memory is enough for the others.
    let dropping: number[] | null = null;
    const drop = (): number => {
      if (dropping === null) {
        dropping = [...inOrder];
        state.sortByPriority(dropping, now);
      }
      const job = dropping.pop()!;
      const at = inOrder.indexOf(job);
      inOrder.splice(at, 1);
      stays.splice(at, 1);
      return job;
    };
    const dropped: number[] = [];
    while (memory > WHOLE_NODE * nodes.count) {
      const job = drop();
      dropped.push(job);
      memory -= jobs.memory[job] * jobs.tasks[job];
    }
    while (inOrder.length > 0 && !this.search(inOrder, stays, precision, shareFor)) dropped.push(drop());
    for (const job of dropped) state.plan(job, NONE);
    if (inOrder.length > 0) this.found.apply();
    else nodes.clear();
    // Which jobs are left out depends on the time, so such a result is not used again.
    this.lastChanges = dropped.length === 0 ? state.changes : NaN;
    this.lastStays = staysNow;
  }

  private search(
    inOrder: readonly number[],
    stays: readonly boolean[],
    precision: number,
    shareFor: ShareFor,
  ): boolean {
    const { jobs } = this.state;
    const { packing, gentle } = this;
    packing.begin(inOrder, stays);
    gentle?.begin(
      inOrder,
      inOrder.map((job) => jobs.planned[job] !== NONE),
    );
    const best = this.highest(packing, inOrder, precision, shareFor);
    this.found = packing;
    if (gentle !== null && best > 0) {
      const reached = this.highest(gentle, inOrder, precision, shareFor);
      if (reached >= best * (1 - this.worthMoving!)) this.found = gentle;
    }
    return best > 0;
  }

  /** The highest level found at which a packing fits; 0: none. */
  private highest(
    packing: JobPacking,
    inOrder: readonly number[],
    precision: number,
    shareFor: ShareFor,
  ): number {
    let low = 0;
    let high = 1;
    while (high - low > precision) {
      const level = (low + high) / 2;
      if (isPossible(packing, inOrder, level, shareFor) && packing.fits(this.isTimeless ? level : 0))
        low = level;
      else high = level;
    }
    return low;
  }
}

/** Sets the shares to try; false where a job cannot reach the level. */
function isPossible(
  { share }: JobPacking,
  inOrder: readonly number[],
  level: number,
  shareFor: ShareFor,
): boolean {
  for (let i = 0; i < inOrder.length; i++) {
    const wanted = shareFor(inOrder[i], level);
    if (wanted > WHOLE_NODE) return false;
    share[i] = Math.max(1, wanted);
  }
  return true;
}

function isEqual(some: readonly boolean[], others: readonly boolean[]): boolean {
  return some.length === others.length && some.every((value, i) => value === others[i]);
}
