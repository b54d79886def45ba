import { describe, expect, it } from "vitest";

import type { Workload } from "../../workload/index.ts";
import { workloadOf } from "../../workload/workload-of.ts";
import type { SimulateFlags } from "./flags.ts";
import { optionRemarks } from "./options-of-policies.ts";

const log = workloadOf({
  submitSeconds: Float64Array.of(0),
  runtimeSeconds: Float64Array.of(1),
  coresMilli: Int32Array.of(1000),
});
const inPartsOfNodes: Workload = {
  ...log,
  nodeCpu: Float64Array.of(1),
  nodeMemory: Float64Array.of(0.5),
};

/** Options of pools' cycles, each with a value. */
const ofPools: readonly SimulateFlags[] = [
  { interval: 0 },
  { estimates: "exact" },
  { maxJobs: ["mix-fit"] },
  { reservations: 0 },
  { examine: 1 },
  { fairShare: true },
  { shares: "shares.csv" },
];
const ofParts: readonly SimulateFlags[] = [{ penalty: 0 }, { period: 600 }, { mvt: 0 }, { nodeMemory: 8 }];
const optionOf = (flags: SimulateFlags): string =>
  `--${Object.keys(flags)[0].replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

describe("options that not all policies take notice of", () => {
  it.each([
    ...ofPools.map((flags) => [optionOf(flags), flags, "Greedy *", "mix-fit"] as const),
    ...ofParts.map((flags) => [optionOf(flags), flags, "mix-fit", "Greedy *"] as const),
  ])("%s", (option, flags, without, having) => {
    expect(optionRemarks(flags, [having], log)).toEqual([]);
    for (const policies of [[without], [having, without]]) {
      const [remark, ...more] = optionRemarks(flags, policies, log);
      expect(more).toEqual([]);
      expect(remark).toMatch(/^--[\w-]+ has no effect on [^,:]+: [^;]+$/);
      expect(remark.startsWith(`${option} has no effect on ${without}: `)).toBe(true);
    }
  });

  it("tells several options of a kind in one line", () => {
    expect(optionRemarks({ penalty: 1, mvt: 2, interval: 3 }, ["easy", "MCB *", "fcfs"], log)).toEqual([
      "--interval has no effect on MCB *: policies that share nodes in parts decide after events and at periods, not in cycles over a queue",
      "--penalty, --mvt have no effect on easy, fcfs: policies of a pool neither pause nor move jobs",
    ]);
  });

  it("knows who takes whole nodes, and has cycles but knows the run times", () => {
    expect(optionRemarks({ interval: 3 }, ["whole-node/easy", "easy"], inPartsOfNodes)).toEqual([]);
    const estimates: SimulateFlags = { estimates: 2 };
    expect(optionRemarks(estimates, ["easy"], log)).toEqual([]);
    expect(optionRemarks(estimates, ["easy"], inPartsOfNodes)).toHaveLength(1);
    expect(optionRemarks(estimates, ["easy", "whole-node/easy"], log)).toHaveLength(1);
  });

  it("says what a preset still does", () => {
    expect(optionRemarks({ preset: "simba" }, ["mix-fit"], log)).toEqual([]);
    for (const policies of [["/per"], ["mix-fit", "/per"]])
      expect(optionRemarks({ preset: "simba" }, policies, log)).toEqual([
        "--preset simba has no effect on /per beyond how files are read: policies that share nodes in parts decide after events and at periods, not in cycles over a queue",
      ]);
  });
});
