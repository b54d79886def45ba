import type { DayWait } from "../simulation/result.ts";
import { formatChange, formatDuration, formatPercent } from "./numbers.ts";
import type { LoadRuns, PolicyRun } from "./runs.ts";
import { studentQuantile5 } from "./student.ts";

/** What the runs at one load say about the mean wait. */
export interface Verdict {
  readonly offeredLoad: number;
  readonly baseline: string;
  readonly best: string;
  /** Days of submission that the intervals are drawn from. */
  readonly days: number;
  /** Every policy but the baseline against it, shortest mean wait first. */
  readonly againstBaseline: readonly WaitComparison[];
  /** Every policy but the best against it, shortest mean wait first. */
  readonly againstBest: readonly WaitComparison[];
  /** One sentence for whoever has to decide. */
  readonly sentence: string;
  /** What weakens it, in sentences; often none. */
  readonly cautions: readonly string[];
}

/** The mean wait under one policy against that under another, over the same jobs. */
export interface WaitComparison {
  readonly policy: string;
  readonly baseline: string;
  /** Mean wait under the policy ÷ that under the baseline − 1; null where nobody waited under the baseline. */
  readonly change: number | null;
  /** Bounds of the confidence interval of `change`; null where the log is too short for one. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly judgement: "shorter" | "longer" | "no clear difference" | "cannot be judged";
}

export const confidence = 0.95;
/**
 * Batches that the days are cut into. Few and long: neighbouring days are alike,
 * as a backlog outlasts the night, and only batches that hardly know of each
 * other may be counted as independent. On synthetic days with such correlation
 * six batches cover the truth more often than ten, and both more often than a
 * block bootstrap.
 */
const batches = 6;
/** Below this no interval is given. */
const fewestDays = 10;
/** Below this it is given with a caution: batches of less than five days are not yet independent. */
const enoughDays = 28;

/**
 * Judges the policies at one load by mean wait.
 *
 * The intervals hold together: with k policies, each of the k − 1 comparisons is
 * made at confidence 1 − 0.05 ÷ (k − 1) (Bonferroni), since the headline picks
 * the best of many.
 */
export function judge(load: LoadRuns, baseline: string): Verdict {
  const ranked = load.runs.toSorted((a, b) => a.run.waitMeanSeconds - b.run.waitMeanSeconds);
  const base = ranked.find((row) => row.policy === baseline) ?? load.runs[0]!;
  const best = ranked[0]!.run.waitMeanSeconds < base.run.waitMeanSeconds ? ranked[0]! : base;
  const comparisons = Math.max(1, ranked.length - 1);
  const against = (reference: PolicyRun): WaitComparison[] =>
    ranked.filter((row) => row !== reference).map((row) => compareWaits(reference, row, comparisons));
  const verdict = {
    offeredLoad: load.offeredLoad,
    baseline: base.policy,
    best: best.policy,
    days: base.run.days.length,
    againstBaseline: against(base),
    againstBest: against(best),
  };
  return { ...verdict, sentence: sentenceOf(verdict, best), cautions: cautionsOf(verdict, load) };
}

/**
 * Batch means of a ratio, paired by day: both policies saw the same jobs on the
 * same day, so what makes a day bad for both cancels out.
 *
 * With B and P the sums of waits under both policies, the ratio is r = ΣP ÷ ΣB.
 * Its error is that of the batches' residuals P − r·B (Cochran, Sampling
 * Techniques, chapter 6), with Student's t for so few batches. The bounds are
 * taken on the logarithm: a wait cannot shrink by more than 100 %.
 *
 * @param comparisons how many comparisons share the 5 % that may be wrong
 */
export function compareWaits(baseline: PolicyRun, policy: PolicyRun, comparisons: number): WaitComparison {
  const names = { policy: policy.policy, baseline: baseline.policy };
  const days = pairDays(baseline.run.days, policy.run.days);
  const baselineSum = days.reduce((sum, day) => sum + day.baseline, 0);
  const policySum = days.reduce((sum, day) => sum + day.policy, 0);
  if (!(baselineSum > 0)) {
    return {
      ...names,
      change: policySum > 0 ? null : 0,
      interval: null,
      judgement: policySum > 0 ? "longer" : "no clear difference",
    };
  }
  const ratio = policySum / baselineSum;
  if (days.length < fewestDays) {
    return { ...names, change: ratio - 1, interval: null, judgement: "cannot be judged" };
  }
  let squares = 0;
  for (let batch = 0; batch < batches; batch++) {
    const from = Math.floor((batch * days.length) / batches);
    const to = Math.floor(((batch + 1) * days.length) / batches);
    let residual = 0;
    for (const day of days.slice(from, to)) residual += day.policy - ratio * day.baseline;
    squares += residual * residual;
  }
  const error = Math.sqrt((batches / (batches - 1)) * squares) / baselineSum;
  const quantile = studentQuantile5(1 - (1 - confidence) / comparisons);
  const factor = ratio > 0 ? Math.exp((quantile * error) / ratio) : 1;
  const interval = { low: ratio / factor - 1, high: ratio * factor - 1 };
  return { ...names, change: ratio - 1, interval, judgement: judgementOf(interval) };
}

function judgementOf(interval: { low: number; high: number }): WaitComparison["judgement"] {
  if (interval.high < 0) return "shorter";
  if (interval.low > 0) return "longer";
  return "no clear difference";
}

function pairDays(
  baseline: readonly DayWait[],
  policy: readonly DayWait[],
): readonly { baseline: number; policy: number }[] {
  const waits = new Map(policy.map((day) => [day.day, day.waitSumSeconds]));
  return baseline
    .toSorted((a, b) => a.day - b.day)
    .map((day) => ({ baseline: day.waitSumSeconds, policy: waits.get(day.day) ?? 0 }));
}

function sentenceOf(verdict: Omit<Verdict, "sentence" | "cautions">, best: PolicyRun): string {
  const at = `At ${formatPercent(verdict.offeredLoad)} load`;
  const wait = formatDuration(best.run.waitMeanSeconds);
  if (verdict.againstBaseline.length === 0) {
    return `${at}, the mean wait under ${verdict.best} is ${wait}; no other policy was run to compare it with.`;
  }
  if (!(best.run.waitMeanSeconds > 0) && verdict.best === verdict.baseline) {
    return `${at}, no job waits under ${verdict.best}: there is nothing to choose between the policies.`;
  }
  if (verdict.best === verdict.baseline) {
    return `${at}, no policy has a shorter mean wait than ${verdict.baseline} (${wait}); ${rest(verdict)}`;
  }
  const comparison = verdict.againstBaseline.find((row) => row.policy === verdict.best)!;
  const change = comparison.change!;
  if (comparison.interval === null) {
    return (
      `${at}, ${verdict.best} has the shortest mean wait in this log, ${formatPercent(-change)} below ` +
      `${verdict.baseline}; with ${verdict.days} ${verdict.days === 1 ? "day" : "days"} the log is too short to say whether that is more than chance.`
    );
  }
  if (comparison.judgement !== "shorter") {
    return (
      `${at}, there is no clear difference: ${verdict.best} has the shortest mean wait, ${formatChange(change)} ` +
      `against ${verdict.baseline}, but the 95 % confidence interval, ${formatChange(comparison.interval.low)} ` +
      `to ${formatChange(comparison.interval.high)}, contains zero.`
    );
  }
  return (
    `${at}, ${verdict.best} would have cut the mean wait by ${formatPercent(-change)} ` +
    `(95 % confidence: ${formatPercent(-comparison.interval.high)} to ${formatPercent(-comparison.interval.low)}) ` +
    `against ${verdict.baseline}.`
  );
}

/** How the others stand to a baseline that is itself the best. */
function rest(verdict: Omit<Verdict, "sentence" | "cautions">): string {
  const others = verdict.againstBaseline;
  const longer = others.filter((row) => row.judgement === "longer").length;
  if (others.some((row) => row.judgement === "cannot be judged")) {
    return `with ${verdict.days} ${verdict.days === 1 ? "day" : "days"} the log is too short to say whether that is more than chance.`;
  }
  if (longer === others.length) return "all others are clearly worse.";
  if (longer === 0) return "none of the others is clearly different.";
  return `${longer} of the ${others.length} others ${longer === 1 ? "is" : "are"} clearly worse.`;
}

function cautionsOf(verdict: Omit<Verdict, "sentence" | "cautions">, load: LoadRuns): string[] {
  const cautions: string[] = [];
  if (verdict.days < fewestDays) {
    cautions.push(
      `The log has ${verdict.days} ${verdict.days === 1 ? "day" : "days"}: no confidence interval is given below ${fewestDays}.`,
    );
  } else if (verdict.days < enoughDays) {
    cautions.push(
      `The log has only ${verdict.days} days, and a backlog carries over from one to the next: take the intervals as rough, the truth lies outside more often than they say.`,
    );
  }
  if (load.offeredLoad > 1) {
    cautions.push(
      "More work arrives than the machines can do: waits grow for as long as the log lasts, and their size says little.",
    );
  }
  const started = new Set(load.runs.map((row) => row.run.started));
  if (started.size > 1) {
    cautions.push(
      "The policies did not start the same number of jobs: their mean waits are over different jobs.",
    );
  }
  return cautions;
}
