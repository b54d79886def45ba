import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";

import {
  fractionalAlgorithms,
  verifyPlacement,
  yieldBound,
  type FractionalInstance,
} from "../../src/research/fractional/index.ts";
import { anyInstance } from "../../src/research/lp/instances.fixture.ts";
import {
  findLpAlgorithm,
  lpAlgorithms,
  loadSolver,
  type LpOutcome,
  type LpSolver,
} from "../../src/research/lp/index.ts";
import { Random } from "../../src/workload/index.ts";

let solver: LpSolver;
beforeAll(async () => {
  solver = await loadSolver();
});

function byLp(name: string, instance: FractionalInstance, seed = 1): LpOutcome {
  const random = new Random(seed);
  return findLpAlgorithm(name)!.solve(solver, instance, {
    bound: 1,
    random: () => random.unit(),
    timeLimitSeconds: 60,
  });
}

const sizes = [
  { hosts: 4, services: 7, dimensions: 2 },
  { hosts: 3, services: 6, dimensions: 3 },
];

describe.for(sizes)("with up to $hosts hosts, $services services and $dimensions dimensions", (size) => {
  test("no algorithm is above the optimum, no bound below it, and every answer is verified", () => {
    fc.assert(
      fc.property(anyInstance(size), fc.nat(1000), (instance, seed) => {
        const exact = byLp("milp", instance);
        const optimum = exact.assignment?.minYield ?? -1;
        expect(exact.ended).toBe(optimum < 0 ? "infeasible" : "complete");
        if (optimum >= 0) {
          expect(byLp("lp-bound", instance).upperBound!).toBeGreaterThan(optimum - 1e-6);
          expect(yieldBound(instance)).toBeGreaterThan(optimum - 1e-6);
        }
        const answers = [
          ...fractionalAlgorithms.map((algorithm) => {
            const random = new Random(seed);
            const assignment = algorithm.solve(instance, { bound: 1, random: () => random.unit() });
            return { name: algorithm.name, assignment };
          }),
          ...lpAlgorithms.map(({ name }) => ({ name, assignment: byLp(name, instance, seed).assignment })),
        ];
        for (const { name, assignment } of answers) {
          if (assignment === null) continue;
          const { hostOf, minYield } = assignment;
          expect(minYield, name).toBeLessThanOrEqual(optimum + 1e-6);
          const least = new Float64Array(instance.services).fill(minYield);
          expect(verifyPlacement(instance, hostOf, least), name).toEqual([]);
        }
      }),
      { numRuns: 20 },
    );
  });
});
