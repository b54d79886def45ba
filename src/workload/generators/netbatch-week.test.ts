import { describe, expect, test } from "vitest";

import { candidatePools, type Workload } from "../workload.ts";
import { InputError } from "../errors.ts";
import { farmGenerator, farmGenerators } from "./farm-registry.ts";
import { ownedPools, weekPools } from "./netbatch-week/pools.ts";

const week = farmGenerator("netbatch-week");

function jobsOfHighPriority({ priority }: Workload): number[] {
  return [...priority!.keys()].filter((row) => priority![row] > 0);
}

describe.each(farmGenerators)("$name", (generator) => {
  const workload = generator.generate({ jobs: 4000, seed: 7 });

  test("has as many jobs as asked, in order, and says that it is synthetic", () => {
    expect(workload.count).toBe(4000);
    expect(workload.synthetic).toBe(true);
    expect(workload.name).toContain("synthetic");
    expect(
      workload.submitSeconds.every((time, row) => row === 0 || time >= workload.submitSeconds[row - 1]),
    ).toBe(true);
    expect(workload.runtimeSeconds.every((time) => time >= 1)).toBe(true);
  });

  test("is the same from the same seed, and another from another", () => {
    expect(generator.generate({ jobs: 4000, seed: 7 })).toEqual(workload);
    expect(generator.generate({ jobs: 4000, seed: 8 }).runtimeSeconds).not.toEqual(workload.runtimeSeconds);
  });

  test("names pools that its farm has", () => {
    const names = generator.farm(4000).pools.map(({ name }) => name);
    for (const list of workload.pools!.names) {
      const pools = candidatePools(list);
      expect(pools.length).toBeGreaterThan(0);
      for (const pool of pools) expect(names).toContain(pool);
    }
  });
});

test("the farm has 20 pools of hundreds to ten thousand machines, of differing speed and memory", () => {
  const { pools } = week.farm();
  expect(pools).toHaveLength(20);
  const sizes = pools.map(({ groups }) => groups.reduce((sum, { count }) => sum + count, 0));
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(100);
  expect(Math.max(...sizes)).toBeGreaterThanOrEqual(10_000);
  const groups = pools.flatMap(({ groups }) => groups);
  expect(new Set(groups.map(({ speed }) => speed)).size).toBeGreaterThan(5);
  expect(new Set(groups.map(({ memoryMiB }) => memoryMiB)).size).toBeGreaterThan(3);
});

test("a smaller farm comes with fewer jobs", () => {
  const machines = (jobs: number): number =>
    week
      .farm(jobs)
      .pools.reduce((sum, { groups }) => sum + groups.reduce((all, { count }) => all + count, 0), 0);
  expect(machines(124_000) / machines(248_000)).toBeCloseTo(0.5, 2);
});

test("high priority comes in bursts of hours and days, in the owned pools only", () => {
  const workload = week.generate();
  expect(workload.count).toBe(248_000);
  const urgent = jobsOfHighPriority(workload);
  const owned = new Set(ownedPools.map((pool) => weekPools[pool].name));
  expect(urgent.every((row) => owned.has(workload.pools!.names[workload.pools!.codes[row]]))).toBe(true);
  // Of the week's hours few have most of the jobs.
  const hours = new Int32Array(168);
  for (const row of urgent) hours[Math.floor(workload.submitSeconds[row] / 3600)]++;
  hours.sort();
  const busiest = hours.slice(-16).reduce((sum, jobs) => sum + jobs, 0);
  expect(busiest / urgent.length).toBeGreaterThan(0.6);
  // No job asks for what its pools do not have.
  expect(new Set(workload.requires!.names)).toEqual(new Set(["", 'os == "sles10"', "memory >= 32 GiB"]));
});

test("refuses numbers that cannot be", () => {
  expect(() => week.generate({ jobs: 10 })).toThrow(InputError);
  expect(() => week.generate({ seed: 0.5 })).toThrow(InputError);
  expect(() => farmGenerator("nothing")).toThrow(/choose netbatch-week, /);
});
