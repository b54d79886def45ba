import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import {
  allocate,
  findFractionalAlgorithm,
  verifyPlacement,
  yieldBound,
} from "../../src/research/fractional/index.ts";
import { readInstance } from "../../src/research/instances/index.ts";
import { tracePath, tracesAreMissing, whereTraces } from "./traces.fixture.ts";

const FOLDER = "reference/fractional";
/** What the authors' program calls them. */
const NAMES: Readonly<Record<string, string>> = {
  METAGREEDY: "meta-greedy",
  METAGREEDYLIGHT: "greedy-light",
  METAHVP: "meta-hvp",
};
/** The yields are published to three places, and come of a search to 0.001. */
const TOLERANCE = 0.0005;

const results = tracesAreMissing
  ? []
  : readFileSync(tracePath(`${FOLDER}/results.csv`), "utf8")
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.split(","))
      .map(([file, algorithm, minYield]) => ({ file, algorithm, minYield: Number(minYield) }));

describe.skipIf(tracesAreMissing)(`the authors' own program's yields ${whereTraces}`, () => {
  it.each(results)("$algorithm on $file", async ({ file, algorithm, minYield }) => {
    const instance = await readInstance(tracePath(`${FOLDER}/${file}`));
    const bound = yieldBound(instance);
    const found = findFractionalAlgorithm(NAMES[algorithm])!.solve(instance, { bound, random: () => 0 })!;
    expect(found.minYield).toBeGreaterThanOrEqual(minYield - TOLERANCE);
    expect(found.minYield).toBeLessThanOrEqual(bound);
    expect(verifyPlacement(instance, found.hostOf, allocate(instance, found.hostOf))).toEqual([]);
  });
});
