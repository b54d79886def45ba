import type { Workload } from "../../workload/index.ts";

/** What a log says of a farm that settings depend on. */
export interface LogFacts {
  /** The log's name. */
  readonly log: string;
  /** The longest limit of a job; the longest run time where no job has a limit. */
  readonly longestSeconds: number;
  /** Whether that is a limit. */
  readonly hasLimits: boolean;
  /** The part of the jobs that have none. */
  readonly withoutLimitShare: number;
  /** So many jobs or fewer waited for 95 % of the time; null where the log does not tell waits. */
  readonly waiting: number | null;
  /** The longest wait; null where the log does not tell waits. */
  readonly longestWaitSeconds: number | null;
  /** From the first submission to the last. */
  readonly spanSeconds: number;
}

/** Null for a log without jobs. */
export function logFacts(workload: Workload): LogFacts | null {
  const { name, count, submitSeconds, runtimeSeconds, estimateSeconds, recordedWaitSeconds, farm } = workload;
  if (count === 0) return null;
  const unlimited = estimateSeconds === null ? count : estimateSeconds.filter(Number.isNaN).length;
  const limit = estimateSeconds === null ? 0 : most(estimateSeconds);
  return {
    log: name,
    longestSeconds: limit > 0 ? limit : most(runtimeSeconds),
    hasLimits: limit > 0,
    withoutLimitShare: farm?.maxRuntimeSeconds === undefined ? unlimited / count : 0,
    waiting: recordedWaitSeconds === null ? null : usuallyWaiting(submitSeconds, recordedWaitSeconds),
    longestWaitSeconds: recordedWaitSeconds === null ? null : most(recordedWaitSeconds),
    spanSeconds: submitSeconds[count - 1]! - submitSeconds[0]!,
  };
}

/** NaN stands for what is not known. */
function most(seconds: Float64Array): number {
  return seconds.reduce((largest, each) => (each > largest ? each : largest), 0);
}

/** The number of waiting jobs that is exceeded for 5 % of the time from the first submission to the last start. */
function usuallyWaiting(submitSeconds: Float64Array, waitSeconds: Float64Array): number | null {
  const rows = Array.from(waitSeconds.keys()).filter((row) => waitSeconds[row]! >= 0);
  if (rows.length === 0) return null;
  const comes = Float64Array.from(rows, (row) => submitSeconds[row]!).sort();
  const starts = Float64Array.from(rows, (row) => submitSeconds[row]! + waitSeconds[row]!).sort();
  const secondsAt: number[] = [];
  let waiting = 0;
  let now = comes[0]!;
  for (let come = 0, start = 0; start < starts.length;) {
    const isCome = come < comes.length && comes[come]! <= starts[start]!;
    const next = isCome ? comes[come++]! : starts[start++]!;
    secondsAt[waiting] = (secondsAt[waiting] ?? 0) + next - now;
    waiting += isCome ? 1 : -1;
    now = next;
  }
  const total = starts.at(-1)! - comes[0]!;
  let rest = total;
  for (let number = 0; number < secondsAt.length; number++) {
    rest -= secondsAt[number] ?? 0;
    if (rest <= total * 0.05) return number;
  }
  return 0;
}

/** `The longest limit in kth: 2.5 days`. */
export function longestText({ log, hasLimits, longestSeconds }: LogFacts): string {
  return `The longest ${hasLimits ? "limit" : "run time, as no job has a limit,"} in ${log}: ${timeText(longestSeconds)}`;
}

/** `In kth up to 120 jobs waited for 95 % of the time`. */
export function waitingText({ log, waiting }: LogFacts): string {
  return `In ${log} at most ${waiting} jobs waited at a time, 95 % of the time`;
}

/** `2.5 days`, `36 hours`, `90 seconds`. */
export function timeText(seconds: number): string {
  const [size, unit] =
    seconds >= 2 * 86_400
      ? [86_400, "days"]
      : seconds >= 7200
        ? [3600, "hours"]
        : seconds >= 120
          ? [60, "minutes"]
          : [1, "seconds"];
  return `${Number((seconds / size).toFixed(1))} ${unit}`;
}
