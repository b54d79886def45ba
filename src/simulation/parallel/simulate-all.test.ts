import { describe, expect, it } from "vitest";

import { InputError, readMachines, type Workload } from "../../workload/index.ts";
import { workloadOf } from "../../workload/workload-of.ts";
import type { RunResult } from "../result.ts";
import { simulate } from "../simulate.ts";
import type { GivenSettings } from "../simulate.ts";
import { simulateAll } from "./simulate-all.ts";

const jobs = 500;
const column = (value: (row: number) => number): Float64Array =>
  Float64Array.from({ length: jobs }, (_, row) => value(row));

/** Half of the jobs want two machines at a time; nothing lies on shared memory. */
const workload: Workload = workloadOf({
  name: "test",
  synthetic: true,
  submitSeconds: column((row) => row * 20),
  runtimeSeconds: column((row) => (row * 97) % 400),
  coresMilli: Int32Array.from(column((row) => 1000 + 1000 * (row % 3))),
  memoryMiB: Int32Array.from(column((row) => 512 * ((row % 7) + 1))),
  tasks: Int32Array.from(column((row) => 1 + (row % 2))),
});
const machines = await readMachines("4x4c8g");
const settings: GivenSettings[] = [
  { policy: "max-jobs", load: 1.1 },
  { policy: "first-fit", beta: 0.5 },
  { policy: "mix-fit" },
];

const untimed = ({ simulationSeconds: _s, simulatedJobsPerSecond: _r, ...figures }: RunResult): unknown =>
  figures;

describe("simulateAll", () => {
  it.for([1, 2, 8])("finds what simulate finds, in the order asked, with %d threads", async (threads) => {
    const results = await simulateAll(workload, machines, settings, { threads });
    const expected = settings.map((each) => simulate(workload, machines, each).result);
    expect(results.map(untimed)).toEqual(expected.map(untimed));
  });

  it("hands over the schedules in the order asked, one at a time", async () => {
    const told: number[] = [];
    let isBusy = false;
    await simulateAll(workload, machines, settings, {
      threads: 3,
      onSchedule: async (schedule, run) => {
        expect(isBusy).toBe(false);
        isBusy = true;
        const { schedule: expected } = simulate(workload, machines, settings[run], { keepMachines: true });
        await Promise.resolve();
        expect(schedule.submitSeconds).toEqual(expected.submitSeconds);
        expect(schedule.startSeconds).toEqual(expected.startSeconds);
        for (let row = 0; row < jobs; row++) {
          expect(schedule.machines?.of(row)).toEqual(expected.machines?.of(row));
        }
        told.push(run);
        isBusy = false;
      },
    });
    expect(told).toEqual([0, 1, 2]);
  });

  it("hands over each result as its run ends, and makes no further run where that fails", async () => {
    const told = new Map<number, RunResult>();
    const results = await simulateAll(workload, machines, settings, {
      threads: 2,
      onResult: (result, run) => void told.set(run, result),
    });
    expect([0, 1, 2].map((run) => told.get(run))).toEqual(results);
    const full = new Error("the disk is full");
    const made: number[] = [];
    const onResult = (_: RunResult, run: number): Promise<void> => {
      made.push(run);
      return Promise.reject(full);
    };
    await expect(simulateAll(workload, machines, settings, { threads: 1, onResult })).rejects.toBe(full);
    expect(made).toEqual([0]);
  });

  it("passes on what is wrong with the settings", async () => {
    const runs = simulateAll({ ...workload, memoryMiB: null }, machines, settings);
    await expect(runs).rejects.toThrow(InputError);
    await expect(runs).rejects.toThrow(/^policy (mix-fit|max-jobs) decides by memory/);
  });

  it("refuses a policy before it makes a run of those before it", async () => {
    const made: number[] = [];
    const runs = simulateAll(
      { ...workload, memoryMiB: null },
      machines,
      [{ policy: "first-fit" }, { policy: "mix-fit" }],
      { threads: 1, onSchedule: (_, run) => void made.push(run) },
    );
    await expect(runs).rejects.toThrow(/^policy mix-fit decides by memory/);
    expect(made).toEqual([]);
  });

  it("names the policy of a run that crashed", async () => {
    const broken = {
      policy: "first-fit",
      failures: { kind: "listed", outages: [null] },
    } as unknown as GivenSettings;
    await expect(simulateAll(workload, machines, [broken])).rejects.toThrow(
      /^the run of policy first-fit crashed: /,
    );
  });

  it("fails with whoever takes the schedules", async () => {
    const full = new Error("the disk is full");
    const onSchedule = (): Promise<void> => Promise.reject(full);
    await expect(simulateAll(workload, machines, settings, { onSchedule })).rejects.toBe(full);
  });

  it("ends when told to", async () => {
    const abort = new AbortController();
    const runs = simulateAll(workload, machines, settings, {
      signal: abort.signal,
      // Would never end by itself.
      onSchedule: () => {
        abort.abort();
        return new Promise(() => {});
      },
    });
    await expect(runs).rejects.toThrow("aborted");
    await expect(simulateAll(workload, machines, settings, { signal: abort.signal })).rejects.toThrow(
      "aborted",
    );
  });

  it("makes no run where none is asked for", async () => {
    expect(await simulateAll(workload, machines, [])).toEqual([]);
  });
});
