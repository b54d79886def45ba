import { WHOLE_NODE } from "../fractional/index.ts";
import { InputError, type Machines, type Workload } from "../../workload/index.ts";
import { syntheticNeeds, type NodeNeeds } from "./synthetic-needs.ts";

/**
 * What the jobs need of equal nodes.
 *
 * A log in parts of a node says it. Where a log has memory and so have the
 * machines, a job's like tasks are bundled, as many as a node has the cores and
 * the memory for, so that a job of 16 one-core tasks is 4 tasks on nodes of 4
 * cores. All other logs get the synthetic rule.
 *
 * @throws InputError where the machines are not alike
 */
export function nodeNeeds(workload: Workload, machines: Machines): NodeNeeds {
  const { count, nodeCpu, nodeMemory, memoryMiB, coresMilli } = workload;
  const tasksOf = workload.tasks ?? new Int32Array(count).fill(1);
  const percent = (part: number): number => Math.min(WHOLE_NODE, Math.max(1, Math.round(WHOLE_NODE * part)));
  checkAlike(machines);
  if (nodeCpu !== undefined && nodeMemory !== undefined) {
    return {
      source: "log",
      tasks: tasksOf,
      cpu: Int32Array.from(nodeCpu, percent),
      memory: Int32Array.from(nodeMemory, percent),
    };
  }
  const tasks = new Int32Array(count);
  const cpu = new Int32Array(count);
  const memory = new Int32Array(count);
  const nodeCores = machines.coresMilli[0];
  const nodeMiB = machines.memoryMiB?.[0] ?? 0;
  const hasMemory = memoryMiB !== null && nodeMiB > 0;
  for (let row = 0; row < count; row++) {
    const taskCores = Math.min(nodeCores, coresMilli[row]);
    const taskMiB = hasMemory ? Math.min(nodeMiB, memoryMiB[row]) : 0;
    const byMemory = taskMiB === 0 ? Infinity : Math.floor(nodeMiB / taskMiB);
    const bundled = Math.max(1, Math.min(tasksOf[row], Math.floor(nodeCores / taskCores), byMemory));
    tasks[row] = Math.ceil(tasksOf[row] / bundled);
    cpu[row] = percent((bundled * taskCores) / nodeCores);
    memory[row] = hasMemory ? percent((bundled * taskMiB) / nodeMiB) : 0;
  }
  return hasMemory ? { source: "log", tasks, cpu, memory } : syntheticNeeds(tasks);
}

function checkAlike({ name, coresMilli, memoryMiB }: Machines): void {
  const isAlike = (column: Int32Array | null): boolean => column?.every((each) => each === column[0]) ?? true;
  if (isAlike(coresMilli) && isAlike(memoryMiB)) return;
  throw new InputError(
    `machines ${name} are not all alike: nodes that are shared in parts must be, as in 128x4c8g`,
  );
}
