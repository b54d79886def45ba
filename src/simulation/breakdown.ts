import type { Farm, Workload } from "../workload/index.ts";
import type { JobTimes } from "./run/job-times.ts";
import type { Ledger } from "./run/ledger.ts";

/** The largest number of groups, and of pools, that are listed. */
const MAX_PARTS = 100;

/** The largest number of suspended jobs that are listed. */
const LONGEST = 10;

/**
 * Figures of a part of a run's jobs, such as those of one priority. They show what an owner's burst of urgent jobs
 * does to everybody else. Means are over the jobs that ran; null if none did.
 */
export interface PartFigures {
  /** Jobs submitted within the measured time. */
  readonly jobs: number;
  /** The part of the jobs that were suspended at least once, 0 to 1. */
  readonly suspendRate: number;
  /** Transfer included. */
  readonly waitMeanMinutes: number | null;
  /** From submission to completion. */
  readonly completionMeanMinutes: number | null;
  readonly suspendedMeanMinutes: number | null;
  /** The part of the completion time without progress: waiting, suspended, or run and lost. */
  readonly wastedMeanMinutes: number | null;
}

/** A job that was suspended for long. */
export interface LongSuspension {
  /** The log's own number of the job. */
  readonly job: number;
  readonly suspendedSeconds: number;
  /** Where it ran last. */
  readonly pool: string;
  /** How often it was suspended. */
  readonly suspensions: number;
}

/** The figures of a run by priority, by group and by pool. A list that would have a single entry is absent. */
export interface Breakdown {
  /** The most urgent first. */
  readonly byPriority?: readonly ({ readonly priority: number } & PartFigures)[];
  /** The largest first; jobs of no group under the empty name. */
  readonly byGroup?: readonly ({ readonly group: string } & PartFigures)[];
  /** By the pool where a job ran last, in the farm's order. */
  readonly byPool?: readonly ({ readonly pool: string } & PartFigures)[];
  /** The longest first; absent where no job was suspended. */
  readonly longestSuspended?: readonly LongSuspension[];
}

/** The figures by priority, group and pool from the jobs submitted from one time until another. */
export function breakdown(
  workload: Workload,
  farm: Farm,
  ledger: Ledger,
  from: number,
  until: number,
): Breakdown {
  const { priority, group, jobNumber } = workload;
  const byPriority = new Map<number, Sums>();
  const byGroup = (group?.names ?? []).map(() => new Sums());
  const byPool = farm.pools.map(() => new Sums());
  let ofPriority: Sums | undefined;
  let lastPriority = NaN;
  const longest: { row: number; seconds: number }[] = [];
  for (let row = 0; row < workload.count; row++) {
    const submit = ledger.submitSeconds[row];
    if (submit < from || submit > until) continue;
    const times = ledger.timesOf(row);
    if (priority !== null) {
      // Jobs of one priority mostly come together.
      if (priority[row] !== lastPriority) {
        lastPriority = priority[row];
        ofPriority = sumsOf(byPriority, lastPriority);
      }
      ofPriority!.add(ledger, row, times);
    }
    if (group !== null) byGroup[group.codes[row]].add(ledger, row, times);
    const pool = ledger.poolOf === null ? -1 : ledger.poolOf[row];
    if (pool >= 0) byPool[pool].add(ledger, row, times);
    const seconds = times?.suspended ?? 0;
    if (seconds > 0) keepLongest(longest, { row, seconds });
  }
  const groups = byGroup
    .map((sums, code) => ({ group: group!.names[code], ...sums.figures() }))
    .filter(({ jobs }) => jobs > 0);
  return {
    ...(byPriority.size < 2
      ? {}
      : {
          byPriority: [...byPriority]
            .sort(([a], [b]) => b - a)
            .map(([each, sums]) => ({ priority: each, ...sums.figures() })),
        }),
    ...(groups.length < 2
      ? {}
      : {
          byGroup: groups.sort((a, b) => b.jobs - a.jobs || (a.group < b.group ? -1 : 1)).slice(0, MAX_PARTS),
        }),
    ...(byPool.length < 2
      ? {}
      : {
          byPool: byPool
            .map((sums, pool) => ({ pool: farm.pools[pool].name, ...sums.figures() }))
            .slice(0, MAX_PARTS),
        }),
    ...(longest.length === 0
      ? {}
      : {
          longestSuspended: longest.map(({ row, seconds }) => ({
            job: jobNumber === null ? row + 1 : jobNumber[row],
            suspendedSeconds: seconds,
            pool: farm.pools[ledger.poolOf === null ? 0 : ledger.poolOf[row]].name,
            suspensions: ledger.timesOf(row)!.suspensions,
          })),
        }),
  };
}

function sumsOf(all: Map<number, Sums>, key: number): Sums {
  let sums = all.get(key);
  if (sums === undefined) all.set(key, (sums = new Sums()));
  return sums;
}

/** Keeps the longest; of equals the job submitted first. */
function keepLongest(
  longest: { row: number; seconds: number }[],
  next: { row: number; seconds: number },
): void {
  let at = longest.length;
  while (at > 0 && longest[at - 1].seconds < next.seconds) at--;
  if (at === LONGEST) return;
  longest.splice(at, 0, next);
  if (longest.length > LONGEST) longest.pop();
}

class Sums {
  private jobs = 0;
  private ran = 0;
  private suspendedJobs = 0;
  private waiting = 0;
  private completion = 0;
  private suspended = 0;
  private wasted = 0;

  /** @param times those of the row's job, if the ledger has any */
  add(ledger: Ledger, row: number, times: JobTimes | undefined): void {
    this.jobs++;
    const start = ledger.startSeconds[row];
    if (Number.isNaN(start)) return;
    this.ran++;
    const waiting = times === undefined ? start - ledger.submitSeconds[row] : times.waiting + times.transfer;
    this.waiting += waiting;
    this.completion += ledger.endOf(row) - ledger.submitSeconds[row];
    this.wasted += waiting;
    if (times === undefined) return;
    this.suspended += times.suspended;
    this.wasted += times.suspended + times.lost;
    if (times.suspensions > 0) this.suspendedJobs++;
  }

  figures(): PartFigures {
    const { jobs, ran } = this;
    const mean = (seconds: number): number | null => (ran === 0 ? null : seconds / 60 / ran);
    return {
      jobs,
      suspendRate: jobs === 0 ? 0 : this.suspendedJobs / jobs,
      waitMeanMinutes: mean(this.waiting),
      completionMeanMinutes: mean(this.completion),
      suspendedMeanMinutes: mean(this.suspended),
      wastedMeanMinutes: mean(this.wasted),
    };
  }
}
