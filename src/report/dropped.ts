import { counted, formatCount, formatPercent } from "./numbers.ts";
import type { WorkloadFacts } from "./input.ts";

/** Of more rows that could not be read than this a verdict is warned. */
const WARNED_SHARE = 0.01;
/** Of more there is none: it would be over another log. */
const REFUSED_SHARE = 0.5;
/** Of more rows that are no jobs to run again, for whatever reason, it is warned too; jobs that never started are common. */
const COMMON_SHARE = 0.2;

/** What stands against a verdict over what is there of a log. */
export interface LeftOut {
  /** Instead of the verdict; null: there may be one. */
  readonly instead: string | null;
  /** Beside the verdict; null where little or nothing was left out. */
  readonly caution: string | null;
}

/** What rows mean for the verdict that were dropped in reading the log. */
export function droppedFrom({ jobs, dropped }: Pick<WorkloadFacts, "jobs" | "dropped">): LeftOut {
  const reasons = dropped?.reasons ?? [];
  const unreadable = reasons.filter(({ isUnreadable }) => isUnreadable === true);
  const all = jobs + (dropped?.count ?? 0);
  const share = sumOf(unreadable) / Math.max(1, all);
  if (share <= WARNED_SHARE) {
    const droppedShare = (all - jobs) / Math.max(1, all);
    const caution =
      droppedShare > COMMON_SHARE
        ? `${shareText(all - jobs, all)} of the log were dropped and are in no figure. ${mostText(reasons)}`
        : null;
    return { instead: null, caution };
  }
  const text = `${shareText(sumOf(unreadable), all)} of the log could not be read`;
  return share > REFUSED_SHARE
    ? { instead: `there is no verdict: ${text}. ${mostText(unreadable)}`, caution: null }
    : { instead: null, caution: `${text} and are in no figure. ${mostText(unreadable)}` };
}

type Reasons = NonNullable<WorkloadFacts["dropped"]>["reasons"];

function sumOf(reasons: Reasons): number {
  return reasons.reduce((sum, { count }) => sum + count, 0);
}

function shareText(some: number, all: number): string {
  return `${formatCount(some)} of ${counted(all, "row")} (${formatPercent(some / all)})`;
}

/** The reason of most of them. */
function mostText(reasons: Reasons): string {
  const { what, count, firstLine, example } = reasons.toSorted((a, b) => b.count - a.count)[0]!;
  const shown = example === undefined ? "" : `: “${example}”`;
  const first = firstLine === undefined ? "" : `, first in line ${formatCount(firstLine)}${shown}`;
  return `Most likely reason: ${what} (${formatCount(count)}${first}).`;
}
