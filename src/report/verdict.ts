import {
  formatChange,
  formatChangeRange,
  formatDuration,
  formatPercent,
  formatPercentRange,
} from "./numbers.ts";
import type { LoadRuns, PolicyRun } from "./runs.ts";
import { compareWaits, fewestDays } from "./wait-comparison.ts";
import type { WaitComparison } from "./wait-comparison.ts";

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

/** Below this the intervals come with a caution: batches of less than five days are not yet independent. */
const enoughDays = 28;

/**
 * Judges the policies at one load by mean wait.
 *
 * The intervals hold together: with k policies, each of the k − 1 comparisons is
 * made at confidence 1 − 0.05 ÷ (k − 1) (Bonferroni), since the headline picks
 * the best of many.
 *
 * @param synthetic whether the workload is; the sentence then says so, since it gets quoted alone
 */
export function judge(load: LoadRuns, baseline: string, synthetic: boolean): Verdict {
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
  return {
    ...verdict,
    sentence: sentenceOf(verdict, base, best, synthetic),
    cautions: cautionsOf(verdict, load),
  };
}

type Figures = Omit<Verdict, "sentence" | "cautions">;

function sentenceOf(figures: Figures, base: PolicyRun, best: PolicyRun, synthetic: boolean): string {
  const workload = synthetic ? "On a synthetic workload, not a real log: at" : "At";
  const at = `${workload} ${formatPercent(figures.offeredLoad)} load`;
  const wait = formatDuration(best.run.waitMeanSeconds);
  if (figures.againstBaseline.length === 0) {
    return `${at}, the mean wait under ${figures.best} is ${wait}; no other policy was run to compare it with.`;
  }
  if (base.run.started === 0) {
    return `${at}, nothing can be said of the policies: no job could be started.`;
  }
  if (!(best.run.waitMeanSeconds > 0) && figures.best === figures.baseline) {
    return `${at}, no job waits under ${figures.best}: there is nothing to choose between the policies.`;
  }
  if (figures.best === figures.baseline) {
    return `${at}, no policy has a shorter mean wait than ${figures.baseline} (${wait}); ${rest(figures)}`;
  }
  const comparison = figures.againstBaseline.find((row) => row.policy === figures.best)!;
  const change = comparison.change ?? 0;
  if (comparison.interval === null) {
    return (
      `${at}, ${figures.best} has the shortest mean wait in this log, ${formatPercent(-change)} below ` +
      `${figures.baseline}; with ${daysText(figures)} the log is too short to say whether that is more than chance.`
    );
  }
  if (comparison.judgement !== "shorter") {
    return (
      `${at}, there is no clear difference: ${figures.best} has the shortest mean wait, ${formatChange(change)} ` +
      `against ${figures.baseline}, but the 95 % confidence interval, ` +
      `${formatChangeRange(comparison.interval.low, comparison.interval.high)}, contains zero.`
    );
  }
  return (
    `${at}, ${figures.best} would have cut the mean wait by ${formatPercent(-change)} ` +
    `(95 % confidence: ${formatPercentRange(-comparison.interval.high, -comparison.interval.low)}) ` +
    `against ${figures.baseline}: from ${formatDuration(base.run.waitMeanSeconds)} to ${wait}.`
  );
}

/** How the others stand to a baseline that is itself the best. */
function rest(figures: Figures): string {
  const others = figures.againstBaseline;
  const longer = others.filter((row) => row.judgement === "longer").length;
  if (others.some((row) => row.judgement === "cannot be judged")) {
    return `with ${daysText(figures)} the log is too short to say whether that is more than chance.`;
  }
  if (longer === others.length) return "all others are clearly worse.";
  if (longer === 0) return "none of the others is clearly different.";
  return `${longer} of the ${others.length} others ${longer === 1 ? "is" : "are"} clearly worse.`;
}

function cautionsOf(figures: Figures, load: LoadRuns): string[] {
  const cautions: string[] = [];
  if (figures.days < fewestDays) {
    cautions.push(`The log has ${daysText(figures)}: no confidence interval is given below ${fewestDays}.`);
  } else if (figures.days < enoughDays) {
    cautions.push(
      `The log has only ${figures.days} days, and a backlog carries over from one to the next: take the intervals as rough, the truth lies outside more often than they say.`,
    );
  }
  const intervals = new Set(load.runs.map((row) => row.run.intervalSeconds));
  if (intervals.size > 1) {
    cautions.push(
      `The policies did not run equally often: some after every event, others every ${formatDuration(Math.max(...intervals))}. A wait of about half that is the interval's, not the policy's; give all the same interval to compare them.`,
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

function daysText(figures: Figures): string {
  return figures.days === 1 ? "1 day" : `${figures.days} days`;
}
