import { orderBySubmit, type Workload } from "../../workload/index.ts";

/** Shorter times in which nothing ran are not looked at. */
const SHORTEST_OUTAGE_SECONDS = 2 * 3600;

/** The longest outages that are told one by one. */
const MAX_LISTED = 20;

/** A time in which nothing ran although jobs waited. */
export interface RecordedOutage {
  /** On the log's clock: since when a job waited and none ran. */
  readonly fromSeconds: number;
  /** When the next job started. */
  readonly untilSeconds: number;
  /** Submitted before its end, and started no earlier. */
  readonly jobsWaiting: number;
}

export interface Outages {
  readonly count: number;
  /** Of all of them together. */
  readonly seconds: number;
  /** What jobs waited during them ÷ what all jobs waited. */
  readonly waitShare: number;
  /** The longest, in order of time. */
  readonly longest: readonly RecordedOutage[];
}

/**
 * The times of two hours and more in which the record has jobs waiting and none running.
 *
 * Whether the farm was down, reserved, or all that waited was held is not in a log. A farm of
 * which a part was down is not seen either: something ran.
 */
export function findOutages(workload: Workload): Outages {
  const { count, submitSeconds, runtimeSeconds, recordedWaitSeconds } = workload;
  const rows: number[] = [];
  for (let row = 0; row < count; row++) if (!Number.isNaN(recordedWaitSeconds?.[row] ?? NaN)) rows.push(row);
  const startSeconds = Float64Array.from(rows, (row) => submitSeconds[row] + recordedWaitSeconds![row]);
  const order = orderBySubmit(startSeconds, new Float64Array(rows.length));

  let waitSum = 0;
  for (const row of rows) waitSum += recordedWaitSeconds![row];
  const gaps: { from: number; until: number }[] = [];
  let busyUntil = Infinity;
  for (const at of order) {
    const start = startSeconds[at];
    if (start - busyUntil >= SHORTEST_OUTAGE_SECONDS) gaps.push({ from: busyUntil, until: start });
    const end = start + runtimeSeconds[rows[at]];
    busyUntil = busyUntil === Infinity ? end : Math.max(busyUntil, end);
  }
  const waiting = gaps.map(() => ({ since: Infinity, jobs: 0, seconds: 0 }));
  if (gaps.length > 0) {
    for (const row of rows) {
      const submit = submitSeconds[row];
      const start = submit + recordedWaitSeconds![row];
      for (let gap = firstEndingAfter(gaps, submit); gap < gaps.length && gaps[gap].until <= start; gap++) {
        const of = waiting[gap];
        const since = Math.max(submit, gaps[gap].from);
        of.since = Math.min(of.since, since);
        of.jobs++;
        of.seconds += gaps[gap].until - since;
      }
    }
  }
  const outages: RecordedOutage[] = [];
  let waitInOutages = 0;
  gaps.forEach(({ until }, gap) => {
    const { since, jobs, seconds } = waiting[gap];
    if (until - since < SHORTEST_OUTAGE_SECONDS) return;
    waitInOutages += seconds;
    outages.push({ fromSeconds: since, untilSeconds: until, jobsWaiting: jobs });
  });
  const length = (outage: RecordedOutage): number => outage.untilSeconds - outage.fromSeconds;
  return {
    count: outages.length,
    seconds: outages.reduce((total, outage) => total + length(outage), 0),
    waitShare: waitSum === 0 ? 0 : waitInOutages / waitSum,
    longest: outages
      .toSorted((a, b) => length(b) - length(a) || a.fromSeconds - b.fromSeconds)
      .slice(0, MAX_LISTED)
      .sort((a, b) => a.fromSeconds - b.fromSeconds),
  };
}

function firstEndingAfter(gaps: readonly { until: number }[], seconds: number): number {
  let low = 0;
  let high = gaps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (gaps[middle].until <= seconds) low = middle + 1;
    else high = middle;
  }
  return low;
}
