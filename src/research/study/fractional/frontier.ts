import type { Quality } from "./quality.ts";

/**
 * By how many others each algorithm is beaten in the two criteria of the slides, distance from the best and failure
 * rate: as good in both, and better in one. Those that nobody beats are the frontier. An algorithm that never finds a
 * placement has no distance, and counts as the farthest.
 */
export function beatenBy(qualities: readonly Quality[]): number[] {
  const distance = ({ dfbMean }: Quality): number => (Number.isNaN(dfbMean) ? Infinity : dfbMean);
  return qualities.map(
    (one) =>
      qualities.filter(
        (other) =>
          distance(other) <= distance(one) &&
          other.failureRate <= one.failureRate &&
          (distance(other) < distance(one) || other.failureRate < one.failureRate),
      ).length,
  );
}
