import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { meanRemaining, remaining } from "./half-life.ts";

/** Fixed-point numbers of 160 binary digits after the point, the plain way. */
const BITS = 160n;
const ONE = 1n << BITS;
/** ln 2 to 50 digits (OEIS A002162). */
const LN2 = (69314718055994530941723212145817656807550013436025n * ONE) / 10n ** 50n;

function fixed(value: number): bigint {
  // Doubles are whole multiples of 2^-1074; those here of 2^-100 at least.
  return BigInt(value * 2 ** 100) * (ONE >> 100n);
}

/** e^-y by its series, of y ÷ 2^12 squared twelve times. */
function decayed(y: bigint): bigint {
  const small = y >> 12n;
  let sum = ONE;
  let term = ONE;
  for (let k = 1n; term !== 0n; k++) {
    term = (term * small) / ONE / k;
    sum += k % 2n === 1n ? -term : term;
  }
  for (let i = 0; i < 12; i++) sum = (sum * sum) / ONE;
  return sum;
}

function errorOf(value: number, exact: bigint): number {
  return Number(((fixed(value) - exact) * 10n ** 30n) / exact) / 1e30;
}

/** Half-lives that a double has exactly in a hundred binary digits. */
const halfLives = fc
  .oneof(
    fc.double({ min: 0, max: 40, noNaN: true }),
    fc.double({ min: 0, max: 1e-3, noNaN: true }),
    fc.double({ min: 0.499, max: 0.501, noNaN: true }),
  )
  .map((x) => Math.round(x * 2 ** 50) / 2 ** 50);

describe("what is left after some half-lives", () => {
  it("is half after each, exactly", () => {
    for (let n = 0; n <= 1074; n++) expect(remaining(n)).toBe(2 ** -n);
    expect(remaining(1075)).toBe(0);
    expect(remaining(1e300)).toBe(0);
  });

  it("is within 2^-51 of the power of two, and its mean within 2^-49", () => {
    fc.assert(
      fc.property(halfLives, (x) => {
        const exact = decayed((fixed(x) * LN2) / ONE);
        expect(Math.abs(errorOf(remaining(x), exact))).toBeLessThan(2 ** -51);
        if (x === 0) return;
        const mean = ((ONE - exact) * ONE) / ((fixed(x) * LN2) / ONE);
        expect(Math.abs(errorOf(meanRemaining(x), mean))).toBeLessThan(2 ** -49);
      }),
      { numRuns: 2000 },
    );
  });

  it("has a mean of 1 at first, and of next to nothing after very many", () => {
    expect(meanRemaining(0)).toBe(1);
    expect(meanRemaining(1e6) * 1e6).toBeCloseTo(1 / Math.LN2, 12);
  });

  it("has the same bits on every machine", () => {
    const bits = (value: number): string => {
      const view = new DataView(new ArrayBuffer(8));
      view.setFloat64(0, value);
      return view.getBigUint64(0).toString(16);
    };
    expect([0.1, 0.3, 1.7, 33.3].map((x) => `${bits(remaining(x))} ${bits(meanRemaining(x))}`)).toEqual([
      "3feddb680117ab12 3feeea88da967f5e",
      "3fe9fdf8bcce533e 3fece45a5e6090a8",
      "3fd3b2c47bff8329 3fe2cc55d3267d20",
      "3dd9fdf8bcce534c 3fa62e9618ebc263",
    ]);
  });
});
