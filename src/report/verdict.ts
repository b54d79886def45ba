import type { Fidelity } from "../simulation/recorded/fidelity.ts";
import type { RecordedRun } from "../simulation/recorded/recorded-run.ts";
import { compareAllWaits, tiesSentence, type AllWaits } from "./all-waits.ts";
import { droppedFrom } from "./dropped.ts";
import {
  compareBest,
  figureCautions,
  figureSentence,
  figureStanding,
  figureSureness,
} from "./figure-verdict.ts";
import type { FigureComparison } from "../simulation/comparison/figure-comparison.ts";
import { gainsOf, type Gains } from "./gains.ts";
import type { ArrivalFacts, MachineUse, WorkloadFacts, WithoutLimits } from "./input.ts";
import { loadMeaning } from "./load-meaning.ts";
import { losersSentence } from "./losers.ts";
import { measureOf } from "./measure.ts";
import { boundedSlowdown, meanWait, type Metric } from "./metrics.ts";
import { formatChange, formatNumber, formatPercent } from "./numbers.ts";
import { recordedCautions, tooFewInferred } from "./recorded-cautions.ts";
import {
  AS_IT_WAS,
  isContradicted,
  isFollowed,
  ofOwnPolicy,
  referenceOf,
  type Reference,
} from "./reference.ts";
import { rejectedAt } from "./rejected.ts";
import type { LoadRuns, PolicyRun } from "./runs.ts";
import { busyQueueSentence, machinesSentence, sensitivityOf, type OtherChange } from "./sensitivity.ts";
import type { Trials } from "./trials.ts";
import { unseenOf } from "./unseen.ts";
import {
  confidenceSentence,
  hardlyWaits,
  isNoBetter,
  waitCautions,
  waitSentence,
  type Judged,
} from "./wait-verdict.ts";
import type { WaitComparison } from "../simulation/comparison/wait-comparison.ts";

/** If the log's own offered load is higher than this, the given machines can hardly be those that ran it. */
const FAR_OVERLOADED = 1.5;

/** `itself`: the best policy is the reference; `nothing to win`: hardly any job waits under either. */
export type Standing = WaitComparison["judgement"] | "itself" | "nothing to win";

/** The verdict on the runs at one load, by one measure: all that the page, the text and the JSON say of it. */
export interface Verdict {
  readonly offeredLoad: number;
  readonly measure: Metric;
  /** What the policies are compared with: a policy, or `as it was`. */
  readonly baseline: string;
  /** The best policy that the farm's batch system can do. */
  readonly best: string;
  /** All runs, the best first. */
  readonly ranked: readonly PolicyRun[];
  /** Null unless the measure is the mean wait. */
  readonly waits: AllWaits | null;
  /** The best policy against the reference by another measure, the next if it is the reference; null where days are unknown. */
  readonly figure: FigureComparison | null;
  readonly reference: Reference;
  /** Who waits less under the best policy and who longer; null if the best policy is the reference. */
  readonly gains: Gains | null;
  /** Whether the policies can be judged at all; if not, the sentence says why not. */
  readonly hasVerdict: boolean;
  /** How the best policy differs from the reference, beyond chance. */
  readonly standing: Standing;
  /** What the simulation cannot see, in sentences; to be read first. */
  readonly unseen: readonly string[];
  /** The verdict in one sentence; in two where a gain is against a policy that the record does not bear out. */
  readonly sentence: string;
  /** Who would lose, by name, and the longest wait; empty where the best policy is the reference. */
  readonly losers: string;
  /** How sure that is, and what it rests on; empty where it cannot be said. */
  readonly confidence: string;
  /** Better policies that the farm's batch system cannot do; empty where there are none. */
  readonly better: string;
  /** Policies with the same mean wait; empty where there are none. */
  readonly ties: string;
  /** The change of the mean wait where something is otherwise; empty where it is not known. */
  readonly sensitivity: readonly OtherChange[];
  /** What more or fewer machines would do in place of another policy; empty where it is not known. */
  readonly machines: string;
  /** What to do about a queue whose machines jobs wait for; empty where there is none such. */
  readonly busyQueue: string;
  /** What weakens it, in sentences; often none. */
  readonly cautions: readonly string[];
}

