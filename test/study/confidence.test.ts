import { describe, expect, it } from "vitest";

import { confidenceSettings, studyConfidence } from "../../src/research/study/index.ts";
import { simulate } from "../../src/simulation/index.ts";
import type { ConfidenceSetting } from "../../src/research/study/index.ts";
import { Random } from "../../src/workload/index.ts";
import { workloadOf } from "../../src/workload/workload-of.ts";

/** Two weeks of one machine whose jobs come at random, which takes no time to simulate. */
const short: ConfidenceSetting = {
  name: "short",
  summary: "",
  log: (seed) => {
    const source = new Random(seed);
    const random = (): number => source.unit();
    const jobs = 250;
    const times = Float64Array.from({ length: jobs }, () => Math.floor(random() * 14 * 86_400)).sort();
    const runtimes = Float64Array.from({ length: jobs }, () => Math.ceil(-7000 * Math.log(1 - random())));
    const machine = { name: "1x4c", count: 1, ids: ["m1"], coresMilli: Int32Array.of(4000) };
    return {
      workload: workloadOf({
        submitSeconds: times,
        runtimeSeconds: runtimes,
        coresMilli: Int32Array.from({ length: jobs }, () => 1000 * (1 + Math.floor(3 * random()))),
      }),
      machines: { ...machine, memoryMiB: null, gpuMilli: null },
    };
  },
  equal: (number) => {
    const setting = confidenceSettings.find(({ name }) => name.startsWith("lublin"))!;
    return setting.equal(number);
  },
  other: {
    name: "fcfs",
    run: (log, machines) => simulate(log, machines, { policy: "fcfs" }).result,
  },
};

describe("how often the verdict's intervals hold what they promise", () => {
  it("equal policies are seldom called different, and those that differ are found", () => {
    const row = studyConfidence(short, { logs: 30, seed: 1, draws: 8, equals: 3 });
    expect(row).toMatchObject({ setting: "short", logs: 30 });
    expect(row.change).toBeGreaterThan(0.1);
    for (const each of [row.byDays, row.byResampling!, row.asVerdict!]) {
      // Of three equal policies and another: three pairs of both kinds on each log.
      expect(each.compared).toBe(6 * each.logs);
      // Nominal 5 %: of 30 logs 4 and more alarms have a probability below 6 %.
      expect(each.falseAlarms).toBeLessThanOrEqual(3 / 30);
      expect(each.coveredOfEqual).toBeGreaterThanOrEqual(0.9);
    }
    expect(row.byDays.falseLosers).toBeLessThanOrEqual(3 / 30);
    expect(row.byDays.judged).toBeGreaterThan(30);
    expect(row.byResampling!.found).toBeGreaterThan(row.byDays.found);
    // There are users enough: the verdict goes by drawn logs.
    expect(row.asVerdict).toEqual(row.byResampling);
  });

  it("draws no log where nearly all work is of two days", () => {
    const log: ConfidenceSetting["log"] = (seed) => {
      const { workload, machines } = short.log(seed);
      const isLong = (row: number): boolean => Math.floor(workload.submitSeconds[row] / 86_400) % 7 === 0;
      const runtimeSeconds = workload.runtimeSeconds.map((seconds, row) => (isLong(row) ? seconds : 1));
      return { workload: { ...workload, runtimeSeconds }, machines };
    };
    const row = studyConfidence({ ...short, log }, { logs: 5, seed: 1, draws: 3, equals: 2 });
    expect([row.byResampling, row.asVerdict]).toEqual([null, null]);
  });

  it("takes several logs, and policies that are the same", () => {
    const usual = { logs: 5, seed: 1, draws: 0, equals: 2 };
    expect(() => studyConfidence(short, { ...usual, logs: 4 })).toThrow("at least 5 logs");
    expect(() => studyConfidence(short, { ...usual, equals: 1 })).toThrow("at least two equal policies");
    expect(studyConfidence(short, usual).byResampling).toBeNull();
  });

  it("makes the same logs from the same seeds", () => {
    const setting = confidenceSettings[0];
    expect(setting.log(3).workload.submitSeconds).toEqual(setting.log(3).workload.submitSeconds);
  });
});
