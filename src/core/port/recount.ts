import { STATES, RUNNING, STARTING } from "../jobs/job-states.ts";
import { NONE } from "../none.ts";
import type { PoolView, View } from "./view.ts";

/**
 * Counts again what an engine counts along: jobs by state and pool, and what those that run take of each machine. Takes a
 * step for each job, and for each machine.
 *
 * @returns where the engine is wrong, for people; null: nowhere. One that is wrong starts jobs where there is no room
 */
export function wrongCount({ jobs, pools }: View): string | null {
  const counted = new Int32Array((pools.length + 1) * STATES);
  const running = pools.map((): number[] => []);
  for (const job of jobs) {
    const state = jobs.stateOf(job);
    const pool = jobs.poolOf(job);
    counted[(pool + 1) * STATES + state]++;
    if (state === RUNNING || state === STARTING) running[pool].push(job);
  }
  for (let pool = NONE; pool < pools.length; pool++)
    for (let state = 0; state < STATES; state++) {
      const is = jobs.count(pool, state);
      const should = counted[(pool + 1) * STATES + state];
      if (is !== should)
        return `it counts ${is} jobs in state ${state} of pool ${pool}, and there are ${should}`;
    }
  for (const pool of pools) {
    const wrong = wrongMachine(pool, running[pool.number], jobs);
    if (wrong !== null) return `of pool ${pool.number}, ${wrong}`;
  }
  return null;
}

/** A machine of which more is free than it has, or than those that run there leave. */
function wrongMachine(pool: PoolView, running: readonly number[], jobs: View["jobs"]): string | null {
  const { machines, places } = pool;
  const { count, capacityCores, capacityMemory, capacityGpu, freeCores, freeMemory, freeGpu } = machines;
  const amounts = [
    { name: "milli-cores", capacity: capacityCores, free: freeCores, of: "cores" },
    { name: "MiB", capacity: capacityMemory, free: freeMemory, of: "memory" },
    { name: "milli-GPUs", capacity: capacityGpu, free: freeGpu, of: "gpu" },
  ] as const;
  for (const { name, capacity, free, of } of amounts) {
    const left = Float64Array.from(capacity.subarray(0, count));
    for (const job of running) {
      const each = jobs.requestOf(job)[of];
      for (let entry = pool.firstPlace(job); entry !== NONE; entry = places.after(entry))
        left[places.machineOf(entry)] -= each * places.tasksOf(entry);
    }
    for (let machine = 0; machine < count; machine++)
      if (free[machine] > left[machine])
        return `machine ${machine} has ${free[machine]} free ${name}, and what runs there leaves ${left[machine]}`;
  }
  return null;
}
