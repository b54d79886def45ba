/**
 * The two-sided quantile of Student's t with five degrees of freedom: |t| stays
 * below it with the given probability.
 *
 * For odd degrees of freedom the distribution has a closed form (Abramowitz and
 * Stegun, 26.7.3); the quantile is found by halving.
 */
export function studentQuantile5(probability: number): number {
  let low = 0;
  let high = 1000;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (withinStudent5(middle) < probability) low = middle;
    else high = middle;
  }
  return high;
}

/** P(|t| ≤ bound) at five degrees of freedom. */
function withinStudent5(bound: number): number {
  const angle = Math.atan(bound / Math.sqrt(5));
  const cosine = Math.cos(angle);
  return (2 / Math.PI) * (angle + Math.sin(angle) * (cosine + (2 / 3) * cosine ** 3));
}
