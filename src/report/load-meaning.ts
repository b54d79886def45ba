import type { LeftOut } from "./dropped.ts";
import type { ArrivalFacts } from "./input.ts";
import { counted, formatDuration, formatPercent } from "./numbers.ts";
import type { LoadRuns } from "./runs.ts";

/** Below this part of the load that was asked for, the machines were not used as a farm at that load is. */
const FAR_SHARE = 0.75;
/** A last completion later than the last submission by this part of the log is due to a few long jobs. */
const LONG_TAIL = 0.2;
/** So sparse a beginning is of jobs that were found because they ended later. */
const SPARSE_HEAD = 0.2;
/** A time without submissions of this part of the log makes two logs of it. */
const LONG_GAP = 0.2;

/**
 * What stands against a verdict at a load that the machines were never used at: there is none, and why.
 *
 * @param arrivals how jobs come in the log; absent where that is not known
 * @param isByQueue whether jobs go to the machines of their queues alone
 */
export function loadMeaning(load: LoadRuns, arrivals: ArrivalFacts | undefined, isByQueue = false): LeftOut {
  const used = Math.max(...load.runs.map(({ run }) => run.coreUtilizationMean));
  const asked = Math.min(1, load.offeredLoad);
  const isOrdered = load.runs.some(({ run }) => run.makespanSeconds === 0);
  if (isOrdered || !(asked > 0) || used >= FAR_SHARE * asked) return { instead: null, caution: null };
  const because = [
    ...reasons(load, arrivals),
    ...(isByQueue
      ? [
          "Jobs go to the machines of their queues alone: one queue's may be full while those of others are idle.",
        ]
      : []),
  ];
  return {
    instead:
      `there is no verdict: the machines were used to ${formatPercent(used)} at most, far from the load that is asked for. ` +
      (because.length === 0
        ? "Jobs do not fill these machines: look at their sizes (croft workload inspect)."
        : because.join(" ")),
    caution: null,
  };
}

function reasons(load: LoadRuns, arrivals: ArrivalFacts | undefined): string[] {
  if (arrivals === undefined) return [];
  const { spanSeconds, headSeconds, head, days, daysWithJobs, longestGap } = arrivals;
  const span = spanSeconds * load.beta;
  const tail = Math.min(...load.runs.map(({ run }) => run.makespanSeconds)) - span;
  return [
    ...(headSeconds > SPARSE_HEAD * spanSeconds
      ? [
          `The first 1 % of the jobs are spread over ${formatDuration(headSeconds)} of ${formatDuration(spanSeconds)}: most likely the log was cut by when jobs ended, so leave its beginning out (--from ${head}).`,
        ]
      : []),
    ...(longestGap !== null && longestGap.seconds > LONG_GAP * spanSeconds
      ? [
          `No job was submitted for ${formatDuration(longestGap.seconds)}: take what is ${longestGap.isLaterLarger ? `after it (--from ${longestGap.until})` : `before it (--to ${longestGap.from})`}.`,
        ]
      : daysWithJobs < days / 2
        ? [`Jobs were submitted on ${daysWithJobs} of ${counted(days, "day")}.`]
        : []),
    ...(tail > LONG_TAIL * span
      ? [
          `The last job ends ${formatDuration(tail)} after the last submission: a few long jobs run when all others are done.`,
        ]
      : []),
  ];
}
