import { expect, it } from "vitest";

import { aPoolOf, farmOf, runFarm } from "../farm.fixture.ts";
import { simulate } from "../simulate.ts";
import { aFarm, aWorkload } from "../workload.fixture.ts";

it("tells by priority, group and pool what urgent jobs do to the others", () => {
  // Pool a: job 1 is suspended from 40 to 90 for job 2, then runs until 150. Pool b: job 3, alone, from 10 to 70;
  // job 4 waits for it from 20 to 70 and runs until 130.
  const workload = aWorkload([
    { run: 100, priority: 0, pools: "a", group: "red" },
    { submit: 10, run: 60, priority: 0, pools: "b", group: "blue" },
    { submit: 20, run: 60, priority: 0, pools: "b", group: "blue" },
    { submit: 40, run: 50, priority: 5, pools: "a", group: "red" },
  ]);
  const { result } = runFarm(workload, farmOf([aPoolOf("a", [{}]), aPoolOf("b", [{}])]));
  const minutes = (seconds: number): number => seconds / 60;
  const low = {
    jobs: 3,
    suspendRate: 1 / 3,
    waitMeanMinutes: minutes(50) / 3,
    completionMeanMinutes: minutes(150 + 60 + 110) / 3,
    suspendedMeanMinutes: minutes(50),
    wastedSuspendMinutes: minutes(50) / 3,
    wastedMeanMinutes: minutes(100) / 3,
    wastedMaxMinutes: minutes(50),
  };
  const urgent = {
    jobs: 1,
    suspendRate: 0,
    waitMeanMinutes: 0,
    completionMeanMinutes: minutes(50),
    suspendedMeanMinutes: null,
    wastedSuspendMinutes: 0,
    wastedMeanMinutes: 0,
    wastedMaxMinutes: 0,
  };
  expect(result.byPriority).toEqual([
    { priority: 5, ...urgent },
    { priority: 0, ...low },
  ]);
  const inA = {
    jobs: 2,
    suspendRate: 0.5,
    waitMeanMinutes: 0,
    completionMeanMinutes: minutes(100),
    suspendedMeanMinutes: minutes(50),
    wastedSuspendMinutes: minutes(25),
    wastedMeanMinutes: minutes(25),
    wastedMaxMinutes: minutes(50),
  };
  const inB = {
    jobs: 2,
    suspendRate: 0,
    waitMeanMinutes: minutes(25),
    completionMeanMinutes: minutes(85),
    suspendedMeanMinutes: null,
    wastedSuspendMinutes: 0,
    wastedMeanMinutes: minutes(25),
    wastedMaxMinutes: minutes(50),
  };
  expect(result.byGroup).toEqual([
    { group: "blue", ...inB },
    { group: "red", ...inA },
  ]);
  expect(result.byPool).toEqual([
    { pool: "a", ...inA },
    { pool: "b", ...inB },
  ]);
  expect(result.longestSuspended).toEqual([
    {
      job: 1,
      group: "red",
      priority: 0,
      runtimeSeconds: 100,
      suspendedSeconds: 50,
      pool: "a",
      suspensions: 1,
    },
  ]);
});

it("names the ten jobs that were suspended for longest, the longest first", () => {
  // Each of twelve long jobs is alone on its machine; urgent jobs of 1 to 12 s take their places in turn.
  const long = Array.from({ length: 12 }, () => ({ run: 1000, priority: 0 }));
  const urgent = Array.from({ length: 12 }, (_, i) => ({ submit: 100, run: i + 1, priority: 1 }));
  const workload = aWorkload([...long, ...urgent]);
  const { result } = simulate(workload, aFarm(Array.from({ length: 12 }, () => ({ cores: 1000 }))), {
    policy: "first-fit",
    intervalSeconds: 0,
  });
  expect(result.longestSuspended!.map(({ suspendedSeconds }) => suspendedSeconds)).toEqual([
    12, 11, 10, 9, 8, 7, 6, 5, 4, 3,
  ]);
  expect(result.suspendRate).toBe(0.5);
  expect(result).not.toHaveProperty("byPool");
  expect(result).not.toHaveProperty("strategy");
});

it("has no such figures where nothing can happen to a job but to wait and run", () => {
  const { result } = simulate(aWorkload([{}, {}]), aFarm([{ cores: 1000 }]), { policy: "first-fit" });
  for (const figure of ["suspendRate", "byPriority", "byGroup", "byPool", "longestSuspended"])
    expect(result).not.toHaveProperty(figure);
});
