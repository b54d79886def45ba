import { describe, expect, it } from "vitest";

import { presets, simulate, type GivenSettings, type Schedule } from "../../src/simulation/index.ts";
import { readMachines, readWorkload, type Workload } from "../../src/workload/index.ts";
import { traceLines, tracesAreMissing, whereTraces } from "./traces.fixture.ts";

const pyss = presets.find(({ name }) => name === "pyss")!;

/** File, processors, how the schedule was made, its published mean wait in seconds. */
const published: readonly (readonly [string, number, GivenSettings, number])[] = [
  ["KTH-SP2-easy", 100, { policy: "easy" }, 6836.872],
  ["KTH-SP2-easyclair", 100, { policy: "easy", estimates: "exact" }, 6327.682],
  ["KTH-SP2-sjbfclair", 100, { policy: "easy-sjbf", estimates: "exact" }, 5436.021],
  ["KTH-SP2-easypp", 100, { policy: "easy++" }, 6235.854],
  ["SDSC-SP2-easy", 128, { policy: "easy" }, 20_497.761],
  ["SDSC-SP2-easyclair", 128, { policy: "easy", estimates: "exact" }, 17_337.106],
  ["SDSC-SP2-sjbfclair", 128, { policy: "easy-sjbf", estimates: "exact" }, 16_307.078],
  ["SDSC-SP2-easypp", 128, { policy: "easy++" }, 25_505.534],
];

describe.skipIf(tracesAreMissing)(`the EASY schedules of Gaussier et al., SC'15 ${whereTraces}`, () => {
  it.each(published)("%s: every start time is equal", async (log, processors, settings, waitMeanSeconds) => {
    const { workload, startSeconds } = await readSchedule(log);
    const machines = await readMachines(`1x${processors}c`);
    const { schedule, result } = simulate(workload, machines, { ...pyss.settings, ...settings });
    expect(differences(schedule, startSeconds)).toEqual([]);
    expect(result.started).toBe(workload.count);
    expect(result.waitMeanSeconds).toBeCloseTo(waitMeanSeconds, 2);
  });

  it("KTH-SP2 with user estimates has the published bounded slowdown", async () => {
    const { workload } = await readSchedule("KTH-SP2-easy");
    const { result } = simulate(workload, await readMachines("1x100c"), {
      ...pyss.settings,
      policy: "easy",
    });
    expect(result.boundedSlowdownMean).toBeCloseTo(92.5765, 3);
  });

  it.each([
    ["KTH-SP2-easy", 100, 98.4],
    ["SDSC-SP2-easy", 128, 95.6],
  ] as const)(
    "%s on %d processors, all events of an instant before its pass: %d of 100 are equal",
    async (log, processors, percent) => {
      const { workload, startSeconds } = await readSchedule(log);
      const { schedule } = simulate(workload, await readMachines(`1x${processors}c`), { policy: "easy" });
      const equal = workload.count - differences(schedule, startSeconds).length;
      expect((100 * equal) / workload.count).toBeCloseTo(percent, 1);
    },
  );
});

/** The rows that start at another time. */
function differences(schedule: Schedule, startSeconds: readonly number[]): number[] {
  return startSeconds.flatMap((start, row) => (schedule.startSeconds[row] === start ? [] : [row]));
}

/**
 * A schedule's input, and the start times it was published with. Its lines are in
 * order of completion: the order of the original log is that of the job numbers.
 */
async function readSchedule(log: string): Promise<{ workload: Workload; startSeconds: number[] }> {
  const lines = traceLines(`oracle/${log}-res.swf.gz`);
  const jobs = lines
    .filter((line) => !line.startsWith(";"))
    .map((line) => line.trim().split(/\s+/).map(Number))
    .sort((a, b) => a[0] - b[0]);
  const text = [
    ...lines.filter((line) => line.startsWith(";")),
    ...jobs.map((fields) => fields.join(" ")),
  ].join("\n");
  const workload = await readWorkload(
    { name: `${log}.swf`, bytes: new TextEncoder().encode(text) },
    pyss.workload,
  );
  const startOf = new Map(jobs.map(([job, submit, wait]) => [job, submit + wait]));
  return { workload, startSeconds: Array.from(workload.jobNumber!, (job) => startOf.get(job)!) };
}
