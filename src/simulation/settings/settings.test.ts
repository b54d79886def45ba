import { expect, it } from "vitest";

import { simulateAll } from "../parallel/simulate-all.ts";
import type { GivenSettings } from "../simulate.ts";
import { simulate } from "../simulate.ts";
import { aFarm, aWorkload } from "../workload.fixture.ts";

it.each([
  [{ policy: {} }, "a policy is a name, a heuristic (name, score) or a policy of one's own (name, create)"],
  [{ policy: { name: "x" } }, "a policy is a name, a heuristic"],
  [{ polcy: "easy" }, 'there is no setting "polcy"; did you mean policy'],
  [{ failures: { mtbfSeconds: -1 } }, 'failures are of the kind "drawn"'],
  [
    { failures: { kind: "drawn", mtbfSeconds: -1, mttrSeconds: 1, shape: 1 } },
    "the mean time between failures is -1: it must be more than 0",
  ],
  [{ failures: { kind: "listed" } }, 'failures are of the kind "drawn"'],
  [{ beta: 2, load: 0.5 }, "a load is reached by choosing beta: give one of the two"],
  [{ clock: "ordre" }, 'clock must be "time" or "order", not ordre'],
  [{ eventOrder: "x" }, 'eventOrder must be "instant" or "single", not x'],
  [{ estimates: null }, 'estimates must be "log", "exact", "predicted" or a factor'],
  [{ estimates: 0 }, 'estimates must be "log", "exact", "predicted" or a factor'],
  [{ warmupSeconds: -1 }, "warmupSeconds is -1: it must be 0 or more"],
  [{ seed: 0.5 }, "seed is 0.5: it must be a whole number"],
  [
    { usage: { halfLifeSeconds: 60, of: "cores" } },
    "usage is what fair share goes by: give fairShare with it",
  ],
  [
    { fairShare: [], usage: { halfLifeSeconds: 0, of: "cores" } },
    "the half-life of what was used is 0 s: it must be 1 s or more",
  ],
  [
    { fairShare: [], usage: { halfLifeSeconds: 60, of: "gpus" } },
    "fair share is of cores, memory, dominant, not of gpus",
  ],
  [{ fairShare: [{ path: "/a", share: NaN }] }, "the share of /a is NaN: it must be more than 0"],
  [{ pictures: true }, "pictures are made where jobs are packed"],
  [{ power: { idleWatts: 1, busyWatts: 2 } }, "power is measured where jobs are packed"],
  [
    { packing: { policy: "exclusiv", families: [], ttlSeconds: 1 } },
    "packing must be one of relaxed, exclusive, none, not exclusiv",
  ],
  [
    { packing: { policy: "none", families: [{ field: "shoe", values: ["a"] }], ttlSeconds: 1 } },
    "a family has a field, queue, user, group, project, cores, and values",
  ],
  [{ beta: 1e300 }, "arrival times multiplied by 1e+300 are up to"],
])("a program is told of settings that are wrong: %j", (settings, message) => {
  const run = (): unknown =>
    simulate(aWorkload([{}, { submit: 9 }]), aFarm([{ cores: 1000 }]), {
      policy: "first-fit",
      ...(settings as GivenSettings),
    });
  expect(run).toThrow(message);
});

it("a setting of undefined is one that is not given", () => {
  const missing: object = { packing: undefined, maxJobsList: undefined, failures: undefined };
  const { result } = simulate(aWorkload([{}]), aFarm([{ cores: 1000 }]), {
    policy: "first-fit",
    ...missing,
  });
  expect(result.jobs).toBe(1);
});

it("a program is told of machines that are wrong", () => {
  const machines = aFarm([{ cores: 1000 }, { cores: 1000 }]);
  const on = (columns: object) => (): unknown =>
    simulate(aWorkload([{}]), { ...machines, ...columns }, { policy: "first-fit" });
  expect(on({ coresMilli: Int32Array.of(1000, -5) })).toThrow("must have a thousandth of a core at least");
  expect(on({ memoryMiB: Int32Array.of(1) })).toThrow(
    "memoryMiB of the machines has 1 rows, and there are 2",
  );
});

it("threads are refused what they cannot have, and a listener's error ends the runs", async () => {
  const workload = aWorkload(Array.from({ length: 20_000 }, (_, i) => ({ submit: i, run: 5 })));
  const machines = aFarm([{ cores: 1000 }]);
  const own = { name: "own", summary: "", needsMemory: false, keepsChoice: false, score: () => 0 };
  await expect(simulateAll(workload, machines, [{ policy: own }])).rejects.toThrow(
    "policy own is an object, which cannot be passed to worker threads",
  );
  const many = Array.from({ length: 200 }, () => ({ policy: "conservative" }));
  const onProgress = (): never => {
    throw new Error("stop here");
  };
  await expect(simulateAll(workload, machines, many, { onProgress })).rejects.toThrow("stop here");
});
