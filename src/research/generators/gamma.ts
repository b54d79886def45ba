import type { Random } from "../../workload/random.ts";

/** Draws from a gamma distribution of a shape of 1 or more (Marsaglia and Tsang 2000). */
export function drawGamma(random: Random, shape: number, scale: number): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(random);
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    if (Math.log(1 - random.unit()) < 0.5 * x * x + d * (1 - v + Math.log(v))) return d * v * scale;
  }
}

/** Marsaglia's polar method. */
function drawNormal(random: Random): number {
  for (;;) {
    const x = 2 * random.unit() - 1;
    const y = 2 * random.unit() - 1;
    const square = x * x + y * y;
    if (square > 0 && square < 1) return x * Math.sqrt((-2 * Math.log(square)) / square);
  }
}

/** The number of terms after which the series has long converged for the arguments in use. */
const MAX_TERMS = 1000;

/** The part of a gamma distribution below `x`, by the series of the incomplete gamma function. */
export function gammaBelow(x: number, shape: number, scale: number): number {
  const at = x / scale;
  if (at <= 0) return 0;
  let term = 1 / shape;
  let sum = term;
  for (let k = 1; k < MAX_TERMS && term > 1e-17 * sum; k++) {
    term *= at / (shape + k);
    sum += term;
  }
  return Math.min(1, sum * Math.exp(shape * Math.log(at) - at - logGamma(shape)));
}

/** Stirling's series, for arguments from which it is exact to the last digits. */
function logGamma(value: number): number {
  let shift = 0;
  let x = value;
  for (; x < 12; x++) shift += Math.log(x);
  const square = 1 / (x * x);
  const tail = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / x;
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + tail - shift;
}
