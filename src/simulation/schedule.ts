import { lengthened, NONE, type PoolView } from "../core/index.ts";

/** The outcome of a run, a row a job of the workload. */
export interface Schedule {
  /** When each job was submitted in the run: the log's time × beta. */
  readonly submitSeconds: Float64Array;
  /** When each job started; NaN where it was rejected. */
  readonly startSeconds: Float64Array;
  /** When each job ended, where that is not its start plus its run time; NaN where it was rejected. */
  readonly endSeconds?: Float64Array;
  /** The first time that each job was promised; NaN where there is none. Absent unless asked for. */
  readonly promisedSeconds?: Float64Array;
  /** The figures are of the jobs submitted in this time, both ends included. Absent: of all. */
  readonly counted?: { readonly fromSeconds: number; readonly untilSeconds: number };
  /** Which machines each job ran on; null unless asked for. */
  readonly machines: PlacementLog | null;
}

/** Whether the figures are of this job too: not if it came in the warm-up or the cool-down. */
export function isCounted({ submitSeconds, counted }: Schedule, row: number): boolean {
  const submit = submitSeconds[row];
  return counted === undefined || (submit >= counted.fromSeconds && submit <= counted.untilSeconds);
}

/** When the job of that row ended; NaN where it was rejected. */
export function endOf(
  { startSeconds, endSeconds }: Schedule,
  runtimeSeconds: Float64Array,
  row: number,
): number {
  return endSeconds === undefined ? startSeconds[row] + runtimeSeconds[row] : endSeconds[row];
}

/** What a `PlacementLog` consists of: plain arrays that can be sent to another thread. */
export interface PlacementLists {
  /** Per row the only machine, or -2 - (first place in `lists`) where there are several; `NONE` before the start. */
  readonly only: Int32Array;
  /** Lists one after another: their length, then their machines. */
  readonly lists: Int32Array;
}

/** The machines of every job that started: distinct, in order of placement. */
export class PlacementLog {
  private only: Int32Array;
  private lists: Int32Array = new Int32Array(1024);
  private used = 0;

  constructor(count: number) {
    this.only = new Int32Array(count).fill(NONE);
  }

  static fromLists({ only, lists }: PlacementLists): PlacementLog {
    const log = new PlacementLog(0);
    log.only = only;
    log.lists = lists;
    log.used = lists.length;
    return log;
  }

  toLists(): PlacementLists {
    return { only: this.only, lists: this.lists.slice(0, this.used) };
  }

  /** @param firstMachine the number of the pool's first machine among all */
  record(row: number, pool: PoolView, job: number, firstMachine: number): void {
    const { places } = pool;
    const first = pool.firstPlace(job);
    if (places.after(first) === NONE) {
      this.only[row] = firstMachine + places.machineOf(first);
      return;
    }
    const distinct = new Set<number>();
    for (let entry = first; entry !== NONE; entry = places.after(entry))
      distinct.add(firstMachine + places.machineOf(entry));
    if (distinct.size === 1) {
      this.only[row] = firstMachine + places.machineOf(first);
      return;
    }
    while (this.used + distinct.size + 1 > this.lists.length)
      this.lists = lengthened(this.lists, Math.max(1024, this.lists.length * 2));
    this.only[row] = -2 - this.used;
    this.lists[this.used++] = distinct.size;
    for (const each of distinct) this.lists[this.used++] = each;
  }

  /** The machines of a row's job, none where it never started. */
  of(row: number): number[] {
    const only = this.only[row];
    if (only === NONE) return [];
    if (only >= 0) return [only];
    const start = -2 - only;
    return Array.from(this.lists.subarray(start + 1, start + 1 + this.lists[start]));
  }
}
