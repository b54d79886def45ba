import { allocate, BOUND_PRECISION, type FractionalInstance } from "../../core/index.ts";
import { formatNumber } from "../../report/index.ts";
import type { Outcome } from "./solvers.ts";

/** The relaxation: what it finds is feasible for itself, and no placement. */
const BOUND = "lp-bound";

/** What `--json` says of an algorithm: the names are kept stable. */
export interface AlgorithmResult {
  readonly algorithm: string;
  readonly feasible: boolean;
  /** Null where no placement was found; of `lp-bound` the bound, which comes without a placement. */
  readonly minYield: number | null;
  /** Null without a placement. */
  readonly meanYield: number | null;
  readonly seconds: number;
  /** Whether the minimum yield is proved to be the best there is; absent where there is no placement. */
  readonly optimal?: boolean;
  /** The least upper bound that this algorithm knows, less its minimum yield. */
  readonly gap?: number;
}

/** A placement with the yields that it gives. */
export interface Placement {
  readonly hostOf: Int32Array;
  readonly yields: Float64Array;
}

export function placementOf(instance: FractionalInstance, { assignment }: Outcome): Placement | null {
  if (assignment === null) return null;
  return { hostOf: assignment.hostOf, yields: allocate(instance, assignment.hostOf) };
}

/** @param bound what is known of the minimum yield without the algorithm */
export function resultOf(
  algorithm: string,
  { seconds, upperBound }: Outcome,
  placement: Placement | null,
  bound: number,
): AlgorithmResult {
  if (placement === null && algorithm === BOUND && upperBound !== undefined)
    return { algorithm, feasible: true, minYield: upperBound, meanYield: null, seconds };
  if (placement === null) return { algorithm, feasible: false, minYield: null, meanYield: null, seconds };
  const { yields } = placement;
  const minYield = yields.reduce((least, value) => Math.min(least, value), 1);
  const meanYield = yields.reduce((sum, value) => sum + value, 0) / yields.length;
  const gap = Math.max(0, Math.min(bound, upperBound ?? bound) - minYield);
  return {
    algorithm,
    feasible: true,
    minYield,
    meanYield,
    seconds,
    optimal: gap <= 2 * BOUND_PRECISION,
    gap,
  };
}

/** The results for a terminal: a line an algorithm. */
export function renderResults(bound: number | null, results: readonly AlgorithmResult[]): string {
  const head = ["algorithm", "min yield", "mean yield", "gap", "seconds"];
  const rows = results.map(({ algorithm, minYield, meanYield, gap, optimal, seconds }) => [
    algorithm,
    minYield === null ? "none found" : minYield.toFixed(4),
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
