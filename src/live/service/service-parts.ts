import type { AttemptId } from "../engines/attempt-id.ts";
import type { Clock } from "../engines/system/clock.ts";
import type { ReadyChannel } from "../notify/channels.ts";
import type { Reader } from "../reader/tasks.ts";
import type { Database } from "../store/database.ts";
import type { LiveAttempt } from "./books.ts";
import type { CrashHook } from "./crash-points.ts";
import type { PlannedPool } from "./farm-plan.ts";
import type { LivePool } from "./live-pool.ts";
import type { PlainFarm } from "./plain-farm.ts";
import type { Restored } from "./restore.ts";
import type { Turn } from "./turn.ts";

/** The service's log. */
export interface ServiceLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** What a service is given of the world around it. */
export interface ServiceParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly farm: PlainFarm;
  readonly planned: readonly PlannedPool[];
  readonly restored: Restored;
  /** The highest number that a job has had: see `lastNumber`. */
  readonly lastNumber: number;
  /** The farm's time of the service before, if this one goes on from it; absent: that was another process. */
  readonly farmTime?: number;
  readonly log: ServiceLog;
  readonly crashPoint: CrashHook;
  /** Called when a pool's engine answers whose machines nobody knew when this was opened; absent: nobody waits for that. */
  readonly machinesKnown?: () => void;
  /** Runs its argument after what has come in by now; `setImmediate` unless given. */
  readonly soon?: (run: () => void) => void;
  /** Inputs and steps of a turn; unless given it goes by time alone. */
  readonly mostSteps?: number;
  /** For what reads or writes very much: not one that lists are asked of, which would wait for it. */
  readonly reader: Reader;
  /** With a copy of the farm; null: for what reasons jobs wait is not noted. */
  readonly trials: Reader | null;
  /** The folder with all that the service keeps; null: the jobs of old months stay in the database. */
  readonly data: string | null;
  /** How long after its month a job stays in the database; absent: the default. */
  readonly retentionSeconds?: number;
  /** Saves the output of an attempt before the engine drops it. */
  readonly keep: (pool: LivePool, id: AttemptId) => Promise<void>;
  /** Starts what an attempt runs. */
  readonly starting: (pools: readonly LivePool[]) => (attempt: LiveAttempt) => void;
  /** By which users have themselves told of their jobs. */
  readonly channels: readonly ReadyChannel[];
  /** The farm's name, as they are told it. */
  readonly farmName: string;
  /** Called with what no later try can mend; the service does nothing any more. */
  readonly failed: (error: Error) => void;
  /** Called after every turn, once it is durable, with the seconds that it took. */
  readonly afterTurn?: (turn: Turn, seconds: number) => void;
}
