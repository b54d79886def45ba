import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { squaredSineFromDiagonal, tangentFromDiagonal } from "../../src/core/matching/heuristics/balance.ts";

describe("the angle of Mix-Fit", () => {
  const amounts = fc
    .record({ c: fc.integer({ min: 1, max: 256_000 }), m: fc.integer({ min: 1, max: 2 ** 21 }) })
    .chain(({ c, m }) =>
      fc.record({
        c: fc.constant(c),
        m: fc.constant(m),
        a: fc.integer({ min: 0, max: c }),
        b: fc.integer({ min: 0, max: m }),
      }),
    );
  const angle = ({ a, b, c, m }: { a: number; b: number; c: number; m: number }): number =>
    a === 0 && b === 0 ? 0 : Math.abs(Math.atan2(b / m, a / c) - Math.PI / 4);

  it("is what the tangent says, by trigonometry", () => {
    fc.assert(
      fc.property(amounts, (p) => {
        expect(Math.atan(tangentFromDiagonal(p.a, p.c, p.b, p.m))).toBeCloseTo(angle(p), 9);
      }),
    );
  });

  it("orders machines as the tangent does", () => {
    fc.assert(
      fc.property(amounts, amounts, (p, q) => {
        if (Math.abs(angle(p) - angle(q)) < 1e-9) return;
        const [tangentP, tangentQ] = [p, q].map(({ a, b, c, m }) => tangentFromDiagonal(a, c, b, m));
        expect(tangentP < tangentQ).toBe(angle(p) < angle(q));
      }),
    );
  });

  it("is exactly equal for equal parts of machines of any size", () => {
    const factor = fc.integer({ min: 1, max: 1000 });
    fc.assert(
      fc.property(factor, factor, factor, factor, fc.nat(64), fc.nat(64), (c1, m1, c2, m2, x, y) => {
        // x and y 64ths of the cores and the memory are free, on both machines.
        const first = tangentFromDiagonal(x * c1, 64 * c1, y * m1, 64 * m1);
        expect(tangentFromDiagonal(x * c2, 64 * c2, y * m2, 64 * m2)).toBe(first);
        // Seen from the diagonal, too much of one is like too much of the other.
        expect(tangentFromDiagonal(y * c2, 64 * c2, x * m2, 64 * m2)).toBe(first);
      }),
    );
  });

  it("is 0 where nothing is left", () => {
    expect(tangentFromDiagonal(0, 4000, 0, 32)).toBe(0);
    expect(squaredSineFromDiagonal([0, 0, 0])).toBe(0);
  });

  it("of any number of resources orders two of them as the tangent does", () => {
    fc.assert(
      fc.property(amounts, amounts, (p, q) => {
        if (Math.abs(angle(p) - angle(q)) < 1e-6) return;
        const [sineP, sineQ] = [p, q].map(({ a, b, c, m }) => squaredSineFromDiagonal([a / c, b / m]));
        expect(sineP < sineQ).toBe(angle(p) < angle(q));
      }),
    );
  });
});
