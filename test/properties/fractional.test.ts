import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  allocate,
  findFractionalAlgorithm,
  fractionalAlgorithms,
  verifyPlacement,
  whyInfeasible,
  yieldBound,
  type Assignment,
  type FractionalInstance,
} from "../../src/research/fractional/index.ts";
import { PRECISION } from "../../src/research/fractional/packing/search.ts";
import { firstFit } from "../../src/research/fractional/packing/first-fit.ts";
import { heterogeneousPackers } from "../../src/research/fractional/packing/meta.ts";
import type { Packer } from "../../src/research/fractional/packing/packer.ts";
import { Packing } from "../../src/research/fractional/packing/packing.ts";
import { anyInstance, bestByTrying } from "../../src/research/lp/instances.fixture.ts";
import { generateInstance, generatorDefaults } from "../../src/research/instances/index.ts";
import { greedyByTheBook } from "./greedy-by-the-book.fixture.ts";

function solve(name: string, instance: FractionalInstance, bound = 1): Assignment | null {
  return findFractionalAlgorithm(name)!.solve(instance, { bound, random: () => 0.5 });
}

/** Every algorithm but the windows, of which a few stand for all. */
const names = fractionalAlgorithms.map(({ name }) => name).filter((name) => !/-w[2-8]$/.test(name));

describe("every algorithm", () => {
  it("gives a right placement, never above the optimum, and the bound is never below it", () => {
    fc.assert(
      fc.property(anyInstance(), fc.constantFrom(...names), (instance, name) => {
        const optimum = bestByTrying(instance);
        const bound = yieldBound(instance);
        expect(bound).toBeGreaterThanOrEqual(optimum - 1e-9);
        if (whyInfeasible(instance) !== null) expect(optimum).toBe(-1);
        if (bound < 0) return;
        const assignment = solve(name, instance, bound);
        if (assignment === null) return;
        const { hostOf, minYield } = assignment;
        expect(minYield).toBeLessThanOrEqual(optimum + 1e-9);
        const yields = allocate(instance, hostOf);
        expect(verifyPlacement(instance, hostOf, yields)).toEqual([]);
        expect(Math.min(...yields)).toBeCloseTo(minYield, 9);
      }),
      { numRuns: 1500 },
    );
  });

  it("gives the same for the same", () => {
    const instance = generateInstance({ ...generatorDefaults, hosts: 6, services: 15, shape: "cores" });
    for (const name of names) expect(solve(name, instance)).toEqual(solve(name, instance));
  });
});

/**
 * Amounts of anyInstance are twentieths. Sums of these depend on the order in which they are made, and
 * so would the choice between hosts that are equal; sums of whole numbers do not.
 */
function inWholeNumbers(instance: FractionalInstance): FractionalInstance {
  const whole = (amounts: Float64Array): Float64Array => amounts.map((amount) => Math.round(amount * 20));
  return {
    ...instance,
    elementaryCapacity: whole(instance.elementaryCapacity),
    aggregateCapacity: whole(instance.aggregateCapacity),
    elementaryRequirement: whole(instance.elementaryRequirement),
    elementaryNeed: whole(instance.elementaryNeed),
    aggregateRequirement: whole(instance.aggregateRequirement),
    aggregateNeed: whole(instance.aggregateNeed),
  };
}

describe("greedy-Sx-Py", () => {
  it("is the better of two placements by the book", () => {
    const anyNumber = fc.integer({ min: 1, max: 7 });
    fc.assert(
      fc.property(anyInstance({ hosts: 4, services: 8 }), anyNumber, anyNumber, (any, order, pick) => {
        const instance = inWholeNumbers(any);
        const byTheBook = greedyByTheBook(instance, order, pick);
        const found = solve(`greedy-S${order}-P${pick}`, instance)?.minYield ?? -1;
        expect(found).toBeCloseTo(byTheBook, 9);
      }),
      { numRuns: 600 },
    );
  });
});

/** The highest step of a binary search at which one of the packers packs all services. */
function plainSearch(instance: FractionalInstance, packers: readonly Packer[]): number {
  const packing = new Packing(instance);
  const binOf = new Int32Array(instance.services);
  let low = 0;
  let high = 1;
  while (high - low > PRECISION) {
    const middle = (low + high) / 2;
    packing.setYield(middle);
    if (packers.some((packer) => packer.pack(packing, binOf))) low = middle;
    else high = middle;
  }
  return low;
}

