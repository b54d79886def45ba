import type { Port } from "../../core/index.ts";

/**
 * Those of these pools that have a machine which could hold a task of a job, were it empty and taking jobs. A single one
 * is where the job has to wait, whatever machines it has.
 */
export function ablePools(
  { jobs, pools }: Port["view"],
  handle: number,
  among: readonly number[],
): readonly number[] {
  if (among.length === 1) return among;
  const { cores, memory, gpu } = jobs.requestOf(handle);
  return among.filter((number) => {
    const pool = pools[number]!;
    const { machines } = pool;
    for (let machine = 0; machine < machines.count; machine++)
      if (machines.couldHold(machine, cores, memory, gpu) && pool.meets(handle, machine)) return true;
    return false;
  });
}