/** What the runs are compared with, and what is known besides. */
export interface Basis {
  /** The policy that the others are held against where nothing was recorded. */
  readonly baseline: string;
  /** Whether the reader named it as theirs: then the runs are compared with it rather than with the record. */
  readonly isOwn?: boolean;
  readonly recorded?: RecordedRun;
  readonly fidelity?: Fidelity;
  /** The most likely reason why jobs are rejected, and what to do about it. */
  readonly rejectionAdvice?: string;
  readonly machineUse?: MachineUse;
  readonly withoutLimits?: WithoutLimits;
  readonly arrivals?: ArrivalFacts;
  readonly unattainable?: Readonly<Record<string, string>>;
  readonly trials?: Trials;
  /** Told in the place of a verdict. */
  readonly tooLittle?: string;
  /** The highest load that was run; this one's unless told. */
  readonly highestLoad?: number;
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
  const { recorded = null, fidelity, unattainable = {}, trials } = basis;
  const atOwnPace = measure === meanWait && isOwnPace(load) ? recorded : null;
  const against = referenceOf(base, basis.isOwn === true, atOwnPace, fidelity);
  const ran = atOwnPace === null ? undefined : fidelity?.policy;
  const best = bestOf(ranked, [against.policy, ran], measure, unattainable);
  const reference = ofOwnPolicy(against, best.policy, fidelity);
  const ofLoad = trials?.beta === load.beta ? trials : undefined;
  const waits = measure === meanWait ? compareAllWaits(ranked, reference, best, ofLoad, fidelity) : null;
  const figure = waits === null ? compareBest(measure, ranked, base, best) : null;
  const judged: Judged | null =
    waits === null
      ? null
      : {
          waits,
          ranked,
          reference,
          best,
          isFollowed: atOwnPace !== null && (fidelity === undefined || isFollowed(fidelity)),
          highestLoad: Math.max(load.offeredLoad, basis.highestLoad ?? 0),
        };
  const leftOut = [
    { instead: basis.tooLittle ?? null, caution: null },
    droppedFrom(basis.workload),
    tooFewInferred(atOwnPace, basis.machineUse),
    rejectedAt(load, basis.rejectionAdvice),
    loadMeaning(load, basis.arrivals, basis.machineUse?.isByQueue),
  ];
  const instead = leftOut.find((each) => each.instead !== null)?.instead ?? null;
  const hasVerdict = instead === null;
  const gains = judged === null ? null : gainsOf(best, reference);
  const standing = judged === null ? figureStanding(base, best, figure) : standingOf(judged);
  const said = judged === null ? figureSentence(measure, ranked, base, best, figure) : waitSentence(judged);
  // Beside the gain itself: it is what is quoted, and what the simulation cannot see is not.
  const but =
    standing === "shorter" && isContradicted(reference, fidelity)
      ? ` That the farm runs ${reference.policy} as simulated is an assumption that the record does not bear out.`
      : "";
  const sentence = instead ?? `${said}${but}`;
  const opening = basis.workload.synthetic ? "On a synthetic workload, not a real log: at" : "At";
  const isTold = judged !== null && hasVerdict;
  const simulated =
    reference.kind === "record" && fidelity !== undefined
      ? { policy: fidelity.policy, run: fidelity }
      : reference;
  const hasOthers = isTold && !isNothingToWin(judged) && simulated.policy !== AS_IT_WAS;
  return {
    offeredLoad: load.offeredLoad,
    measure,
    baseline: reference.policy,
    best: best.policy,
    ranked,
    waits,
    figure,
    reference,
    gains,
    hasVerdict,
    standing,
    unseen: unseenOf(atOwnPace ?? undefined, fidelity, basis.machineUse, basis.withoutLimits, ofLoad),
    sentence: basis.tooLittle ?? `${opening} ${formatPercent(load.offeredLoad)} load, ${sentence}`,
    losers: isTold && !isNothingToWin(judged) && !isNoBetter(judged) ? losersSentence(gains) : "",
    confidence: !hasVerdict
      ? ""
      : judged === null
        ? figureSureness(figure)
        : isNothingToWin(judged)
          ? ""
          : confidenceSentence(judged),
    better: isTold ? betterSentence(ranked, judged, measure, unattainable) : "",
    ties: isTold ? tiesSentence(judged.waits) : "",
    sensitivity: hasOthers ? sensitivityOf(simulated, best, ofLoad) : [],
    machines: hasOthers ? machinesSentence(simulated, ofLoad) : "",
    busyQueue: hasOthers ? busyQueueSentence(simulated, ofLoad) : "",
    cautions: [
      ...leftOut.flatMap(({ caution }) => (caution === null ? [] : [caution])),
      ...(!hasVerdict
        ? []
        : judged === null
          ? figureCautions(measure, figure, base.run.days.length)
          : waitCautions(judged)),
      ...(atOwnPace === null || basis.tooLittle !== undefined ? [] : recordedCautions(atOwnPace, ranked)),
      // The load of so little is an accident.
      ...(basis.tooLittle === undefined ? cautionsOf(load, basis.isOwn === true) : []),
    ],
  };
}

