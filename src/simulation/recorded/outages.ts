import type { Workload } from "../../workload/index.ts";

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
  const waitOf = (row: number): number => recordedWaitSeconds?.[row] ?? NaN;
  const starts = new Float64Array(count);
  const ends = new Float64Array(count);
  let known = 0;
  let waitSum = 0;
  for (let row = 0; row < count; row++) {
    const wait = waitOf(row);
    if (Number.isNaN(wait)) continue;
    waitSum += wait;
    starts[known] = submitSeconds[row] + wait;
    ends[known] = starts[known] + runtimeSeconds[row];
    known++;
  }
  const gaps = gapsBetween(starts.subarray(0, known).sort(), ends.subarray(0, known).sort());
  const waiting = gaps.map(() => ({ since: Infinity, jobs: 0, seconds: 0 }));
  for (let row = 0; row < (gaps.length === 0 ? 0 : count); row++) {
    const submit = submitSeconds[row];
    const start = submit + waitOf(row);
    if (Number.isNaN(start)) continue;
    for (let gap = firstEndingAfter(gaps, submit); gap < gaps.length && gaps[gap].until <= start; gap++) {
      const of = waiting[gap];
      const since = Math.max(submit, gaps[gap].from);
      of.since = Math.min(of.since, since);
      of.jobs++;
      of.seconds += gaps[gap].until - since;
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

/**
 * The times in which nothing ran, of two hours and more. Where the first i ends come before start i, they are those of
 * the i jobs that started earlier: so nothing ran between them. Two sorts of numbers are quicker than one of rows.
 *
 * @param starts of the jobs, ascending
 * @param ends of the same jobs, ascending
 */
function gapsBetween(starts: Float64Array, ends: Float64Array): { from: number; until: number }[] {
  const gaps: { from: number; until: number }[] = [];
  for (let at = 1; at < starts.length; at++) {
    if (starts[at] - ends[at - 1] >= SHORTEST_OUTAGE_SECONDS)
      gaps.push({ from: ends[at - 1], until: starts[at] });
  }
  return gaps;
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
