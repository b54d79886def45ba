import type { Machines, Workload } from "../../workload/index.ts";
import { firstNotBelow } from "../ascending.ts";

/** What a log's record says of the farm at some instants. */
interface UseOverTime {
  readonly coreUtilization: readonly number[];
  readonly queueLength: readonly number[];
}

/**
 * Cores in use and jobs waiting at some instants, as recorded. Jobs of unknown wait are left out.
 *
 * @param timeSeconds ascending, in seconds since the first submission
 */
export function useOverTime(
  workload: Workload,
  machines: Machines,
  timeSeconds: readonly number[],
): UseOverTime {
  const { count, submitSeconds, runtimeSeconds, coresMilli, tasks, recordedWaitSeconds } = workload;
  const instants = Float64Array.from(timeSeconds);
  const cores = new Float64Array(timeSeconds.length + 1);
  const queue = new Float64Array(timeSeconds.length + 1);
  const first = submitSeconds[0] ?? 0;
  // Adds an amount at every instant from `from` to just before `until`.
  const add = (column: Float64Array, from: number, until: number, amount: number): void => {
    column[firstNotBelow(instants, from - first)] += amount;
    column[firstNotBelow(instants, until - first)] -= amount;
  };
  for (let row = 0; row < count; row++) {
    const wait = recordedWaitSeconds === null ? NaN : recordedWaitSeconds[row];
    if (Number.isNaN(wait)) continue;
    const start = submitSeconds[row] + wait;
    add(queue, submitSeconds[row], start, 1);
    add(cores, start, start + runtimeSeconds[row], coresMilli[row] * (tasks === null ? 1 : tasks[row]));
  }
  const capacity = machines.coresMilli.reduce((total, amount) => total + amount, 0);
  const coreUtilization = running(cores, timeSeconds.length).map((amount) => amount / capacity);
  return {
    coreUtilization,
    queueLength: running(queue, timeSeconds.length),
  };
}

function running(changes: Float64Array, length: number): number[] {
  let now = 0;
  return Array.from({ length }, (_, i) => (now += changes[i]));
}
