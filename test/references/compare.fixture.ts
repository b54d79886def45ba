import { InputError, simulate, workloadOf, type Machines, type Workload } from "../../src/index.ts";
import type { Farm, Run } from "./farm.fixture.ts";
import { heuristics } from "./place.fixture.ts";
import { replay, type MakeReference } from "./replay.fixture.ts";

/** What a comparison is about: when a job starts, and on which machines, in the pool's order and each once. */
export interface Started {
  readonly start: number;
  readonly machines: readonly number[];
}

export function workloadFrom({ hasMemory, jobs, machines }: Farm): Workload {
  const whole = (value: (job: Farm["jobs"][number]) => number) => Int32Array.from(jobs, value);
  return workloadOf({
    name: "any farm",
    submitSeconds: Float64Array.from(jobs, ({ submit }) => submit),
    runtimeSeconds: Float64Array.from(jobs, ({ runtime }) => runtime),
    estimateSeconds: Float64Array.from(jobs, ({ estimate }) => estimate),
    coresMilli: whole(({ task }) => 1000 * task.cores),
    memoryMiB: hasMemory ? whole(({ task }) => task.memory) : null,
    gpuMilli: machines.some(({ gpus }) => gpus > 0) ? whole(({ task }) => 1000 * task.gpus) : null,
    tasks: whole(({ tasks }) => tasks),
  });
}

export function machinesFrom({ hasMemory, machines }: Farm): Machines {
  return {
    name: "any machines",
    count: machines.length,
    ids: machines.map((_, machine) => `m${machine + 1}`),
    coresMilli: Int32Array.from(machines, ({ cores }) => 1000 * cores),
    memoryMiB: hasMemory ? Int32Array.from(machines, ({ memory }) => memory) : null,
    gpuMilli: machines.some(({ gpus }) => gpus > 0)
      ? Int32Array.from(machines, ({ gpus }) => 1000 * gpus)
      : null,
  };
}

/** A pass after every instant at which something happens, and no reservations in the pool's own cycle. */
export const settings = { intervalSeconds: 0, reserving: 0 };

const eachOnce = (machines: Iterable<number>): number[] => [...new Set(machines)].sort((a, b) => a - b);

/** What the product makes of a farm, in the jobs' order. */
export function productStarts(farm: Farm, policy: string): Started[] {
  const { schedule } = simulate(
    workloadFrom(farm),
    machinesFrom(farm),
    { ...settings, policy },
    { keepMachines: true },
  );
  return farm.jobs.map((_, row) => ({
    start: schedule.startSeconds[row],
    machines: eachOnce(schedule.machines!.of(row)),
  }));
}

/** Whether the product knows a policy by its name. */
export function productHas(policy: string): boolean {
  try {
    productStarts({ machines: [{ cores: 1, memory: 1, gpus: 0 }], hasMemory: true, jobs: [] }, policy);
    return true;
  } catch (error) {
    if (error instanceof InputError && error.message.startsWith("unknown policy")) return false;
    throw error;
  }
}

/** What a reference makes of a farm, in the jobs' order. */
export function referenceStarts(farm: Farm, reference: MakeReference): Started[] {
  return inOrderOfJobs(replay(farm, reference)).map(({ start, machines }) => ({
    start,
    machines: eachOnce(machines),
  }));
}

export const inOrderOfJobs = (runs: readonly Run[]): Run[] =>
  runs.toSorted((a, b) => a.job.number - b.job.number);

/** The first difference of two schedules, in words; null if there is none. */
export function difference(one: readonly Started[], other: readonly Started[]): string | null {
  for (const [row, { start, machines }] of one.entries()) {
    const { start: otherStart, machines: otherMachines } = other[row];
    if (start === otherStart && machines.join() === otherMachines.join()) continue;
    const text = (at: number, on: readonly number[]) =>
      `at ${at} on ${on.map((machine) => `m${machine + 1}`).join(" ")}`;
    return `job ${row + 1}: ${text(start, machines)}, and ${text(otherStart, otherMachines)}`;
  }
  return null;
}

/** The heuristics that a farm can have: those by memory need machines that tell it. */
export const heuristicsFor = ({ hasMemory }: Farm): string[] =>
  Object.keys(heuristics).filter((name) => hasMemory || !name.includes("memory"));
