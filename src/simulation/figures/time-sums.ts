import type { Workload } from "../../workload/index.ts";
import type { JobTimes } from "../run/job-times.ts";
import type { Ledger } from "../run/ledger.ts";

/** The largest number of suspended jobs that are listed. */
const LONGEST = 10;

/** Where the time of some of a run's jobs went, added up in seconds. */
export class TimeSums {
  jobs = 0;
  completed = 0;
  /** From submission to completion: of all, and of those that were suspended at least once. */
  completion = 0;
  completionSuspended = 0;
  waiting = 0;
  transfer = 0;
  suspended = 0;
  lost = 0;
  suspendedJobs = 0;
  suspensions = 0;
  movedJobs = 0;
  moves = 0;
  /** The most time without progress of a single job, of those that ran. */
  wastedMax = 0;

  /**
   * @param waiting transfer not included
   * @param completion NaN if the job never ran
   * @param times those of the job, if the ledger has any
   */
  add(waiting: number, completion: number, times: JobTimes | undefined): void {
    this.jobs++;
    if (Number.isNaN(completion)) return;
    this.completed++;
    this.completion += completion;
    this.waiting += waiting;
    const wasted = times === undefined ? waiting : waiting + times.transfer + times.suspended + times.lost;
    if (wasted > this.wastedMax) this.wastedMax = wasted;
    if (times === undefined) return;
    this.transfer += times.transfer;
    this.suspended += times.suspended;
    this.lost += times.lost;
    this.moves += times.moves;
    if (times.moves > 0) this.movedJobs++;
    if (times.suspensions === 0) return;
    this.suspendedJobs++;
    this.suspensions += times.suspensions;
    this.completionSuspended += completion;
  }

  /** Transfer is waiting, for the one who waits. */
  get waitingWithTransfer(): number {
    return this.waiting + this.transfer;
  }

  /** All time without progress. */
  get wasted(): number {
    return this.waitingWithTransfer + this.suspended + this.lost;
  }

  /** The mean of a sum over the jobs that ran, in minutes; null if none did. */
  meanMinutes(seconds: number): number | null {
    return meanMinutes(seconds, this.completed);
  }
}

export function meanMinutes(seconds: number, jobs: number): number | null {
  return jobs === 0 ? null : seconds / 60 / jobs;
}

/** Where the time of a run's jobs went: of all, and of its parts. */
export class RunTimes {
  readonly all = new TimeSums();
  readonly byPriority = new Map<number, TimeSums>();
  /** By the workload's number of the group; empty if it tells of none. */
  readonly byGroup: readonly TimeSums[];
  /** By the pool where a job ran last. */
  readonly byPool: readonly TimeSums[];
  /** How long jobs were suspended, of those that were. */
  readonly suspensionSeconds: number[] = [];
  /** The rows of those that were suspended for longest, the longest first; of equals those submitted first. */
  readonly longestSuspended: { row: number; seconds: number }[] = [];
  private readonly workload: Workload;
  private readonly ledger: Ledger;
  // Jobs of one priority mostly come together.
  private lastPriority = NaN;
  private ofLastPriority = this.all;

  constructor(workload: Workload, ledger: Ledger, pools: number) {
    this.workload = workload;
    this.ledger = ledger;
    this.byGroup = (workload.group?.names ?? []).map(() => new TimeSums());
    this.byPool = Array.from({ length: pools }, () => new TimeSums());
  }

  /** Adds the jobs submitted from one time until another. */
  addAll(from: number, until: number): this {
    const { submitSeconds } = this.ledger;
    for (let row = 0; row < submitSeconds.length; row++)
      if (submitSeconds[row] >= from && submitSeconds[row] <= until) this.add(row);
    return this;
  }

  private add(row: number): void {
    const { ledger } = this;
    const { priority, group } = this.workload;
    const submit = ledger.submitSeconds[row];
    const times = ledger.timesOf(row);
    const waiting = times === undefined ? ledger.startSeconds[row] - submit : times.waiting;
    const completion = ledger.endOf(row) - submit;
    this.all.add(waiting, completion, times);
    if (priority !== null) this.ofPriority(priority[row]).add(waiting, completion, times);
    if (group !== null) this.byGroup[group.codes[row]].add(waiting, completion, times);
    const pool = ledger.poolOf === null ? -1 : ledger.poolOf[row];
    if (pool >= 0) this.byPool[pool].add(waiting, completion, times);
    if (times === undefined || times.suspensions === 0 || Number.isNaN(completion)) return;
    this.suspensionSeconds.push(times.suspended);
    this.noteSuspended(row, times.suspended);
  }

  private ofPriority(priority: number): TimeSums {
    if (priority === this.lastPriority) return this.ofLastPriority;
    let sums = this.byPriority.get(priority);
    if (sums === undefined) this.byPriority.set(priority, (sums = new TimeSums()));
    this.lastPriority = priority;
    this.ofLastPriority = sums;
    return sums;
  }

  private noteSuspended(row: number, seconds: number): void {
    const longest = this.longestSuspended;
    let at = longest.length;
    while (at > 0 && longest[at - 1].seconds < seconds) at--;
    if (at === LONGEST || seconds === 0) return;
    longest.splice(at, 0, { row, seconds });
    if (longest.length > LONGEST) longest.pop();
  }
}
