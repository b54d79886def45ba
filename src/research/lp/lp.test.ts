import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";

import { closedFormBound, verifyPlacement, type FractionalInstance } from "../fractional/index.ts";
import { generateInstance, generatorDefaults } from "../instances/index.ts";
import { Random } from "../../workload/random.ts";
import { anyInstance, bestByTrying, host, instanceOf, service } from "./instances.fixture.ts";
import { mergeEqual } from "./merge-equal.ts";
import { Relaxation } from "./relaxation.ts";
import {
  findContender,
  findLpAlgorithm,
  lpAlgorithms,
  loadSolver,
  tooLarge,
  type LpOutcome,
  type LpSolver,
} from "./index.ts";

let solver: LpSolver;
beforeAll(async () => {
  solver = await loadSolver();
});

function run(
  name: string,
  instance: FractionalInstance,
  { timeLimitSeconds = 60, seed = 1 } = {},
): LpOutcome {
  const random = new Random(seed);
  return findLpAlgorithm(name)!.solve(solver, instance, {
    bound: 1,
    random: () => random.unit(),
    timeLimitSeconds,
  });
}

const placing = lpAlgorithms.map(({ name }) => name).filter((name) => name !== "lp-bound");

describe("the bound", () => {
  test("is the closed form on equal hosts without elementary limits", () => {
    // (H − Σ requirements) ÷ Σ needs in the dimension of needs: (2 − 0) ÷ 3.2.
    const services = [1, 2, 3, 4].map(() => service([0, 0.3], [0.8, 0]));
    expect(run("lp-bound", instanceOf([host(1, 1), host(1, 1)], services)).upperBound).toBeCloseTo(
      2 / 3.2,
      9,
    );
  });

  test("is the closed form on any equal hosts", () => {
    const settings = fc.record({
      hosts: fc.integer({ min: 2, max: 9 }),
      services: fc.integer({ min: 10, max: 40 }),
      dimensions: fc.integer({ min: 1, max: 4 }),
      load: fc.constantFrom(0.5, 1.5, 4),
      constrained: fc.constantFrom(0, 0.5),
      seed: fc.nat(),
    });
    fc.assert(
      fc.property(settings, (some) => {
        const instance = generateInstance({ ...generatorDefaults, ...some });
        const closed = closedFormBound(instance);
        const { upperBound, ended } = run("lp-bound", instance);
        if (closed < 0) expect(ended).toBe("infeasible");
        else expect(upperBound).toBeCloseTo(closed, 6);
      }),
      { numRuns: 60 },
    );
  });

  test("splits what no placement can", () => {
    // Three services of memory 0.5 and need 1 on two hosts: one host has two of them, each
    // with half its need; split, every service has two thirds.
    const instance = instanceOf(
      [host(1, 1), host(1, 1)],
      [1, 2, 3].map(() => service([0, 0.5], [1, 0])),
    );
    expect(run("lp-bound", instance).upperBound).toBeCloseTo(2 / 3, 9);
    expect(run("milp", instance).assignment!.minYield).toBeCloseTo(1 / 2, 9);
  });

  test("knows unequal hosts: memory on one, cores on the other", () => {
    const instance = instanceOf(
      [
        { elementary: [0.5, 2], aggregate: [0.5, 2] },
        { elementary: [2, 0.5], aggregate: [2, 0.5] },
      ],
      [service([0, 0.5], [1, 0]), service([0, 0.5], [1, 0])],
    );
    // Capacities alone would allow 1. Parts a of the memory-bound second host: at most
    // one service there in all, served in full; the other gets 0.5 on the first.
    expect(run("lp-bound", instance).upperBound).toBeCloseTo(0.75, 9);
    expect(run("milp", instance).assignment!.minYield).toBeCloseTo(0.5, 9);
  });

  test("is the same when equal hosts and services are merged", () => {
    fc.assert(
      fc.property(anyInstance({ hosts: 4, services: 4 }), (instance) => {
        const twice = repeated(instance);
        const merged = mergeEqual(twice);
        expect(merged.services).toBeLessThanOrEqual(instance.services);
        const whole = relaxed(twice);
        const small = relaxed(merged);
        if (whole === null) expect(small).toBeNull();
        else expect(small).toBeCloseTo(whole, 6);
      }),
      { numRuns: 60 },
    );
  });

  test("is 0 where requirements take a capacity whole, but for rounding", () => {
    // 3 × 0.4 and 0.4 of two hosts with 0.8: what is over is the tolerance, and needs in that unit vanish.
    const instance = instanceOf(
      [1, 2].map(() => ({ elementary: [0.4, 0.1], aggregate: [0.8, 0.2] })),
      [
        {
          elementaryRequirement: [0.4, 0.05],
          elementaryNeed: [0.05, 0.05],
          requirement: [3 * 0.4, 3 * 0.05],
          need: [3 * 0.05, 3 * 0.05],
        },
        service([0, 0.05], [0.3, 0.05]),
        {
          elementaryRequirement: [0.2, 0],
          elementaryNeed: [0.05, 0],
          requirement: [0.4, 0],
          need: [0.1, 0],
        },
      ],
    );
    for (const each of [instance, repeated(instance), mergeEqual(instance)])
      expect(relaxed(each)).toBeCloseTo(0, 12);
  });
});

