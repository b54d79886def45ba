import {
  formatChange,
  formatChangeRange,
  formatDuration,
  formatPercent,
  formatPercentRange,
} from "./numbers.ts";
import type { PolicyRun } from "./runs.ts";
import { compareWaits, fewestDays, hardlyWaits, higherLoadAdvice } from "./wait-comparison.ts";
import type { WaitComparison, Waits } from "./wait-comparison.ts";

/** The waits under all policies, compared with the baseline and with the best. */
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
 * the best of many. Against what was recorded there are k.
 */
export function compareAllWaits(ranked: readonly PolicyRun[], base: Waits, best: Waits): AllWaits {
  const against = (reference: Waits): WaitComparison[] => {
    const others = ranked.filter((row) => row.policy !== reference.policy);
    return others.map((row) => compareWaits(reference, row, Math.max(1, others.length)));
  };
  return { days: base.run.days.length, againstBaseline: against(base), againstBest: against(best) };
}

/**
 * The sentence of a verdict by waits, after "at 95 % load, ".
 *
 * @param isOwn whether the reader named the baseline as theirs: only then it says "would have cut"
 */
export function waitSentence(
  waits: AllWaits,
  ranked: readonly PolicyRun[],
  base: PolicyRun,
  best: PolicyRun,
  isOwn: boolean,
): string {
  const wait = formatDuration(best.run.waitMeanSeconds);
  if (ranked.length === 1) {
    return `the mean wait under ${best.policy} is ${wait}; no other policy was run to compare it with.`;
  }
  if (base.run.started === 0) {
    return "nothing can be said of the policies: no job could be started.";
  }
  if (!ranked.some((row) => row.run.waitMeanSeconds > 0)) {
    return "no job waits under any policy: they are all equal.";
  }
  if (hardlyWaits(base) && hardlyWaits(best)) {
    return `there is nothing to win: hardly any job waits, ${formatDuration(base.run.waitMeanSeconds)} on average under ${base.policy}; ${best === base ? rest(waits) : `under ${best.policy}, the best, it is ${wait}.`}${higherLoadAdvice(base.run.offeredLoad)}`;
  }
  if (best === base) {
    return `no policy has a shorter mean wait than ${base.policy} (${wait}); ${rest(waits)}`;
  }
  const comparison = waits.againstBaseline.find((row) => row.policy === best.policy)!;
  const change = comparison.change ?? 0;
  if (comparison.interval === null) {
    return (
      `${best.policy} has the shortest mean wait in this log, ${formatPercent(-change)} below ` +
      `${base.policy}; with jobs on ${daysText(waits)} the log is too short to say whether that is more than chance.`
    );
  }
  if (comparison.judgement !== "shorter") {
    return (
      `there is no clear difference: ${best.policy} has the shortest mean wait, ${formatChange(change)} ` +
      `against ${base.policy}, but the 95 % confidence interval, ` +
      `${formatChangeRange(comparison.interval.low, comparison.interval.high)}, contains zero.`
    );
  }
  const from = formatDuration(base.run.waitMeanSeconds);
  return isOwn
    ? `${best.policy} would have cut the mean wait by ${shorterText(comparison)} against ${base.policy}: from ${from} to ${wait}.`
    : `jobs wait ${wait} on average under ${best.policy}, ${shorterText(comparison)} less than under ${base.policy} (${from}).`;
}

/** `22 % (95 % confidence: 18 to 26 %)`, of a wait that is shorter. */
export function shorterText({ change, interval }: WaitComparison): string {
  const range =
    interval === null ? "" : ` (95 % confidence: ${formatPercentRange(-interval.high, -interval.low)})`;
  return `${formatPercent(-(change ?? 0))}${range}`;
}

/** How the others compare with a baseline that is itself the best. */
function rest(waits: AllWaits): string {
  const others = waits.againstBaseline;
  const longer = others.filter((row) => row.judgement === "longer").length;
  if (others.some((row) => row.judgement === "cannot be judged")) {
    return `with jobs on ${daysText(waits)} the log is too short to say whether that is more than chance.`;
  }
  if (longer === others.length) return "all others are clearly worse.";
  if (longer === 0) return "none of the others is clearly different.";
  return `${longer} of the ${others.length} others ${longer === 1 ? "is" : "are"} clearly worse.`;
}

export function waitCautions(waits: AllWaits, ranked: readonly PolicyRun[]): string[] {
  const cautions: string[] = [];
  if (waits.days < fewestDays) {
    cautions.push(
      `The log has jobs on ${daysText(waits)}: no confidence interval is given below ${fewestDays}.`,
    );
  } else if (waits.days < enoughDays) {
    cautions.push(
      `The log has jobs on only ${waits.days} days, and a backlog carries over from one to the next: take the intervals as rough, the truth lies outside more often than they say.`,
    );
  }
  const intervals = new Set(ranked.map((row) => row.run.intervalSeconds));
  if (intervals.size > 1) {
    const often = ranked.filter((row) => row.run.intervalSeconds === Math.min(...intervals));
    cautions.push(
      `The policies did not run equally often: ${often.map((row) => row.policy).join(", ")} ${paceText(Math.min(...intervals))}, the others up to ${formatDuration(Math.max(...intervals))} apart. A wait of about half that is the interval's, not the policy's; --interval gives all the same.`,
    );
  }
  return cautions;
}

export function daysText({ days }: AllWaits): string {
  return days === 1 ? "1 day" : `${days} days`;
}

function paceText(intervalSeconds: number): string {
  return intervalSeconds === 0 ? "after every event" : `every ${formatDuration(intervalSeconds)}`;
}
