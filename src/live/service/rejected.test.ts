import { expect, it } from "vitest";

import { Farm } from "./farm.fixture.ts";
import { rejectedText } from "./rejected.ts";

const named = (...names: string[]) => names.map((name) => ({ name }));
const farm = { pools: named("cpu", "gpu", "big"), virtualPools: named("all", "gpus") };

it.each([
  ["all pools of several", null, [0, 1, 2], "no pool takes it: why"],
  [
    "one of several, where the job names none",
    null,
    [0],
    "pool cpu does not take it: why; jobs that name no pool go to all, and --pool sends them elsewhere: gpu, big",
  ],
  ["one of several, where it names that", "cpu", [0], "pool cpu does not take it: why"],
  ["two of three", "gpus", [1, 2], "of the pools gpu, big none takes it: why"],
  ["none", "gpus", [], "why"],
])("a job is rejected by %s", (_, asksFor, asked, told) => {
  const pools = asked.map((pool) => ({ pool }));
  expect(rejectedText(farm, { pools }, asksFor, "why")).toBe(told);
});

it("a job that no other pool could hold is sent to none", () => {
  const asked = { pools: [{ pool: 0 }] };
  expect(rejectedText(farm, asked, null, "why", [farm.pools[0]])).toBe(
    "pool cpu does not take it: why; no other pool is large enough",
  );
  expect(rejectedText(farm, asked, null, "why", [farm.pools[2]])).toMatch(/ elsewhere: big$/);
});

it("a limit is no matter of a pool", async () => {
  const pools = farm.pools.map(({ name }) => ({ name, machines: 1, cores: 8 }));
  const none = { runningJobs: null, waitingJobs: null, jobsAtOnce: null };
  const limited = await Farm.of(pools, { limits: [{ of: "user", name: "ann", ...none, runningCores: 4 }] });
  expect((await limited.submit(10, { cores: 5 })).reason).toBe(
    "asks for 5 cores, above ann's limit of 4 cores",
  );
});

it("the pool of a farm that has only one is not named", () => {
  const one = { pools: named("cpu"), virtualPools: named("all") };
  expect(rejectedText(one, { pools: [{ pool: 0 }] }, null, "why")).toBe("why");
});
