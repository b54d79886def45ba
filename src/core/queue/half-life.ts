/**
 * Powers of two for what halves in a time, of plain IEEE operations: `Math.pow` and `Math.exp` may differ in their last
 * bits from one machine to the next, and what is decided must not.
 */

/** The terms of the series of e^y. With |y| ≤ ln 2 ÷ 2 those left out are below 2^-57 of the sum. */
const TERMS = 14;

/** From here on 2^-n is 0 as a double. */
const NOTHING_LEFT = 1075;

/**
 * What is left of 1 after so many half-lives, 2^-x, within 2^-51 of itself; 0 where that is too small for a double.
 *
 * @param halfLives 0 or more
 */
export function remaining(halfLives: number): number {
  const whole = Math.round(halfLives);
  if (whole >= NOTHING_LEFT) return 0;
  return series((whole - halfLives) * Math.LN2, 0) * halved(whole);
}

/**
 * The mean of 2^-s for s from 0 to this number of half-lives, (1 − 2^-x) ÷ (x ln 2), within 2^-49 of itself: what is
 * left, on average, of what was used evenly over that time.
 *
 * @param halfLives 0 or more
 */
export function meanRemaining(halfLives: number): number {
  // The difference from 1 would lose the digits of a short time.
  if (halfLives < 0.5) return series(-halfLives * Math.LN2, 1);
  return (1 - remaining(halfLives)) / (halfLives * Math.LN2);
}

/** The sum of y^k ÷ (k + shift)! over all k: e^y without a shift, (e^y − 1) ÷ y with a shift of 1. */
function series(y: number, shift: number): number {
  let sum = 1;
  for (let k = TERMS - 1; k >= 1; k--) sum = 1 + (y * sum) / (k + shift);
  return sum;
}

/** 2^-n: products of powers of two are exact. */
function halved(n: number): number {
  let result = 1;
  let power = 0.5;
  for (let left = n; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result *= power;
    power *= power;
  }
  return result;
}
