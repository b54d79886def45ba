import type { Workload } from "../workload.ts";
import { Places } from "./inferred.ts";

/** The machines that jobs ran on. */
export interface MachinesUsed {
  readonly used: number;
  /** The machine on which most jobs ran, and their part of those that say where they ran. */
  readonly busiest: { readonly name: string; readonly jobsShare: number };
}

/** The part of the jobs that do not say where they ran. */
export function placelessShare({ nodes, count }: Workload): number {
  if (nodes === undefined) return 1;
  const places = new Places(nodes.names);
  const placeless = nodes.codes.reduce((sum, code) => sum + (places.of(code) === null ? 1 : 0), 0);
  return count === 0 ? 0 : placeless / count;
}

/**
 * Null where the log does not say where its jobs ran.
 *
 * @param isCounted the rows to look at; all unless given
 */
export function machinesUsed(
  { nodes, count }: Workload,
  isCounted: (row: number) => boolean = () => true,
): MachinesUsed | null {
  if (nodes === undefined) return null;
  const places = new Places(nodes.names);
  const jobs: number[] = [];
  let placed = 0;
  for (let row = 0; row < count; row++) {
    const place = isCounted(row) ? places.of(nodes.codes[row]!) : null;
    if (place === null) continue;
    placed++;
    for (const machine of place.machines) jobs[machine] = (jobs[machine] ?? 0) + 1;
  }
  if (placed === 0) return null;
  const most = jobs.reduce((best, each, machine) => (each > jobs[best]! ? machine : best), 0);
  return { used: jobs.length, busiest: { name: places.names[most]!, jobsShare: jobs[most]! / placed } };
}
