import { InputError, type Farm } from "../workload/index.ts";
import { crashAt } from "./crash-at.ts";
import { connect } from "./engines/kubernetes/connection.ts";
import { findCredentials, readText } from "./engines/kubernetes/credentials.ts";
import { systemClock } from "./engines/system/clock.ts";
import { systemCommands } from "./engines/system/commands.ts";
import { podCrashPoints, withCrashes } from "./pods/crash-points.ts";
import { PodMetrics } from "./pods/metrics.ts";
import { planOf } from "./pods/plan.ts";
import { PodScheduler } from "./pods/scheduler.ts";
import { serveStatus } from "./scheduler-status.ts";

/** Timers of the clock and idle connections do not keep a process alive. */
const ALIVE_MILLISECONDS = 60_000;

/** Scheduling pods of others. */
export interface SchedulingPods {
  readonly pool: string;
  readonly schedulerName: string;
  /** Where its metrics are; null: it does not listen. */
  readonly address: string | null;
  /** Decides nothing more, and gives up the lease. Pods run on. */
  stop(): Promise<void>;
}

/**
 * Schedules the pods of the cluster that a pool of the farm is.
 *
 * @param pool its name; null: the only one that schedules pods
 * @param listen where it serves metrics, health and readiness; null: nowhere
 * @throws {InputError} where there is none, or the cluster's credentials cannot be used
 */
export async function schedulePods(
  farm: Farm,
  pool: string | null,
  listen: { readonly host: string; readonly port: number } | null,
  log: (text: string) => void,
): Promise<SchedulingPods> {
  const plan = planOf(farm, pool);
  const clock = systemClock();
  const credentials = await findCredentials(
    plan,
    { clock, commands: systemCommands },
    process.env,
    readText,
  ).catch((error: unknown) => {
    throw error instanceof InputError ? new InputError(`pool ${plan.pool.name}: ${error.message}`) : error;
  });
  const crash = crashAt(process.env, podCrashPoints);
  const connected = connect(credentials);
  const connection = crash === null ? connected : withCrashes(connected, crash);
  const metrics = listen === null ? null : new PodMetrics(plan.schedulerName);
  const scheduler = new PodScheduler({ plan, connection, clock, log, metrics });
  const status =
    listen === null || metrics === null
      ? null
      : await serveStatus(
          listen.host,
          listen.port,
          () => scheduler.whyNotReady,
          () => metrics.text(),
        );
  const alive = setInterval(() => undefined, ALIVE_MILLISECONDS);
  scheduler.open();
  return {
    pool: plan.pool.name,
    schedulerName: plan.schedulerName,
    address: status?.address ?? null,
    stop: async () => {
      clearInterval(alive);
      await scheduler.close();
      await status?.close();
      connection.close();
    },
  };
}
