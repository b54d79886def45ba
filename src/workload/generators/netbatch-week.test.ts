import { describe, expect, test } from "vitest";

import { candidatePools, type Workload } from "../workload.ts";
import { InputError } from "../errors.ts";
import { farmGenerator, farmGenerators } from "./farm-registry.ts";
import { normalWeek } from "./netbatch-week/models.ts";
import { weekPools } from "./netbatch-week/pools.ts";

const week = farmGenerator("netbatch-week");

function jobsOfHighPriority({ priority }: Workload): number[] {
  return [...priority!.keys()].filter((row) => priority![row] > 0);
}

describe.each(farmGenerators)("$name", (generator) => {
  const workload = generator.generate({ jobs: 4000, seed: 7 });

  test("has as many jobs as asked for, in order, and is marked synthetic", () => {
    expect(workload.count).toBe(4000);
    expect(workload.synthetic).toBe(true);
    expect(workload.name).toContain("synthetic");
    expect(
      workload.submitSeconds.every((time, row) => row === 0 || time >= workload.submitSeconds[row - 1]),
    ).toBe(true);
    expect(workload.runtimeSeconds.every((time) => time >= 1)).toBe(true);
  });

  test("is the same for the same seed, and differs for another", () => {
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

test("the farm has 20 pools of tens to thousands of machines, of differing speed and memory", () => {
  const { pools } = week.farm();
  expect(pools).toHaveLength(20);
  const sizes = pools.map(({ groups }) => groups.reduce((sum, { count }) => sum + count, 0));
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(30);
  expect(Math.max(...sizes)).toBeGreaterThanOrEqual(1000);
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

describe("the jobs of a week", () => {
  const workload = week.generate({ jobs: 62_000 });
  const poolOf = new Map(weekPools(normalWeek).map((pool) => [pool.name, pool]));
  const urgent = jobsOfHighPriority(workload);
  const poolOfUrgent = (row: number): string => workload.pools!.names[workload.pools!.codes[row]];

  test("of high priority have one pool each, which their group owns", () => {
    for (const row of urgent) {
      const owner = poolOf.get(poolOfUrgent(row))!.owner;
      expect(owner).not.toBeNull();
      expect(workload.group!.names[workload.group!.codes[row]]).toBe(owner);
    }
  });

  test("come to a large pool in a burst of about 30 hours", () => {
    const busyHours = (pool: string): number => {
      const rows = urgent.filter((row) => poolOfUrgent(row) === pool);
      return new Set(rows.map((row) => Math.floor(workload.submitSeconds[row] / 3600))).size;
    };
    expect(busyHours("large-1")).toBeGreaterThan(24);
    expect(busyHours("large-1")).toBeLessThan(32);
  });

  test("of low priority may be sent to all pools but the tiny ones, and restarted in all", () => {
    const low = workload.priority!.findIndex((priority) => priority === 0);
    const first = candidatePools(workload.pools!.names[workload.pools!.codes[low]]);
    const later = candidatePools(workload.restartPools!.names[workload.restartPools!.codes[low]]);
    expect(first.map((name) => poolOf.get(name)!.kind)).not.toContain("tiny");
    expect(first).toHaveLength(11);
    expect(later).toEqual([...poolOf.keys()]);
  });

  test("bring the load that the model says", () => {
    const groups = week.farm(62_000).pools.flatMap((pool) => pool.groups);
    const power = groups.reduce((sum, { count, coresMilli, speed }) => sum + count * coresMilli * speed, 0);
    const work = workload.runtimeSeconds.reduce((sum, time, row) => sum + time * workload.coresMilli[row], 0);
    expect(work / (power * 604_800) / normalWeek.load).toBeCloseTo(1, 1);
  });
});

test("refuses impossible numbers", () => {
  expect(() => week.generate({ jobs: 10 })).toThrow(InputError);
  expect(() => week.generate({ seed: 0.5 })).toThrow(InputError);
  expect(() => farmGenerator("nothing")).toThrow(/choose netbatch-week, /);
});