describe("on random small instances", () => {
  test("milp finds the optimum of trying all placements, and nothing is above it or below its bound", () => {
    fc.assert(
      fc.property(anyInstance(), fc.nat(1000), (instance, seed) => {
        const best = bestByTrying(instance);
        const exact = run("milp", instance);
        if (best < 0) {
          expect(exact).toEqual({ assignment: null, ended: "infeasible" });
        } else {
          expect(exact.ended).toBe("complete");
          expect(exact.assignment!.minYield).toBeCloseTo(best, 5);
          expect(exact.upperBound!).toBeGreaterThan(best - 1e-6);
          const bound = run("lp-bound", instance);
          expect(bound.ended).toBe("complete");
          expect(bound.upperBound!).toBeGreaterThan(best - 1e-6);
        }
        for (const name of placing) {
          const { assignment, ended } = run(name, instance, { seed });
          if (assignment === null) continue;
          expect(ended).toBe("complete");
          const { hostOf, minYield } = assignment;
          expect(minYield).toBeLessThanOrEqual(best + 1e-9);
          const yields = new Float64Array(instance.services).fill(minYield);
          expect(verifyPlacement(instance, hostOf, yields)).toEqual([]);
        }
      }),
      { numRuns: 120 },
    );
  });

  test.for(["rrndnz", "fast-diving", "slow-diving", "milp"])(
    "%s finds a placement where services are small",
    (name) => {
      const instance = instanceOf(
        [host(1, 1), host(1, 1), host(1, 1)],
        Array.from({ length: 12 }, (_, i) => service([0, 0.01], [0.1 + i * 0.01, 0])),
      );
      const { assignment } = run(name, instance);
      expect(assignment).not.toBeNull();
      expect(
        verifyPlacement(instance, assignment!.hostOf, new Float64Array(12).fill(assignment!.minYield)),
      ).toEqual([]);
    },
  );

  test("rounding draws by the seed, and only where a service has a part", () => {
    const instance = instanceOf(
      [host(1, 1), host(1, 1), host(1, 1)],
      Array.from({ length: 9 }, (_, i) => service([0, 0.05 + i * 0.01], [0.3, 0])),
    );
    expect(run("rrndnz", instance, { seed: 5 })).toEqual(run("rrndnz", instance, { seed: 5 }));
    const placements = [1, 2, 3, 4, 5].map((seed) =>
      run("rrndnz", instance, { seed }).assignment!.hostOf.join(),
    );
    expect(new Set(placements).size).toBeGreaterThan(1);
  });
});