/**
 * The best policy that the batch system can do; one of the farm's own where none is better than that, or reads better.
 *
 * @param own the reference, and what ran
 */
function bestOf(
  ranked: readonly PolicyRun[],
  own: readonly (string | undefined)[],
  measure: Metric,
  unattainable: Readonly<Record<string, string>>,
): PolicyRun {
  const first = ranked.find(({ run }) => unattainable[run.policy] === undefined) ?? ranked[0]!;
  const figureOf = ({ run }: PolicyRun): number => measure.value(run) ?? Number.NaN;
  const isNoWorse = (row: PolicyRun): boolean =>
    !(figureOf(first) < figureOf(row)) || measure.format(figureOf(first)) === measure.format(figureOf(row));
  return own.flatMap((name) => ranked.find(({ policy }) => policy === name) ?? []).find(isNoWorse) ?? first;
}

function betterSentence(
  ranked: readonly PolicyRun[],
  { best, reference }: Judged,
  measure: Metric,
  unattainable: Readonly<Record<string, string>>,
): string {
  const figureOf = ({ run }: PolicyRun): number => measure.value(run) ?? Number.NaN;
  const better = ranked.filter(
    (row) =>
      unattainable[row.run.policy] !== undefined &&
      figureOf(row) < figureOf(best) &&
      row.run.waitMeanSeconds < reference.run.waitMeanSeconds &&
      measure.format(figureOf(row)) !== measure.format(figureOf(best)),
  );
  if (better.length === 0) return "";
  const told = better.map(
    (row) =>
      `${row.policy} (${formatChange(figureOf(row) / figureOf(best) - 1)} against ${best.policy}): ${unattainable[row.run.policy]!}`,
  );
  return `Better, but not what the farm's batch system does: ${told.join(" ")}`;
}

function isNothingToWin(judged: Judged): boolean {
  return standingOf(judged) === "nothing to win";
}

function standingOf({ waits, reference, best }: Judged): Standing {
  if (hardlyWaits(reference) && hardlyWaits(best)) return "nothing to win";
  if (best.policy === reference.policy) return "itself";
  const { expected } = waits;
  if (expected !== null) return expected.judgement;
  return waits.againstBaseline.find((row) => row.policy === best.policy)!.judgement;
}

/** Whether the run has the log's own arrival times: only then does the record have the same load. */
export function isOwnPace({ beta }: { readonly beta: number }): boolean {
  return Math.abs(beta - 1) < 1e-9;
}

/**
 * Cautions that apply to every measure.
 *
 * @param isOwn whether the farm tells of itself: its machines and jobs are not guessed
 */
function cautionsOf(load: LoadRuns, isOwn: boolean): string[] {
  const cautions: string[] = [];
  if (load.offeredLoad > FAR_OVERLOADED && isOwnPace(load) && !isOwn) {
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