describe("the meta algorithms", () => {
  const settings = fc.record({
    hosts: fc.integer({ min: 2, max: 14 }),
    services: fc.integer({ min: 4, max: 36 }),
    shape: fc.constantFrom("equal", "varied", "cores"),
    dimensions: fc.constantFrom(1, 2, 3),
    slack: fc.constantFrom(0.1, 0.3, 0.6),
    seed: fc.nat(100_000),
  });
  const instances = settings.map((some) => generateInstance({ ...generatorDefaults, ...some }));

  /** Two placements of it are equally good but for the last digit of a sum. */
  const lastDigits = generateInstance({
    ...generatorDefaults,
    hosts: 3,
    services: 13,
    shape: "cores",
    dimensions: 2,
    slack: 0.6,
    seed: 55_416,
  });

  it("greedy and greedy-light are the best of their members", () => {
    fc.assert(
      fc.property(instances, (instance) => {
        const yieldOf = (name: string): number => solve(name, instance)?.minYield ?? -1;
        const expectBest = (meta: string, members: readonly string[]): void => {
          const best = Math.max(...members.map(yieldOf));
          expect(yieldOf(meta)).toBeLessThanOrEqual(best);
          // A run ends where a host's yield, added up as its services come, is no better than the best run's, added up by
          // number: the two may differ in the last digits.
          expect(yieldOf(meta)).toBeGreaterThan(best - 1e-12);
        };
        expectBest(
          "greedy",
          names.filter((name) => name.startsWith("greedy-S")),
        );
        const light = ["S3-P1", "S2-P1", "S5-P1", "S7-P1", "S6-P1", "S2-P2", "S3-P2", "S6-P2", "S5-P4"];
        expectBest(
          "greedy-light",
          light.map((pair) => `greedy-${pair}`),
        );
      }),
      { numRuns: 40, examples: [[lastDigits]] },
    );
  });

  it("meta-hvp is at least as good as a binary search at every step with all packers that take what is hard to place first", () => {
    fc.assert(
      fc.property(instances, (instance) => {
        const bound = yieldBound(instance);
        if (bound < 0) return;
        const { leading, following } = heterogeneousPackers(instance);
        const low = plainSearch(instance, [...leading(), ...following()]);
        const found = solve("meta-hvp", instance, bound)?.minYield ?? 0;
        expect(found).toBeGreaterThanOrEqual(low - 1e-6);
      }),
      { numRuns: 25 },
    );
  });

  it("one packer by itself is at least as good as a plain binary search with it", () => {
    const packer = firstFit("descending-max", "given");
    // Of the first one packing succeeds at a step, but only with the tolerance.
    for (const seed of [30_004, 1, 2, 3, 4, 5]) {
      const instance = generateInstance({
        ...generatorDefaults,
        services: 250,
        shape: "varied",
        slack: 0.1,
        load: 3,
        seed,
      });
      const low = plainSearch(instance, [packer]);
      const found = solve("vp-ff-max", instance, yieldBound(instance))?.minYield ?? 0;
      expect(found).toBeGreaterThanOrEqual(low - 1e-6);
    }
  });

  it("meta-hvp tells where it was broken off", () => {
    const settings = { hosts: 24, shape: "varied", slack: 0.4 } as const;
    const [small, large] = [2, 6].map((dimensions) =>
      generateInstance({ ...generatorDefaults, ...settings, services: 90 * dimensions, dimensions }),
    );
    expect(solve("meta-hvp", small, yieldBound(small))).not.toHaveProperty("isCutShort");
    expect(solve("meta-hvp", large, yieldBound(large))).toHaveProperty("isCutShort", true);
  });

  it.each([
    { dimensions: 3, shape: "varied", slack: 0.4, seed: 1 },
    { dimensions: 4, shape: "varied", slack: 0.4, seed: 1 },
    { dimensions: 4, shape: "cores", slack: 0.4, seed: 3 },
    { dimensions: 6, shape: "varied", slack: 0.3, seed: 2 },
  ] as const)("no member does better in $dimensions dimensions, $shape", (settings) => {
    const instance = generateInstance({ ...generatorDefaults, hosts: 24, services: 72, ...settings });
    const bound = yieldBound(instance);
    const members = fractionalAlgorithms.map(({ name }) => name).filter((name) => name.startsWith("vp-"));
    const best = Math.max(...members.map((name) => solve(name, instance, bound)?.minYield ?? -1));
    for (const meta of ["meta-vp", "meta-hvp"])
      expect(solve(meta, instance, bound)!.minYield).toBeGreaterThanOrEqual(best - PRECISION);
  });
});
