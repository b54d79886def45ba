import { writeFileAtomically } from "../atomic-file.ts";
import { InputError } from "../errors.ts";
import type { Workload } from "../workload.ts";
import { textChunks } from "./text.ts";
import { jobNumberOf } from "../rows.ts";

/**
 * Writes lines of `id submit tasks cpu mem runtime`, with CPU and memory as parts of a node.
 *
 * @throws {InputError} if the workload counts cores and MiB, or the path cannot be written to
 */
export async function writeTasks(workload: Workload, path: string): Promise<void> {
  const { nodeCpu, nodeMemory, tasks, submitSeconds, runtimeSeconds } = workload;
  if (nodeCpu === undefined || nodeMemory === undefined) {
    throw new InputError(
      `workload ${workload.name} does not say what part of a node its tasks need; the tasks format has nothing else`,
      { file: path },
    );
  }
  const line = (row: number): string =>
    [
      jobNumberOf(workload, row),
      submitSeconds[row],
      tasks === null ? 1 : tasks[row],
      nodeCpu[row],
      nodeMemory[row],
      runtimeSeconds[row],
    ].join(" ");
  const header = workload.synthetic ? "; synthetic: made by a generator, not recorded on a machine\n" : "";
  await writeFileAtomically(path, textChunks(header, workload.count, line));
}

/** The parts of the workload that the format has no place for. */
export function tasksLosses(workload: Workload): string[] {
  const { estimateSeconds, project, user, queue, policy, priority, recordedWaitSeconds, gpuMilli } = workload;
  const lost: [unknown, string][] = [
    [estimateSeconds, "estimates"],
    [recordedWaitSeconds, "waits"],
    [project, "projects"],
    [user, "users"],
    [queue, "queues"],
    [policy, "policies"],
    [priority, "priorities"],
    [gpuMilli, "GPUs"],
    [workload.state ?? null, "states"],
    [workload.nodes ?? null, "the nodes that jobs ran on"],
    [workload.farm?.policy ?? null, "the policy that ran"],
  ];
  const names = lost.filter(([column]) => column !== null).map(([, name]) => name);
  return names.length === 0 ? [] : [`left out: ${names.join(", ")}`];
}
