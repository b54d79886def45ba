import { allocate, type FractionalInstance } from "../../fractional/index.ts";
import { OPTIMAL_GAP, type Outcome } from "../../lp/index.ts";
import { formatNumber } from "../../../report/index.ts";

/** The relaxation: its solution is a bound, not a placement. */
const BOUND = "lp-bound";

/** The results of an algorithm in `--json`; its names are stable. */
interface AlgorithmResult {
  readonly algorithm: string;
  /** Null for `lp-bound` if it was stopped: whether the relaxation has a solution is then unknown. */
  readonly feasible: boolean | null;
  /** True where the algorithm did not come to its end and may have missed a better answer; absent otherwise. */
  readonly stopped?: true;
  /** Null where no placement was found; of `lp-bound` the bound, which comes without a placement. */
  readonly minYield: number | null;
  /** Null without a placement. */
  readonly meanYield: number | null;
  readonly seconds: number;
  /** Whether the minimum yield is proved to be the best there is; absent where there is no placement. */
  readonly optimal?: boolean;
  /** The bound less the minimum yield. */
  readonly gap?: number;
}

/** A placement with the yields that it gives. */
export interface Placement {
  readonly hostOf: Int32Array;
  readonly yields: Float64Array;
}

/** What an algorithm did, with the yields of its placement. */
export interface SolverRun {
  readonly algorithm: string;
  readonly outcome: Outcome;
  readonly placement: Placement | null;
  /** -1 without a placement. */
  readonly minYield: number;
}

export function runOf(algorithm: string, instance: FractionalInstance, outcome: Outcome): SolverRun {
  if (outcome.assignment === null) return { algorithm, outcome, placement: null, minYield: -1 };
  const { hostOf } = outcome.assignment;
  const yields = allocate(instance, hostOf);
  const minYield = yields.reduce((least, value) => Math.min(least, value), 1);
  return { algorithm, outcome, placement: { hostOf, yields }, minYield };
}

export function resultOf(
  { algorithm, outcome, placement, minYield }: SolverRun,
  bound: number,
): AlgorithmResult {
  const { seconds, upperBound, ended } = outcome;
  const isStopped = ended !== "complete" && ended !== "infeasible";
  const stopped = isStopped ? ({ stopped: true } as const) : {};
  if (placement === null) {
    if (algorithm !== BOUND) return { ...nothingFound(algorithm), ...stopped, seconds };
    if (upperBound !== undefined)
      return { algorithm, feasible: true, ...stopped, minYield: upperBound, meanYield: null, seconds };
    return { ...nothingFound(algorithm), ...(isStopped ? { feasible: null } : {}), ...stopped, seconds };
  }
  const { yields } = placement;
  const meanYield = yields.reduce((sum, value) => sum + value, 0) / yields.length;
  const gap = bound - minYield;
  const optimal = gap <= OPTIMAL_GAP;
  return {
    algorithm,
    feasible: true,
    ...(optimal ? {} : stopped),
    minYield,
    meanYield,
    seconds,
    optimal,
    gap,
  };
}

/** Remarks on algorithms that were stopped, except those that reached the bound. */
export function stopRemarks(
  runs: readonly SolverRun[],
  results: readonly AlgorithmResult[],
  timeLimitSeconds: number,
): string[] {
  return runs.flatMap(({ algorithm, outcome }, i) => {
    const why = stopText(outcome.ended, timeLimitSeconds);
    return why === null || results[i]!.stopped !== true ? [] : [`${algorithm}: ${why}`];
  });
}

/** Why an algorithm was stopped; null if it completed. */
function stopText(ended: Outcome["ended"], timeLimitSeconds: number): string | null {
  switch (ended) {
    case "complete":
    case "infeasible":
      return null;
    case "time limit":
      return `stopped at the limit of ${timeLimitSeconds} s`;
    case "cut short":
      return "stopped early: the instance is so large that not all its members were tried";
    case "failed":
      return "failed: the solver's placement exceeds a capacity, as the amounts differ too much in size";
  }
}

export function nothingFound(algorithm: string): AlgorithmResult {
  return { algorithm, feasible: false, minYield: null, meanYield: null, seconds: 0 };
}

/** The results for a terminal: a line an algorithm. */
export function renderResults(bound: number | null, results: readonly AlgorithmResult[]): string {
  const head = ["algorithm", "min yield", "mean yield", "gap", "seconds"];
  const rows = results.map(({ algorithm, stopped, minYield, meanYield, gap, optimal, seconds }) => [
    algorithm,
    minYield === null ? (stopped === true ? "stopped" : "none found") : minYield.toFixed(4),
    meanYield === null ? "" : meanYield.toFixed(4),
    gap === undefined ? "" : optimal === true ? "optimal" : gap.toFixed(4),
    seconds < 0.0995 ? seconds.toPrecision(2) : formatNumber(seconds),
  ]);
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const lines = [head, ...rows].map((row) =>
    row
      .map((text, i) => (i === 0 ? text.padEnd(widths[i]!) : text.padStart(widths[i]!)))
      .join("  ")
      .trimEnd(),
  );
  return [`bound ${bound === null ? "none: infeasible" : bound.toFixed(4)}`, "", ...lines].join("\n");
}
