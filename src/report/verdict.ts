import { figureCautions, figureSentence } from "./figure-verdict.ts";
import { measureOf } from "./measure.ts";
import { boundedSlowdown, meanWait } from "./metrics.ts";
import type { Metric } from "./metrics.ts";
import { formatPercent } from "./numbers.ts";
import type { LoadRuns, PolicyRun } from "./runs.ts";
import { compareAllWaits, waitCautions, waitSentence } from "./wait-verdict.ts";
import type { AllWaits } from "./wait-verdict.ts";

/** What the runs at one load say, by one measure. */
export interface Verdict {
  readonly offeredLoad: number;
  readonly measure: Metric;
  readonly baseline: string;
  readonly best: string;
  /** All runs, the best first. */
  readonly ranked: readonly PolicyRun[];
  /** Null where the measure is not the mean wait: only waits are known day by day, which intervals are drawn from. */
  readonly waits: AllWaits | null;
  /** One sentence for whoever has to decide. */
  readonly sentence: string;
  /** What weakens it, in sentences; often none. */
  readonly cautions: readonly string[];
}

/**
 * Judges the policies at one load.
 *
 * @param synthetic whether the workload is; the sentence then says so, since it gets quoted alone
 */
export function judge(load: LoadRuns, baseline: string, synthetic: boolean): Verdict {
  const measure = measureOf(load.runs);
  const figureOf = (row: PolicyRun): number => measure.value(row.run) ?? Number.NaN;
  const meanOf = (row: PolicyRun): number => boundedSlowdown.value(row.run) ?? Number.NaN;
  const ranked = load.runs.toSorted((a, b) => figureOf(a) - figureOf(b) || meanOf(a) - meanOf(b));
  const base = ranked.find((row) => row.policy === baseline) ?? load.runs[0]!;
  const best = figureOf(ranked[0]!) < figureOf(base) ? ranked[0]! : base;
  const waits = measure === meanWait ? compareAllWaits(ranked, base, best) : null;
  const sentence =
    waits === null ? figureSentence(measure, ranked, base, best) : waitSentence(waits, ranked, base, best);
  const opening = synthetic ? "On a synthetic workload, not a real log: at" : "At";
  return {
    offeredLoad: load.offeredLoad,
    measure,
    baseline: base.policy,
    best: best.policy,
    ranked,
    waits,
    sentence: `${opening} ${formatPercent(load.offeredLoad)} load, ${sentence}`,
    cautions: [
      ...(waits === null ? figureCautions(measure) : waitCautions(waits, ranked)),
      ...cautionsOf(load),
    ],
  };
}

/** Whatever the measure. */
function cautionsOf(load: LoadRuns): string[] {
  const cautions: string[] = [];
  if (load.offeredLoad > 1) {
    cautions.push(
      "More work arrives than the machines can do: waits grow for as long as the log lasts, and their size says little.",
    );
  }
  const started = new Set(load.runs.map((row) => row.run.started));
  if (started.size > 1) {
    cautions.push(
      "The policies did not start the same number of jobs: their figures are over different jobs.",
    );
  }
  return cautions;
}
