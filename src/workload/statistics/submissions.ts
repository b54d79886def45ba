import type { Workload } from "../workload.ts";

const DAY_SECONDS = 86_400;
/** Shorter times without submissions are not looked at: a weekend. */
const LONG_GAP_DAYS = 2;

/** How jobs come over the time of a log. */
export interface Submissions {
  readonly spanSeconds: number;
  /** From the first submission until the first hundredth of the jobs were submitted. */
  readonly headSeconds: number;
  /** That time, on the log's clock. */
  readonly headUntilSeconds: number;
  readonly days: number;
  readonly daysWithJobs: number;
  /** The longest time without a submission, on the log's clock; null where none is longer than two days. */
  readonly longestGap: {
    readonly fromSeconds: number;
    readonly untilSeconds: number;
    readonly isLaterLarger: boolean;
  } | null;
}

/** Null where there are no jobs. */
export function submissions({ count, submitSeconds }: Workload): Submissions | null {
  if (count === 0) return null;
  const first = submitSeconds[0]!;
  const last = submitSeconds[count - 1]!;
  const days = new Set<number>();
  let gap = 0;
  for (let row = 0; row < count; row++) {
    days.add(Math.floor((submitSeconds[row]! - first) / DAY_SECONDS));
    if (row > 0 && submitSeconds[row]! - submitSeconds[row - 1]! > gapAt(submitSeconds, gap)) gap = row;
  }
  const head = submitSeconds[Math.floor(count / 100)]!;
  return {
    spanSeconds: last - first,
    headSeconds: head - first,
    headUntilSeconds: head,
    days: 1 + Math.floor((last - first) / DAY_SECONDS),
    daysWithJobs: days.size,
    longestGap:
      gapAt(submitSeconds, gap) <= LONG_GAP_DAYS * DAY_SECONDS
        ? null
        : {
            fromSeconds: submitSeconds[gap - 1]!,
            untilSeconds: submitSeconds[gap]!,
            isLaterLarger: count - gap > gap,
          },
  };
}

/** How long before this row's job no other came. */
function gapAt(submitSeconds: Float64Array, row: number): number {
  return row === 0 ? 0 : submitSeconds[row]! - submitSeconds[row - 1]!;
}