describe("what cannot be", () => {
  test.for(["lp-bound", ...placing])(
    "%s says that requirements above all capacity are infeasible",
    (name) => {
      const instance = instanceOf(
        [host(1, 1), host(1, 1)],
        [1, 2, 3].map(() => service([0, 0.7], [1, 0])),
      );
      expect(run(name, instance)).toEqual({ assignment: null, ended: "infeasible" });
    },
  );

  test("needs in another unit than capacities are no proof that there is no placement", () => {
    for (const need of [1e6, 2e7, 1e12, 1e16, 1e100]) {
      const instance = instanceOf([host(1), host(0.75)], [service([0], [need]), service([0.1], [0])]);
      const optimum = bestByTrying(instance);
      for (const { name } of lpAlgorithms) {
        const { ended, assignment, upperBound } = run(name, instance);
        expect([name, need, ended]).toEqual([name, need, "complete"]);
        if (assignment !== null) expect(assignment.minYield * need).toBeCloseTo(optimum * need, 0);
        if (upperBound !== undefined) expect(upperBound * need).toBeGreaterThanOrEqual(optimum * need - 1e-6);
      }
    }
  });

  test("a solver's proof does not count where a packing has a placement", () => {
    // Next to a host of 1,000 the solver cannot tell one of 1e-9 from none.
    const instance = instanceOf([host(0, 1000), host(1e-9, 1e-9)], [service([0, 250], [750, 0])]);
    expect(run("lp-bound", instance).ended).toBe("infeasible");
    const options = { bound: 1, random: () => 0.5, timeLimitSeconds: 60 };
    for (const name of ["lp-bound", "rrnd", "fast-diving"])
      expect(findContender(name)!.solve(solver, instance, options)).toMatchObject({
        assignment: null,
        ended: "failed",
      });
  });

  test("milp knows it where only whole services do not fit", () => {
    // Memory for all in sum, and for one service a host: the relaxation has a solution.
    const instance = instanceOf(
      [host(1, 1), host(1, 1)],
      [1, 2, 3].map(() => service([0, 0.6], [0.1, 0])),
    );
    expect(run("lp-bound", instance).ended).toBe("complete");
    expect(run("milp", instance)).toEqual({ assignment: null, ended: "infeasible" });
    for (const name of ["rrnd", "rrndnz", "fast-diving", "slow-diving"]) {
      expect(run(name, instance)).toEqual({ assignment: null, ended: "complete" });
    }
  });

  const middling = instanceOf(
    Array.from({ length: 6 }, (_, i) => host(1, 1 + i / 10)),
    Array.from({ length: 20 }, (_, i) => service([0, 0.1 + (i % 7) / 50], [0.2 + (i % 5) / 10, 0])),
  );

  test.for(["lp-bound", "rrnd", "rrndnz", "fast-diving", "slow-diving"])(
    "%s without time says that it was stopped, and nothing else",
    (name) => {
      expect(run(name, middling, { timeLimitSeconds: 0 })).toEqual({ assignment: null, ended: "time limit" });
    },
  );

  test("milp without time has a placement all the same, and says how far from the optimum it may be", () => {
    const { assignment, upperBound, ended } = run("milp", middling, { timeLimitSeconds: 0 });
    expect(ended).toBe("time limit");
    const { hostOf, minYield } = assignment!;
    expect(verifyPlacement(middling, hostOf, new Float64Array(20).fill(minYield))).toEqual([]);
    expect(upperBound!).toBeGreaterThan(minYield);
  });

  test("hosts without a resource hold nobody who asks for it", () => {
    const instance = instanceOf(
      [host(0, 1), host(1, 0)],
      [service([0, 0.5], [0, 0]), service([0.5, 0], [0.5, 0])],
    );
    for (const name of placing) {
      expect(run(name, instance).assignment).toEqual({ hostOf: Int32Array.of(0, 1), minYield: 1 });
    }
  });

  test("refuses what would hang, with a way out", () => {
    const instance = instanceOf(
      Array.from({ length: 300 }, (_, i) => host(1, 1 + i)),
      Array.from({ length: 1500 }, (_, i) => service([0, i], [1, 0])),
    );
    for (const algorithm of lpAlgorithms) {
      expect(tooLarge(algorithm, instance)).toMatch(/takes at most \d+ pairs.* 450000: use a vector packing/);
    }
    const equal = instanceOf(
      Array.from({ length: 300 }, () => host(1, 1)),
      Array.from({ length: 1500 }, () => service([0, 0.1], [1, 0])),
    );
    expect(
      lpAlgorithms.filter((algorithm) => tooLarge(algorithm, equal) === null).map(({ name }) => name),
    ).toEqual(["lp-bound"]);
  });
});

/** The relaxation of an instance as it is, nothing merged; `null`: infeasible. */
function relaxed(instance: FractionalInstance): number | null {
  const relaxation = new Relaxation(solver, instance);
  try {
    return relaxation.solve(60) === "optimal" ? relaxation.minYield : null;
  } finally {
    relaxation.dispose();
  }
}

/** Every host and every service twice. */
function repeated(instance: FractionalInstance): FractionalInstance {
  const twice = (column: Float64Array): Float64Array => Float64Array.of(...column, ...column);
  return {
    dimensions: instance.dimensions,
    hosts: 2 * instance.hosts,
    services: 2 * instance.services,
    elementaryCapacity: twice(instance.elementaryCapacity),
    aggregateCapacity: twice(instance.aggregateCapacity),
    elementaryRequirement: twice(instance.elementaryRequirement),
    elementaryNeed: twice(instance.elementaryNeed),
    aggregateRequirement: twice(instance.aggregateRequirement),
    aggregateNeed: twice(instance.aggregateNeed),
  };
}
