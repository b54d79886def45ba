import { counted, formatCount, formatMemory } from "../../report/index.ts";
import type { Machines, Workload } from "../../workload/index.ts";

/** No machine of today has less memory than this: its memory is in another unit than it was read in. */
const SMALL_MACHINE_MIB = 256;

/** Jobs ask for this many times the largest machine: their memory is in another unit than it was read in. */
const FAR_TOO_LARGE = 100;

/**
 * The most likely reason why machines are too small for many jobs, and the option that corrects it; undefined if no
 * job is too large.
 *
 * @param areInferred whether the machines are those that the log shows
 */
export function rejectionAdvice(
  workload: Workload,
  machines: Machines,
  areInferred = false,
): string | undefined {
  const { count, coresMilli, memoryMiB, tasks, nodes } = workload;
  const largestCores = largest(machines.coresMilli);
  const largestMemory = machines.memoryMiB === null ? Infinity : largest(machines.memoryMiB);
  const memoryAsks: number[] = [];
  let wide = 0;
  for (let row = 0; row < count; row++) {
    if (memoryMiB !== null && memoryMiB[row]! > largestMemory) memoryAsks.push(memoryMiB[row]!);
    if (coresMilli[row]! > largestCores) wide++;
  }
  const cores = machines.coresMilli.reduce((sum, each) => sum + each, 0);
  let larger = 0;
  let withoutPlace = 0;
  for (let row = 0; row < count; row++) {
    const isLarger = coresMilli[row]! * (tasks === null ? 1 : tasks[row]!) > cores;
    if (isLarger) larger++;
    const isTooLarge = isLarger || coresMilli[row]! > largestCores || (memoryMiB?.[row] ?? 0) > largestMemory;
    if (isTooLarge && (nodes === undefined || nodes.names[nodes.codes[row]!] === "")) withoutPlace++;
  }
  if (areInferred && withoutPlace > 0)
    return "the machines are those that the log shows, and these jobs, which do not say where they ran, had others: list all machines with --machines";
  if (memoryAsks.length > wide) {
    const median = memoryAsks.sort((a, b) => a - b)[memoryAsks.length >> 1]!;
    const asked = `${counted(memoryAsks.length, "job asks", "jobs ask")} for more memory than the largest machine has (${formatMemory(largestMemory)}; they ask for ${formatMemory(median)} in the middle)`;
    if (largestMemory < SMALL_MACHINE_MIB)
      return `${asked}: the machines' memory is most likely in GiB, which --machine-memory-unit GiB says, or 64x8c32g of a shorthand`;
    if (median > FAR_TOO_LARGE * largestMemory)
      return `${asked}: the log's memory is most likely in a smaller unit than it was read in, which --memory-unit KiB or B says`;
    return `${asked}: their memory may be the whole job's, which --memory-scope per-job says, or the machines are not the log's`;
  }
  if (wide > 0)
    return `${counted(wide, "job asks", "jobs ask")} for more cores on one machine than the largest has (${largestCores / 1000}): --job-shape tasks makes a job of many processors one of as many one-core tasks`;
  return larger > 0
    ? `${counted(larger, "job asks", "jobs ask")} for more cores than all machines together have (${formatCount(cores / 1000)}): --machines names fewer than the log's jobs ran on`
    : undefined;
}

function largest(amounts: Int32Array): number {
  return amounts.reduce((most, amount) => Math.max(most, amount), 0);
}
