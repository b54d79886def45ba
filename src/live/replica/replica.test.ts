import { describe, expect, it } from "vitest";

import { anyFarmOf, type FarmRules, type PoolSize } from "../service/farms.fixture.ts";
import { Farm } from "../service/farm.fixture.ts";
import { replicaOf } from "./replica.ts";

const two: readonly PoolSize[] = [
  { name: "one", machines: 2, cores: 4 },
  { name: "two", machines: 1, cores: 2 },
];

const limitOfAnn = {
  of: "user",
  name: "ann",
  runningJobs: 3,
  runningCores: 6,
  waitingJobs: null,
  jobsAtOnce: null,
} as const;

describe("a replica", () => {
  it.each([
    ["first-fit", {}],
    ["easy", { policy: "easy" }],
    ["conservative, and suspensions", { policy: "conservative", victim: "lowest-priority" }],
    ["random moves", { strategy: "ResSusWaitRand", victim: "lowest-priority", waitThresholdSeconds: 20 }],
    ["cycles and licences", { intervalSeconds: 10, licences: { matlab: 2 }, hasQueue: true }],
    ["limits", { policy: "conservative", limits: [limitOfAnn] }],
  ] as [string, FarmRules][])("is as the farm is, again and again: %s", async (_, rules) => {
    const farm = await Farm.of(two, rules);
    const { database } = farm.world;
    const isSame = (): void => {
      const { journal } = farm.world.service;
      expect(replicaOf(database)!.copy().save()).toEqual(journal.port.save());
    };
    isSame();
    for (let job = 1; job <= 30; job++) {
      await farm.submit(5 * job, {
        cores: 1 + (job % 3),
        priority: job % 4 === 0 ? 90 : 50,
        timeSeconds: 10 * job,
        requires: job % 5 === 0 ? `cores >= ${job % 4}` : "",
        licences: rules.licences !== undefined && job % 6 === 0 ? "matlab" : "",
      });
      await farm.pass(job % 7);
      if (job % 4 === 0) isSame();
    }
    await farm.pass(100);
    isSame();
    // Another service on the same data, and one on another farm file.
    await farm.world.start();
    isSame();
    await farm.submit(50);
    isSame();
    farm.world.changeFarm(anyFarmOf([...two, { name: "three", machines: 1, cores: 1 }], rules));
    await farm.world.start();
    await farm.submit(50, { requires: "cores >= 1" });
    await farm.pass(20);
    isSame();
  });
});
