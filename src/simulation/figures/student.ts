/**
 * The two-sided quantile of Student's t: |t| stays below it with the given probability.
 *
 * The distribution has a closed form for whole degrees of freedom (Abramowitz and
 * Stegun, 26.7.3 and 26.7.4); the quantile is found by halving.
 *
 * @param degrees of freedom, a whole number from 1
 */
export function studentQuantile(probability: number, degrees: number): number {
  let low = 0;
  let high = 1000;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (withinStudent(middle, degrees) < probability) low = middle;
    else high = middle;
  }
  return high;
}

/** P(|t| ≤ bound). */
function withinStudent(bound: number, degrees: number): number {
  const angle = Math.atan(bound / Math.sqrt(degrees));
  const cosine = Math.cos(angle);
  const isOdd = degrees % 2 === 1;
  // Odd: cos + 2/3 cos³ + 2·4/(3·5) cos⁵ …; even: 1 + 1/2 cos² + 1·3/(2·4) cos⁴ …; up to the power degrees − 2.
  let term = isOdd ? cosine : 1;
  let sum = 0;
  for (let power = isOdd ? 1 : 0; power <= degrees - 2; power += 2) {
    sum += term;
    term *= ((power + 1) / (power + 2)) * cosine ** 2;
  }
  return isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
}
