import { describe, expect, it } from "vitest";

import type { FractionalInstance } from "../../fractional/index.ts";
import type { Outcome } from "../../lp/index.ts";
import { renderResults, resultOf, runOf, stopRemarks } from "./results.ts";

/** One host of 1, and two services that need all of it: half each is the best. */
const instance: FractionalInstance = {
  dimensions: 1,
  hosts: 1,
  services: 2,
  elementaryCapacity: Float64Array.of(1),
  aggregateCapacity: Float64Array.of(1),
  elementaryRequirement: Float64Array.of(0, 0),
  aggregateRequirement: Float64Array.of(0, 0),
  elementaryNeed: Float64Array.of(1, 1),
  aggregateNeed: Float64Array.of(1, 1),
};
const assignment = { hostOf: Int32Array.of(0, 0), minYield: 0.5 };

describe("an algorithm that was stopped", () => {
  it.each<Outcome["ended"]>(["cut short", "time limit", "failed"])(
    "is only called so while its answer is below the bound: %s",
    (ended) => {
      const run = runOf("meta-hvp", instance, { assignment, ended, seconds: 1 });
      expect(run.minYield).toBe(0.5);
      const below = resultOf(run, 0.7);
      expect(below).toMatchObject({ optimal: false, stopped: true });
      expect(stopRemarks([run], [below], 60)).toEqual([expect.stringMatching(/^meta-hvp: (stopped|failed)/)]);
      const atBound = resultOf(run, 0.5);
      expect(atBound.optimal).toBe(true);
      expect(atBound).not.toHaveProperty("stopped");
      expect(stopRemarks([run], [atBound], 60)).toEqual([]);
      expect(renderResults(0.5, [atBound])).toMatch(/ optimal /);
    },
  );

  it("is told from others by its place among them", () => {
    const runs = (["complete", "time limit"] as const).map((ended, i) =>
      runOf(`vp-${i}`, instance, { assignment: null, ended, seconds: 1 }),
    );
    const results = runs.map((run) => resultOf(run, 1));
    expect(stopRemarks(runs, results, 60)).toEqual(["vp-1: stopped at the limit of 60 s"]);
  });
});
