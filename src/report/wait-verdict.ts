import {
  formatChange,
  formatChangeRange,
  formatDuration,
  formatPercent,
  formatPercentRange,
} from "./numbers.ts";
import type { PolicyRun } from "./runs.ts";
import { compareWaits, fewestDays } from "./wait-comparison.ts";
import type { WaitComparison } from "./wait-comparison.ts";

/** The waits under all policies held against two of them. */
export interface AllWaits {
  /** Days of submission that the intervals are drawn from. */
  readonly days: number;
  /** Every policy but the baseline against it, shortest mean wait first. */
  readonly againstBaseline: readonly WaitComparison[];
  /** Every policy but the best against it, shortest mean wait first. */
  readonly againstBest: readonly WaitComparison[];
}

/** Below this the intervals come with a caution: batches of less than five days are not yet independent. */
const enoughDays = 28;

/**
 * The intervals hold together: with k policies, each of the k − 1 comparisons is
 * made at confidence 1 − 0.05 ÷ (k − 1) (Bonferroni), since the headline picks
 * the best of many.
 */
export function compareAllWaits(ranked: readonly PolicyRun[], base: PolicyRun, best: PolicyRun): AllWaits {
  const comparisons = Math.max(1, ranked.length - 1);
  const against = (reference: PolicyRun): WaitComparison[] =>
    ranked.filter((row) => row !== reference).map((row) => compareWaits(reference, row, comparisons));
  return { days: base.run.days.length, againstBaseline: against(base), againstBest: against(best) };
}

/** What it comes to, after "at 95 % load, ". */
export function waitSentence(
  waits: AllWaits,
  ranked: readonly PolicyRun[],
  base: PolicyRun,
  best: PolicyRun,
): string {
  const wait = formatDuration(best.run.waitMeanSeconds);
  if (ranked.length === 1) {
    return `the mean wait under ${best.policy} is ${wait}; no other policy was run to compare it with.`;
  }
  if (base.run.started === 0) {
    return "nothing can be said of the policies: no job could be started.";
  }
  if (!ranked.some((row) => row.run.waitMeanSeconds > 0)) {
    return "no job waits under any policy: there is nothing to choose between them.";
  }
  if (best === base) {
    return `no policy has a shorter mean wait than ${base.policy} (${wait}); ${rest(waits)}`;
  }
  const comparison = waits.againstBaseline.find((row) => row.policy === best.policy)!;
  const change = comparison.change ?? 0;
  if (comparison.interval === null) {
    return (
      `${best.policy} has the shortest mean wait in this log, ${formatPercent(-change)} below ` +
      `${base.policy}; with ${daysText(waits)} the log is too short to say whether that is more than chance.`
    );
  }
  if (comparison.judgement !== "shorter") {
    return (
      `there is no clear difference: ${best.policy} has the shortest mean wait, ${formatChange(change)} ` +
      `against ${base.policy}, but the 95 % confidence interval, ` +
      `${formatChangeRange(comparison.interval.low, comparison.interval.high)}, contains zero.`
    );
  }
  return (
    `${best.policy} would have cut the mean wait by ${formatPercent(-change)} ` +
    `(95 % confidence: ${formatPercentRange(-comparison.interval.high, -comparison.interval.low)}) ` +
    `against ${base.policy}: from ${formatDuration(base.run.waitMeanSeconds)} to ${wait}.`
  );
}

/** How the others stand to a baseline that is itself the best. */
function rest(waits: AllWaits): string {
  const others = waits.againstBaseline;
  const longer = others.filter((row) => row.judgement === "longer").length;
  if (others.some((row) => row.judgement === "cannot be judged")) {
    return `with ${daysText(waits)} the log is too short to say whether that is more than chance.`;
  }
  if (longer === others.length) return "all others are clearly worse.";
  if (longer === 0) return "none of the others is clearly different.";
  return `${longer} of the ${others.length} others ${longer === 1 ? "is" : "are"} clearly worse.`;
}

export function waitCautions(waits: AllWaits, ranked: readonly PolicyRun[]): string[] {
  const cautions: string[] = [];
  if (waits.days < fewestDays) {
    cautions.push(`The log has ${daysText(waits)}: no confidence interval is given below ${fewestDays}.`);
  } else if (waits.days < enoughDays) {
    cautions.push(
      `The log has only ${waits.days} days, and a backlog carries over from one to the next: take the intervals as rough, the truth lies outside more often than they say.`,
    );
  }
  const intervals = new Set(ranked.map((row) => row.run.intervalSeconds));
  if (intervals.size > 1) {
    cautions.push(
      `The policies did not run equally often: some after every event, others every ${formatDuration(Math.max(...intervals))}. A wait of about half that is the interval's, not the policy's; give all the same interval to compare them.`,
    );
  }
  return cautions;
}

function daysText({ days }: AllWaits): string {
  return days === 1 ? "1 day" : `${days} days`;
}
