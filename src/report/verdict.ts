import type { Fidelity } from "../simulation/recorded/fidelity.ts";
import type { RecordedRun } from "../simulation/recorded/recorded-run.ts";
import { figureCautions, figureSentence } from "./figure-verdict.ts";
import { gainsOf, longestWaitCaution } from "./gains.ts";
import type { Gains } from "./gains.ts";
import { measureOf } from "./measure.ts";
import { boundedSlowdown, meanWait } from "./metrics.ts";
import type { Metric } from "./metrics.ts";
import { formatNumber, formatPercent } from "./numbers.ts";
import { AS_IT_WAS, recordedCautions, recordedSentence, standingToRecord } from "./recorded-verdict.ts";
import { rejectedAt } from "./rejected.ts";
import type { LoadRuns, PolicyRun } from "./runs.ts";
import { compareAllWaits, waitCautions, waitSentence } from "./wait-verdict.ts";
import type { WaitComparison } from "./wait-comparison.ts";
import type { AllWaits } from "./wait-verdict.ts";

/** More work than this at a log's own pace was hardly done by the machines given. */
const FAR_OVERLOADED = 1.5;

/** What the runs at one load say, by one measure. */
export interface Verdict {
  readonly offeredLoad: number;
  readonly measure: Metric;
  /** A policy, or `as it was`. */
  readonly baseline: string;
  readonly best: string;
  /** All runs, the best first. */
  readonly ranked: readonly PolicyRun[];
  /** Null where the measure is not the mean wait: only waits are known day by day, which intervals are drawn from. */
  readonly waits: AllWaits | null;
  /** The record, where the waits are held against it. */
  readonly recorded: RecordedRun | null;
  /** Who waits less under the best policy and who longer; null where it is what all are held against. */
  readonly gains: Gains | null;
  /** Whether the policies can be judged at all; if not, the sentence says why not. */
  readonly hasVerdict: boolean;
  /** How the best stands to what it is held against, by more than chance; `itself`: it is the baseline. */
  readonly standing: WaitComparison["judgement"] | "itself";
  /** One sentence for whoever has to decide. */
  readonly sentence: string;
  /** What weakens it, in sentences; often none. */
  readonly cautions: readonly string[];
}

/** What the runs are held against. */
export interface Basis {
  /** The policy that the others are held against where nothing was recorded. */
  readonly baseline: string;
  /** Whether the reader named it as theirs: then it goes before the record. */
  readonly isOwn?: boolean;
  readonly recorded?: RecordedRun;
  readonly fidelity?: Fidelity;
  /** Why jobs are most likely rejected, and what mends it. */
  readonly rejectionAdvice?: string;
  /** Whether the workload is; the sentence then says so, since it gets quoted alone. */
  readonly synthetic: boolean;
}

/** Judges the policies at one load. */
export function judge(load: LoadRuns, basis: Basis): Verdict {
  const measure = measureOf(load.runs);
  const figureOf = (row: PolicyRun): number => measure.value(row.run) ?? Number.NaN;
  const meanOf = (row: PolicyRun): number => boundedSlowdown.value(row.run) ?? Number.NaN;
  const ranked = load.runs.toSorted((a, b) => figureOf(a) - figureOf(b) || meanOf(a) - meanOf(b));
  const base = ranked.find((row) => row.policy === basis.baseline) ?? load.runs[0]!;
  const isOwn = basis.isOwn === true;
  const recorded = measure === meanWait && !isOwn && isOwnPace(load) ? (basis.recorded ?? null) : null;
  const best = recorded !== null || figureOf(ranked[0]!) < figureOf(base) ? ranked[0]! : base;
  const reference = recorded === null ? base : { policy: AS_IT_WAS, run: recorded };
  const waits = measure === meanWait ? compareAllWaits(ranked, reference, best) : null;
  const gains = waits === null ? null : gainsOf(best, base, recorded, basis.fidelity);
  const rejected = rejectedAt(load, basis.rejectionAdvice);
  const sentence =
    rejected.instead ??
    (waits === null
      ? figureSentence(measure, ranked, base, best)
      : recorded === null
        ? waitSentence(waits, ranked, base, best, isOwn)
        : recordedSentence(waits, recorded, best, basis.fidelity));
  const longest = longestWaitCaution(gains);
  const opening = basis.synthetic ? "On a synthetic workload, not a real log: at" : "At";
  return {
    offeredLoad: load.offeredLoad,
    measure,
    baseline: reference.policy,
    best: best.policy,
    ranked,
    waits,
    recorded,
    sentence: `${opening} ${formatPercent(load.offeredLoad)} load, ${sentence}`,
    gains,
    hasVerdict: rejected.instead === null,
    standing: standingOf(waits, base, best, recorded, basis.fidelity),
    cautions: [
      ...(longest === null || rejected.instead !== null ? [] : [longest]),
      ...(rejected.caution === null ? [] : [rejected.caution]),
      ...(rejected.instead !== null
        ? []
        : waits === null
          ? figureCautions(measure)
          : waitCautions(waits, ranked)),
      ...(recorded === null ? [] : recordedCautions(recorded, ranked)),
      ...cautionsOf(load),
    ],
  };
}

function standingOf(
  waits: AllWaits | null,
  base: PolicyRun,
  best: PolicyRun,
  recorded: RecordedRun | null,
  fidelity: Fidelity | undefined,
): Verdict["standing"] {
  if (waits === null) return "cannot be judged";
  if (recorded !== null) return standingToRecord(waits, best, fidelity);
  if (best === base) return "itself";
  return waits.againstBaseline.find((row) => row.policy === best.policy)!.judgement;
}

/** Whether jobs came as the log has them: only then is the record of the same load. */
export function isOwnPace({ beta }: { readonly beta: number }): boolean {
  return Math.abs(beta - 1) < 1e-9;
}

/** Whatever the measure. */
function cautionsOf(load: LoadRuns): string[] {
  const cautions: string[] = [];
  if (load.offeredLoad > FAR_OVERLOADED && isOwnPace(load)) {
    cautions.push(
      `At its own pace the log has ${formatNumber(load.offeredLoad)} times the work that these machines can do: most likely they are fewer or smaller than the log's own (--machines), or its jobs are read to ask for more than they did (--job-shape, --columns).`,
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
      "The policies did not start the same number of jobs: their figures are over different jobs.",
    );
  }
  return cautions;
}
