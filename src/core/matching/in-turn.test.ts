import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { MachineState } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import { aJob, aPool, placementOf, someMachines, startedOf } from "../pool/pool.fixture.ts";
import { findHeuristic, heuristics } from "./registry.ts";
import { scanFinder } from "./scan.ts";

const anyMachine = fc.record({
  cores: fc.integer({ min: 1, max: 3 }),
  memory: fc.integer({ min: 1, max: 3 }),
  usedCores: fc.nat(2),
  usedMemory: fc.nat(2),
});
const anyCriteria = fc
  .uniqueArray(fc.constantFrom(...heuristics), { minLength: 2, maxLength: 4 })
  .map((criteria) => ({ criteria, name: criteria.map(({ name }) => name).join("+") }));

describe("several heuristics in turn", () => {
  it("take the first machine of those sorted by one after the other", () => {
    fc.assert(
      fc.property(
        fc.array(anyMachine, { minLength: 1, maxLength: 8 }),
        anyCriteria,
        fc.integer({ min: 1, max: 2 }),
        (specs, { criteria, name }, cores) => {
          const state = new MachineState(
            someMachines(...specs.map((each) => ({ cores: each.cores * 1000, memory: each.memory * 1024 }))),
          );
          specs.forEach((each, machine) => {
            const used = Math.min(each.cores, each.usedCores) * 1000;
            state.take(machine, used, Math.min(each.memory, each.usedMemory) * 1024, 0, 1);
          });
          const task = [cores * 1000, 1024, 0] as const;
          const fitting = specs
            .map((_, machine) => machine)
            .filter((machine) => state.freeCores[machine] >= task[0] && state.freeMemory[machine] >= task[1]);
          // A stable sort by the last criterion, then by the one before it, and so on, is one by all in turn.
          const sorted = criteria.toReversed().reduce((machines, heuristic) => {
            const score = (machine: number): number => heuristic.score(state, machine, ...task);
            return machines.toSorted((a, b) => score(a) - score(b));
          }, fitting);
          expect(scanFinder(findHeuristic(name)!, state)(...task)).toBe(sorted[0] ?? NONE);
        },
      ),
    );
  });

  it("by hand: configured memory first, then free cores", () => {
    const pool = aPool(
      "least-configured-memory+best-fit-cores",
      someMachines(
        { cores: 8000, memory: 64 },
        { cores: 8000, memory: 32 },
        { cores: 4000, memory: 32 },
        { cores: 2000, memory: 64 },
      ),
    );
    const jobs = Array.from({ length: 6 }, () => pool.submit(aJob({ cores: 2000, memory: 1 })));
    pool.cycle(0);
    expect(startedOf(pool)).toEqual(jobs);
    expect(jobs.map((job) => placementOf(pool, job)[0].machine)).toEqual([2, 2, 1, 1, 1, 1]);
    const last = pool.submit(aJob({ cores: 2000, memory: 1 }));
    pool.cycle(30);
    expect(placementOf(pool, last)[0].machine).toBe(3);
  });

  it("have names of known heuristics, each once, four at most, and one object a name", () => {
    expect(findHeuristic("worst-fit-cores+first-fit")!.name).toBe("worse-fit-cores+first-fit");
    expect(findHeuristic("mix-fit+first-fit")).toBe(findHeuristic("mix-fit+first-fit"));
    for (const wrong of [
      "mix-fit+",
      "mix-fit+easy",
      "mix-fit+mix-fit",
      "+",
      "worst-fit-cores+worse-fit-cores",
    ])
      expect(findHeuristic(wrong), wrong).toBeUndefined();
    const five = heuristics.slice(0, 5).map(({ name }) => name);
    expect(findHeuristic(five.slice(0, 4).join("+"))).toBeDefined();
    expect(findHeuristic(five.join("+"))).toBeUndefined();
  });
});
