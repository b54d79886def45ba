/** The shares for which a forecast says a time: P(start ≤ time) is the share. */
export const SHARES: readonly number[] = [
  0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85,
  0.9, 0.95, 0.975, 0.99,
];

export const MEDIAN = SHARES.indexOf(0.5);

/** The ends of the middle part of a forecast: of 0.8, its 10th and 90th of a hundred. */
export function middle(quantiles: readonly number[], part: number): readonly [low: number, high: number] {
  return [valueAt(quantiles, (1 - part) / 2), valueAt(quantiles, (1 + part) / 2)];
}

/** The value at a share, between the two that a forecast says. */
export function valueAt(quantiles: readonly number[], share: number): number {
  const above = SHARES.findIndex((each) => each >= share - 1e-9);
  if (above === -1) return quantiles.at(-1)!;
  if (above === 0 || SHARES[above]! - share < 1e-9) return quantiles[above]!;
  const [from, to] = [SHARES[above - 1]!, SHARES[above]!];
  const part = (share - from) / (to - from);
  return quantiles[above - 1]! * (1 - part) + quantiles[above]! * part;
}

/** Of a sample: the value below which a share of it lies, with half a value to each side (Hazen). */
export function quantilesOf(sample: readonly number[]): number[] {
  const sorted = sample.toSorted((a, b) => a - b);
  return SHARES.map((share) => {
    const place = Math.max(0, Math.min(sorted.length - 1, share * sorted.length - 0.5));
    const below = Math.floor(place);
    const [low, high] = [sorted[below]!, sorted[Math.min(sorted.length - 1, below + 1)]!];
    // Infinity times nothing, and less itself, is no number.
    return low === high || place === below ? low : low + (high - low) * (place - below);
  });
}
