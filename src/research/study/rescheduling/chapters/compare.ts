import { EQUAL_MEANS } from "../../claims/tolerances.ts";
import { marginOf, meanOf } from "../../means.ts";

/** `no difference`: none beyond what the weeks can tell. Lower is better in all figures. */
type ChapterVerdict = "better" | "worse" | "no difference" | "cannot be judged";

/** A figure of a variant beside that of the baseline. */
export interface ComparedFigure {
  /** Means over the weeks; null where a week has no figure. */
  readonly mean: number | null;
  /** The mean of the variant's less the baseline's, week by week. */
  readonly difference: number | null;
  /** What the difference may be off by with 95 % confidence; null where there is one week. */
  readonly margin: number | null;
  readonly verdict: ChapterVerdict;
}

/**
 * Over several weeks a variant is better or worse where the interval of its difference from the baseline, week by week,
 * lies on one side of 0. One week has no interval: the difference then has to be more than `EQUAL_MEANS`.
 *
 * @param values of the variant, a value a week
 * @param baseline of the same weeks
 */
export function compare(
  values: readonly (number | null)[],
  baseline: readonly (number | null)[],
): ComparedFigure {
  const isKnown = (value: number | null): value is number => value !== null;
  const mean = values.every(isKnown) ? meanOf(values) : null;
  if (!values.every(isKnown) || !baseline.every(isKnown))
    return { mean, difference: null, margin: null, verdict: "cannot be judged" };
  const differences = values.map((value, week) => value - baseline[week]!);
  const difference = meanOf(differences);
  const margin = differences.length === 1 ? null : marginOf(differences);
  const least = margin ?? EQUAL_MEANS * meanOf(baseline);
  const verdict = Math.abs(difference) <= least ? "no difference" : difference < 0 ? "better" : "worse";
  return { mean, difference, margin, verdict };
}
