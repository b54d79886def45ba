import { expect, it } from "vitest";

import type { JobRequest } from "../store/job-request.ts";
import { Farm } from "./farm.fixture.ts";
import { anyFarmOf } from "./farms.fixture.ts";
import { FarmWorld, simulatedJob } from "./farm-world.fixture.ts";
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
    "pool cpu does not take it: why; no other pool could hold it",
  );
  expect(rejectedText(farm, asked, null, "why", [farm.pools[2]])).toMatch(/ elsewhere: big$/);
});

it("what no machine of other pools meets either, or no licence of theirs, is sent to none of them", async () => {
  const machines = [1, 2].map((count) => ({ name: `p${count}`, machines: count, cores: 4 * count }));
  const base = anyFarmOf(machines, { licences: { matlab: 1 } });
  const [first, second] = base.pools;
  const pools = [first, { ...second, licences: [{ name: "matlab", count: 2 }] }];
  const onlyFirst = base.virtualPools.map((each) => ({ ...each, pools: [0] }));
  const world = new FarmWorld({
    ...base,
    pools,
    virtualPools: [...onlyFirst, { ...onlyFirst[0], name: "b", pools: [1] }],
  });
  await world.start();
  const reasonOf = async (asked: Partial<JobRequest>): Promise<string> => {
    const jobs = [simulatedJob(asked)];
    const outcome = await world.act(({ loop, submitting }) =>
      loop.act((turn) => submitting.submit(turn, { user: "ann", jobs, environment: {}, key: null })),
    );
    return outcome !== null && "answer" in outcome ? outcome.answer[0].reason : "";
  };
  expect(await reasonOf({ requires: "cores == 8" })).toMatch(/ elsewhere: p2$/);
  expect(await reasonOf({ requires: "cores == 9" })).toMatch(/; no other pool could hold it$/);
  expect(await reasonOf({ licences: "matlab=2" })).toMatch(/ elsewhere: p2$/);
  expect(await reasonOf({ licences: "matlab=3" })).toMatch(/; no other pool could hold it$/);
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
