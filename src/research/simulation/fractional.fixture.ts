import { readMachines, type Workload } from "../../workload/index.ts";
import { workloadOf } from "../../workload/workload-of.ts";
import type { RunResult } from "../../simulation/result.ts";
import type { SimulationSettings } from "../../simulation/settings/settings.ts";
import { simulate } from "../../simulation/simulate.ts";
import { register } from "../register.ts";

register();

/** `[submit, tasks, cpu, memory, run time]`, CPU and memory as parts of a node. */
export type Job = readonly [submit: number, tasks: number, cpu: number, memory: number, runtime: number];

function workloadOfJobs(jobs: readonly Job[]): Workload {
  const column = (at: number): Float64Array => Float64Array.from(jobs, (job) => job[at]);
  return workloadOf({
    submitSeconds: column(0),
    runtimeSeconds: column(4),
    coresMilli: Int32Array.from(jobs, ([, , cpu]) => Math.ceil(1000 * cpu)),
    tasks: Int32Array.from(column(1)),
    nodeCpu: column(2),
    nodeMemory: column(3),
  });
}

export interface Outcome {
  readonly starts: number[];
  readonly ends: number[];
  readonly result: RunResult;
}

/** Runs a policy over a few jobs on so many nodes. */
export async function run(
  nodes: number,
  policy: string,
  jobs: readonly Job[],
  settings: Partial<SimulationSettings> = {},
): Promise<Outcome> {
  const workload = workloadOfJobs(jobs);
  const { schedule, result } = simulate(workload, await readMachines(`${nodes}x4c`), { ...settings, policy });
  const starts = [...schedule.startSeconds];
  const ends =
    schedule.endSeconds ?? schedule.startSeconds.map((start, row) => start + workload.runtimeSeconds[row]);
  return { starts, ends: [...ends], result };
}
