/**
 * Distributions given by their quantiles. The results have the same bits on every machine.
 *
 * `Math.log2` and `Math.pow` may differ in the last bit from one engine to the next. These series use only the four
 * basic operations, which IEEE 754 defines exactly.
 */

/** An inverse distribution function through the points `(u, value)`, both ascending, u from 0 to 1. */
export type QuantileTable = readonly (readonly [u: number, value: number])[];

/** 2 to the power of x, for |x| below 1000, to 12 digits. */
export function exp2(x: number): number {
  const whole = Math.floor(x);
  const t = (x - whole) * Math.LN2;
  let sum = 1;
  for (let n = 14; n >= 1; n--) sum = 1 + (t * sum) / n;
  let scale = 1;
  for (let n = whole; n > 0; n--) scale *= 2;
  for (let n = whole; n < 0; n++) scale /= 2;
  return sum * scale;
}

/** The binary logarithm of a positive number, to 12 digits. */
export function log2(value: number): number {
  let whole = 0;
  let m = value;
  for (; m >= 1.5; m /= 2) whole++;
  for (; m < 0.75; m *= 2) whole--;
  const z = (m - 1) / (m + 1);
  let sum = 0;
  for (let n = 27; n >= 1; n -= 2) sum = sum * z * z + 1 / n;
  return whole + (2 * z * sum) / Math.LN2;
}

/** Draws from a table, with straight lines between its points on a logarithmic scale; values must be positive. */
export class LogQuantiles {
  private readonly u: Float64Array;
  private readonly log: Float64Array;
  private readonly slope: Float64Array;

  constructor(table: QuantileTable) {
    this.u = Float64Array.from(table, ([u]) => u);
    this.log = Float64Array.from(table, ([, value]) => log2(value));
    this.slope = new Float64Array(table.length);
    for (let i = 0; i + 1 < table.length; i++) {
      this.slope[i] = (this.log[i + 1]! - this.log[i]!) / (this.u[i + 1]! - this.u[i]!);
    }
  }

  /** The value below which a share `u` lies, 0 <= u < 1. */
  at(u: number): number {
    const knots = this.u;
    let i = 0;
    while (i + 2 < knots.length && knots[i + 1]! <= u) i++;
    return exp2(this.log[i]! + (u - knots[i]!) * this.slope[i]!);
  }

  /** The mean of the distribution: of each segment, the logarithmic mean of its ends. */
  mean(): number {
    let mean = 0;
    for (let i = 0; i + 1 < this.u.length; i++) {
      const low = exp2(this.log[i]!);
      const high = exp2(this.log[i + 1]!);
      const span = (this.log[i + 1]! - this.log[i]!) * Math.LN2;
      mean += (this.u[i + 1]! - this.u[i]!) * (span < 1e-9 ? low : (high - low) / span);
    }
    return mean;
  }
}
