import { describe, expect, it } from "vitest";

import {
  simulate,
  simulateAll,
  type RunResult,
  type GivenSettings,
  type Schedule,
} from "../../src/simulation/index.ts";
import { aFarm, aWorkload } from "../../src/simulation/workload.fixture.ts";
import { generators } from "../../src/workload/index.ts";

const workload = aWorkload(
  Array.from({ length: 400 }, (_, i) => ({
    submit: i * 7,
    run: 1 + ((i * 7919) % 600),
    cores: 1000 * (1 + ((i * 13) % 4)),
    memory: 512 * ((i * 31) % 16),
    tasks: 1 + (i % 3 === 0 ? i % 5 : 0),
    estimate: 1 + ((i * 104_729) % 900),
    project: `/${"ab"[i % 2]}/${i % 3}`,
    policy: i % 11 === 0 ? "worse-fit-memory" : "",
  })),
);
const farm = aFarm(Array.from({ length: 9 }, (_, i) => ({ cores: 8000 + 4000 * (i % 2), memory: 16_384 })));
const settings: readonly GivenSettings[] = [
  { policy: "mix-fit" },
  { policy: "max-jobs", load: 1.1 },
  { policy: "easy/best-fit-memory", beta: 0.5 },
  { policy: "worse-fit-cores", fairShare: [{ path: "/a", share: 2 }], intervalSeconds: 10 },
  { policy: "conservative", estimates: 2 },
];

const timeless = (result: RunResult): unknown => ({
  ...result,
  simulationSeconds: 0,
  simulatedJobsPerSecond: 0,
});
const plain = ({ submitSeconds, startSeconds, machines }: Schedule): unknown => ({
  submit: Buffer.from(Float64Array.from(submitSeconds).buffer).toString("base64"),
  start: Buffer.from(Float64Array.from(startSeconds).buffer).toString("base64"),
  machines: machines === null ? null : Array.from(startSeconds, (_, row) => machines.of(row)),
});

describe("runs side by side in worker threads", () => {
  it.each([1, 2, 8])("give what runs in this thread give, in order, on %d threads", async (threads) => {
    const schedules: unknown[] = [];
    const results = await simulateAll(workload, farm, settings, {
      threads,
      onSchedule: (schedule, run) => {
        expect(run).toBe(schedules.length);
        schedules.push(plain(schedule));
      },
    });
    const here = settings.map((each) => simulate(workload, farm, each, { keepMachines: true }));
    expect(results.map(timeless)).toEqual(here.map(({ result }) => timeless(result)));
    expect(schedules).toEqual(here.map(({ schedule }) => plain(schedule)));
  });

  it("leave a workload on shared memory where it is", async () => {
    const [generator] = generators;
    const shared = generator.generate({ jobs: 500, seed: 1 });
    const [result] = await simulateAll(shared, generator.machines(), [{ policy: "best-fit-memory" }]);
    expect(timeless(result)).toEqual(
      timeless(simulate(shared, generator.machines(), { policy: "best-fit-memory" }).result),
    );
    expect(shared.submitSeconds.buffer).toBeInstanceOf(SharedArrayBuffer);
  });
});
