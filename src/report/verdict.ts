import type { Fidelity } from "../simulation/recorded/fidelity.ts";
import type { RecordedRun } from "../simulation/recorded/recorded-run.ts";
import { droppedFrom } from "./dropped.ts";
import { figureCautions, figureSentence } from "./figure-verdict.ts";
import type { WorkloadFacts } from "./input.ts";
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
import { hardlyWaits } from "./wait-comparison.ts";
import type { Standing } from "./wait-comparison.ts";
import type { AllWaits } from "./wait-verdict.ts";

/** If the log's own offered load is higher than this, the given machines can hardly be those that ran it. */
const FAR_OVERLOADED = 1.5;

/** The verdict on the runs at one load, by one measure. */
export interface Verdict {
  readonly offeredLoad: number;
  readonly measure: Metric;
  /** A policy, or `as it was`. */
  readonly baseline: string;
  readonly best: string;
  /** All runs, the best first. */
  readonly ranked: readonly PolicyRun[];
  /** Null unless the measure is the mean wait. Confidence intervals need figures by day, which only waits have. */
  readonly waits: AllWaits | null;
  /** The record, if the waits are compared with it. */
  readonly recorded: RecordedRun | null;
  /** Who waits less under the best policy and who longer; null if the best policy is the baseline. */
  readonly gains: Gains | null;
  /** Whether the policies can be judged at all; if not, the sentence says why not. */
  readonly hasVerdict: boolean;
  /** How the best policy differs from the baseline, beyond chance. */
  readonly standing: Standing;
  /** The verdict in one sentence. */
  readonly sentence: string;
  /** What weakens it, in sentences; often none. */
  readonly cautions: readonly string[];
}

/** What the runs are compared with. */
export interface Basis {
  /** The policy that the others are held against where nothing was recorded. */
  readonly baseline: string;
  /** Whether the reader named it as theirs: then the runs are compared with it rather than with the record. */
  readonly isOwn?: boolean;
  readonly recorded?: RecordedRun;
  readonly fidelity?: Fidelity;
  /** The most likely reason why jobs are rejected, and what to do about it. */
  readonly rejectionAdvice?: string;
  /** If the workload is synthetic the sentence says so, since it may be quoted alone. */
  readonly workload: Pick<WorkloadFacts, "synthetic" | "jobs" | "dropped">;
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
  const leftOut = [droppedFrom(basis.workload), rejectedAt(load, basis.rejectionAdvice)];
  const instead = leftOut.find((each) => each.instead !== null)?.instead ?? null;
  const hasVerdict = instead === null;
  const sentence =
    instead ??
    (waits === null
      ? figureSentence(measure, ranked, base, best)
      : recorded === null
        ? waitSentence(waits, ranked, base, best, isOwn)
        : recordedSentence(waits, recorded, best, basis.fidelity));
  const longest = longestWaitCaution(gains);
  const opening = basis.workload.synthetic ? "On a synthetic workload, not a real log: at" : "At";
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
    hasVerdict,
    standing: standingOf(waits, base, best, recorded, basis.fidelity),
    cautions: [
      ...(longest === null || !hasVerdict ? [] : [longest]),
      ...leftOut.flatMap(({ caution }) => (caution === null ? [] : [caution])),
      ...(!hasVerdict ? [] : waits === null ? figureCautions(measure) : waitCautions(waits, ranked)),
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
): Standing {
  if (waits === null) return "cannot be judged";
  if (recorded !== null) return standingToRecord(waits, recorded, best, fidelity);
  if (hardlyWaits(base) && hardlyWaits(best)) return "nothing to win";
  if (best === base) return "itself";
  return waits.againstBaseline.find((row) => row.policy === best.policy)!.judgement;
}

/** Whether the run has the log's own arrival times: only then does the record have the same load. */
export function isOwnPace({ beta }: { readonly beta: number }): boolean {
  return Math.abs(beta - 1) < 1e-9;
}

/** Cautions that apply to every measure. */
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
