import type { Database } from "../store/database.ts";
import type { MadeReservation } from "../store/reservations.ts";
import type { Reader } from "../reader/tasks.ts";
import type { Forecasts } from "../forecasting/forecasts.ts";
import type { Grants } from "../service/grants.ts";
import type { Followers } from "../service/followers.ts";
import type { RecentEvents } from "../service/recent-events.ts";
import type { Service } from "../service/service.ts";
import type { JobOutput } from "../service/job-output.ts";
import type { SentFiles } from "../service/sent-files.ts";

/** The farm as the API has it. */
export interface ServiceHandle {
  readonly service: Service;
  readonly database: Database;
  /** For lists. */
  readonly lists: Reader;
  /** For what is tried on a copy of the farm. */
  readonly trials: Reader;
  readonly forecasts: Forecasts;
  readonly followers: Followers;
  readonly events: RecentEvents;
  readonly output: JobOutput;
  readonly files: SentFiles;
  /** What users may ask for. */
  readonly grants: Grants;
  readonly version: string;
  readonly name: string;
  /** Writes a copy of the database to a file. */
  backup(path: string): Promise<void>;
  /** Resolves when no reload is under way. */
  settled(): Promise<void>;
  /** Goes on by the farm's file as it is now; whether that changed anything. */
  reload(): Promise<readonly string[]>;
  /**
   * Keeps machines for some people for a time, or takes that back: the farm goes on with other rules, as after a reload.
   *
   * @throws Refusal where the farm cannot be so
   */
  reserve(reservation: MadeReservation): Promise<void>;
  unreserve(name: string, actor: string): Promise<void>;
}
