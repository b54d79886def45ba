import type { JobRequest } from "../jobs/jobs.ts";
import type { MachineState } from "../machines/machine-state.ts";

/** Why no machine of a pool could ever hold a job, as data; `ineligibleText` says it to people. */
export type Ineligible =
  | { readonly kind: "cores" | "memory" | "gpu"; readonly asked: number; readonly largest: number }
  | { readonly kind: "together"; readonly cores: number; readonly memory: number; readonly gpu: number }
  | { readonly kind: "tasks"; readonly asked: number; readonly held: number };

/** Null where the machines, when empty, could hold all of the job's tasks at once. */
export function checkEligible(machines: MachineState, request: JobRequest): Ineligible | null {
  const { cores, memory, gpu, tasks } = request;
  let held = 0;
  for (let machine = 0; machine < machines.count; machine++) {
    held += machines.capacityFor(machine, cores, memory, gpu);
    if (held >= tasks) return null;
  }
  if (held > 0) return { kind: "tasks", asked: tasks, held };
  for (const [kind, asked, capacity] of [
    ["cores", cores, machines.capacityCores],
    ["memory", memory, machines.capacityMemory],
    ["gpu", gpu, machines.capacityGpu],
  ] as const) {
    let largest = 0;
    for (const amount of capacity) if (amount > largest) largest = amount;
    if (asked > largest) return { kind, asked, largest };
  }
  return { kind: "together", cores, memory, gpu };
}

export function ineligibleText(reason: Ineligible): string {
  switch (reason.kind) {
    case "cores":
      return `asks for ${reason.asked / 1000} cores on one machine; the largest has ${reason.largest / 1000}`;
    case "memory":
      return `asks for ${reason.asked} MiB on one machine; the largest has ${reason.largest}`;
    case "gpu":
      return `asks for ${reason.asked / 1000} GPUs on one machine; the largest has ${reason.largest / 1000}`;
    case "together":
      return "no machine has the cores, memory and GPUs it asks for together";
    case "tasks":
      return `has ${reason.asked} tasks; the empty pool holds ${reason.held} of that size`;
  }
}
