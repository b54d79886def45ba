import { describe, expect, it } from "vitest";

import { generateInstance, generatorDefaults, type GeneratorSettings } from "./generate.ts";

function make(settings: Partial<GeneratorSettings>): ReturnType<typeof generateInstance> {
  return generateInstance({ ...generatorDefaults, ...settings });
}

function total(amounts: Float64Array, d: number, dimensions = 2): number {
  return amounts.reduce((sum, amount, at) => (at % dimensions === d ? sum + amount : sum), 0);
}

describe("generateInstance", () => {
  it("gives the same for the same seed, and something else for another", () => {
    expect(make({ seed: 7 })).toEqual(make({ seed: 7 }));
    expect(make({ seed: 7 }).aggregateNeed).not.toEqual(make({ seed: 8 }).aggregateNeed);
  });

  it("leaves the slack in memory and loads the cores", () => {
    for (const shape of ["equal", "varied", "cores"] as const) {
      const instance = make({
        shape,
        hosts: 200,
        services: 1000,
        slack: 0.3,
        load: 0.6,
        needVariation: 0.25,
      });
      const share = (amounts: Float64Array, d: number): number =>
        total(amounts, d) / total(instance.aggregateCapacity, d);
      // What is cut to the largest host is missing.
      expect(share(instance.aggregateRequirement, 1)).toBeGreaterThan(0.64);
      expect(share(instance.aggregateRequirement, 1)).toBeLessThan(0.7005);
      expect(share(instance.aggregateNeed, 0)).toBeGreaterThan(0.5);
      expect(share(instance.aggregateNeed, 0)).toBeLessThan(0.6005);
      expect(total(instance.aggregateRequirement, 0)).toBe(0);
      expect(total(instance.aggregateNeed, 1)).toBe(0);
    }
  });

  it("refuses to make what is too large to be read", () => {
    expect(() => make({ dimensions: 65 })).toThrow("65 dimensions: more than 64 are not supported");
    expect(() => make({ dimensions: 64, services: 10_000_000 })).toThrow("more than 100000000 are not");
  });

  it("folds minimum yields into the requirements", () => {
    const free = make({ services: 400 });
    const bound = make({ services: 400, constrained: 0.25, minYield: 0.5 });
    let constrained = 0;
    for (let at = 0; at < free.aggregateNeed.length; at += 2) {
      const requirement = bound.aggregateRequirement[at];
      expect(requirement + bound.aggregateNeed[at]).toBeCloseTo(free.aggregateNeed[at], 3);
      if (requirement > 0) constrained++;
    }
    expect(constrained / 400).toBeGreaterThan(0.18);
    expect(constrained / 400).toBeLessThan(0.32);
  });

  it("varies needs and hosts as much as asked for", () => {
    const variation = (values: readonly number[]): number => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
      return Math.sqrt(variance) / mean;
    };
    const { aggregateNeed, aggregateCapacity } = make({
      shape: "varied",
      hosts: 2000,
      services: 4000,
      needVariation: 0.2,
      hostVariation: 0.3,
    });
    const ofDimension = (column: Float64Array): number[] => [...column].filter((_, at) => at % 2 === 0);
    expect(variation(ofDimension(aggregateNeed))).toBeCloseTo(0.2, 1);
    expect(variation(ofDimension(aggregateCapacity))).toBeCloseTo(0.3, 1);
  });
});
