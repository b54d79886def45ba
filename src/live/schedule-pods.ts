import type { Farm } from "../workload/index.ts";
import { crashAt } from "./crash-at.ts";
import { connect } from "./engines/kubernetes/connection.ts";
import { findCredentials, readText } from "./engines/kubernetes/credentials.ts";
import { systemClock } from "./engines/system/clock.ts";
import { systemCommands } from "./engines/system/commands.ts";
import { podCrashPoints, withCrashes } from "./pods/crash-points.ts";
import { planOf } from "./pods/plan.ts";
import { PodScheduler } from "./pods/scheduler.ts";

/** Timers of the clock and idle connections do not keep a process alive. */
const ALIVE_MILLISECONDS = 60_000;

/** Scheduling pods of others. */
export interface SchedulingPods {
  readonly pool: string;
  readonly schedulerName: string;
  /** Decides nothing more, and gives up the lease. Pods run on. */
  stop(): Promise<void>;
}

/**
 * Schedules the pods of the cluster that a pool of the farm is.
 *
 * @param pool its name; null: the only one that schedules pods
 * @throws {InputError} where there is none, or the cluster's credentials cannot be used
 */
export async function schedulePods(
  farm: Farm,
  pool: string | null,
  log: (text: string) => void,
): Promise<SchedulingPods> {
  const plan = planOf(farm, pool);
  const clock = systemClock();
  const credentials = await findCredentials(plan, { clock, commands: systemCommands }, process.env, readText);
  const crash = crashAt(process.env, podCrashPoints);
  const connected = connect(credentials);
  const connection = crash === null ? connected : withCrashes(connected, crash);
  const scheduler = new PodScheduler({ plan, connection, clock, log });
  const alive = setInterval(() => undefined, ALIVE_MILLISECONDS);
  scheduler.open();
  return {
    pool: plan.pool.name,
    schedulerName: plan.schedulerName,
    stop: async () => {
      clearInterval(alive);
      await scheduler.close();
      connection.close();
    },
  };
}
