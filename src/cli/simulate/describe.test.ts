import { expect, it } from "vitest";

import { defaultSettings, type Estimates } from "../../simulation/index.ts";
import type { Machines } from "../../workload/index.ts";
import { describeSettings } from "./describe.ts";

const machines: Machines = {
  name: "m",
  count: 1,
  ids: ["m1"],
  coresMilli: Int32Array.of(1000),
  memoryMiB: null,
  gpuMilli: null,
};

it.each<[estimates: Estimates, policies: string[], words: string]>([
  ["log", ["easy", "conservative"], "the log's estimates"],
  ["exact", ["easy"], "the true run times"],
  [2, ["easy"], "the true run times × 2"],
  ["predicted", ["easy", "easy++"], "predicted from the user's last two jobs"],
  ["log", ["easy++"], "predicted from the user's last two jobs"],
  ["log", ["first-fit", "easy++"], "predicted from the user's last two jobs"],
  ["log", ["easy", "easy++"], "the log's estimates; easy++: predicted from the user's last two jobs"],
])("says in words what run times are expected: %s under %j", (estimates, policies, words) => {
  const planned = policies.map((policy) => ({
    policy,
    settings: { ...defaultSettings, policy, estimates },
    labels: { policy },
  }));
  const rows = describeSettings({}, planned, machines);
  expect(rows.find(({ name }) => name === "expected run times")?.value).toBe(words);
});

it.each<[policies: string[], intervalSeconds: number | null, words: string]>([
  [["first-fit", "max-jobs"], null, "every 30 s"],
  [["easy", "fcfs"], null, "after every event"],
  [["first-fit", "easy", "easy/mix-fit"], null, "every 30 s; easy, easy/mix-fit: after every event"],
  [["first-fit", "easy"], 0, "after every event"],
  [["first-fit", "easy"], 60, "every 60 s"],
])("says in words when cycles run: %j at %s", (policies, intervalSeconds, words) => {
  const planned = policies.map((policy) => ({
    policy,
    settings: { ...defaultSettings, policy, intervalSeconds },
    labels: { policy },
  }));
  const rows = describeSettings({}, planned, machines);
  expect(rows.filter(({ name }) => /cycles$/i.test(name))).toEqual([
    { name: "scheduling cycles", value: words },
  ]);
});

it("says that cycles run as they ran on the farm, where the log knows it", () => {
  const planned = ["first-fit", "easy"].map((policy) => ({
    policy,
    settings: { ...defaultSettings, policy },
    labels: { policy },
  }));
  const cycles = (intervalSeconds: number): string | undefined =>
    describeSettings({}, planned, machines, { farm: { intervalSeconds } }).find(
      ({ name }) => name === "scheduling cycles",
    )?.value;
  expect(cycles(0)).toBe("after every event, as they ran");
  expect(cycles(10)).toBe("every 10 s, as they ran");
});
