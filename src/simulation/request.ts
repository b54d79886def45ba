import { NONE, type JobRequest, type MachineState } from "../core/index.ts";
import type { Workload } from "../workload/index.ts";

/** A request to be filled in row by row: one object serves all. */
export function emptyRequest(): JobRequest {
  return {
    cores: 0,
    memory: 0,
    gpu: 0,
    tasks: 1,
    project: 0,
    family: 0,
    heuristic: NONE,
    estimateSeconds: 0,
  };
}

/** What a row asks for of the resources that the machines consider. */
export function setRequest(
  request: JobRequest,
  workload: Workload,
  row: number,
  machines: MachineState,
): void {
  const { tasks, memoryMiB, gpuMilli } = workload;
  request.cores = workload.coresMilli[row];
  request.memory = memoryMiB === null || !machines.considersMemory ? 0 : memoryMiB[row];
  request.gpu = gpuMilli === null || !machines.considersGpu ? 0 : gpuMilli[row];
  request.tasks = tasks === null ? 1 : tasks[row];
}
