import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import { ForecastsRead } from "../forecasting/kept-forecasts.ts";
import type { StartForecast } from "../forecasting/start-forecast.ts";
import type { Wanted } from "../replica/fits.ts";
import type { Instant } from "../replica/replica.ts";
import type { TriedFile } from "../replica/try-file.ts";
import { monthToMove, type Month } from "../store/archive.ts";
import { checkpoint } from "../store/connection.ts";
import type { Connection } from "../store/database.ts";
import { arrayJobs, chosenJobs, requestsOf, type Choice } from "../store/chosen-jobs.ts";
import { ranUnder } from "../store/history.ts";
import {
  findJob,
  isForecast,
  listEvents,
  listJobs,
  ownerOf,
  type EventFilter,
  type JobList,
  type JobView,
} from "../store/job-views.ts";
import { isOutdated } from "../store/outdated.ts";
import { usageOf, type UsageAsked } from "../store/usage.ts";
import { listTokens } from "../store/tokens.ts";
import type { WhyAll } from "../why/all.ts";
import type { WhyOne } from "../why/one.ts";

type Task = (connection: Connection, input: never) => unknown;

/** A job in a list. */
export type ListedJob = JobView & { readonly forecast: StartForecast | null };

const forecastsRead = new WeakMap<Connection, ForecastsRead>();

/** They lie beside the database. */
function forecastsOf(connection: Connection): ForecastsRead {
  const read = forecastsRead.get(connection) ?? new ForecastsRead(dirname(connection.path));
  forecastsRead.set(connection, read);
  return read;
}

/** What is done beside the service's loop, since it may read or write very much. Input and result are plain data. */
export const tasks = {
  /**
   * Jobs, each with the last forecast of its start, as the JSON of `ListedJob[]`.
   *
   * @param unixSeconds the farm's clock
   */
  jobs(connection, { unixSeconds, ...filter }: JobList & { readonly unixSeconds: number }) {
    const forecasts = forecastsOf(connection);
    const forecast = (job: JobView): StartForecast | null => {
      const kept = isForecast(job) ? forecasts.of(job.number, unixSeconds) : null;
      return kept === null || isOutdated(connection, job.number, Date.parse(kept.madeAt) / 1000)
        ? null
        : kept;
    };
    const listed = listJobs(connection, filter).map((job): ListedJob => ({
      ...job,
      forecast: forecast(job),
    }));
    return json(listed);
  },

  /** Those of these numbers, in that order, as the JSON of `JobView[]`. */
  jobsNumbered: (connection, { numbers }: { readonly numbers: readonly number[] }) =>
    json(numbers.map((number) => findJob(connection, number))),

  /** The jobs of a choice, by number, and of how many users they are. */
  chosen: (connection, choice: Choice) => chosenJobs(connection, choice),

  arrayJobs,

  /** What jobs have used in a period. */
  usage: (connection: Connection, asked: UsageAsked) => usageOf(connection, asked),

  /** What jobs asked for: see `requestsOf`. */
  requests: (connection, { numbers }: { readonly numbers: ArrayLike<number> }) =>
    requestsOf(connection, numbers),

  /** Of each job that is named, by number or UUID: its number, whose it is and how long its request; null: there is none. */
  owners: (connection, { names }: { readonly names: readonly string[] }) =>
    names.map((name) => ownerOf(connection, name)),

  /** Events, as the JSON of `EventView[]`. */
  events: (connection, filter: EventFilter) => json(listEvents(connection, filter)),

  /** As the JSON of `TokenView[]`. */
  tokens: (connection: Connection) => json(listTokens(connection)),

  /** Writes the log back into the database. */
  checkpoint: ({ path }: Connection) => checkpoint(path),

  /** A copy of the database in a file that is there and empty, on the disk when this returns. */
  backup(connection, { path }: { readonly path: string }) {
    connection.copyInto(path);
    const file = openSync(path, "r+");
    fsyncSync(file);
    closeSync(file);
  },

  monthToMove,
  ranUnder: (connection: Connection) => ranUnder(connection),

  // Lists do without a copy of the farm, and without what writes Parquet.
  /** Why one job waits, and what would help: `FoundOut`. */
  whyOne: async (connection, input: WhyOne) => (await import("../why/one.ts")).whyOne(connection, input),

  /** Why the jobs of a farm wait, counted. */
  whyAll: async (connection, input: WhyAll) => (await import("../why/all.ts")).whyAll(connection, input),

  /** For what jobs wait now and did not before. */
  newReasons: async (connection, input: { readonly at: number; readonly most: number }) =>
    (await import("../why/noted.ts")).newReasons(connection, input),

  /** How many such jobs would start: `Fits`; null: the farm has too many jobs for a copy. */
  fits: async (connection, input: Wanted & { readonly instant: Instant }) =>
    (await import("../replica/fits.ts")).fitsNow(connection, input),

  /** What would become of the jobs if the farm read this file: `ReloadTrial`; null as above. */
  tryReload: async (connection, input: TriedFile) =>
    (await import("../replica/try-file.ts")).tryFile(connection, input),

  fileMonth: async (connection, input: Month & { readonly file: string }) =>
    (await import("../store/file-month.ts")).fileMonth(connection, input),

  /** Deletes what jobs of these numbers have printed. Returns how many folders could not be deleted. */
  removeOutput(
    _,
    { folder, ranges }: { readonly folder: string; readonly ranges: readonly (readonly [number, number])[] },
  ) {
    let failed = 0;
    for (const [first, last] of ranges)
      for (let job = first; job <= last; job++)
        try {
          rmSync(join(folder, String(job)), { recursive: true, force: true });
        } catch {
          failed++;
        }
    return failed;
  },

  /** Variables of jobs that no job has any more, by their numbers: so many at most, above one. */
  unusedEnvironments: (connection, { above, most }: { readonly above: number; readonly most: number }) =>
    connection
      .all(
        `SELECT id FROM environment WHERE id > ? AND NOT EXISTS (SELECT 1 FROM job WHERE job.environment = environment.id)
           ORDER BY id LIMIT ?`,
        above,
        most,
      )
      .map(({ id }) => Number(id)),
} satisfies Record<string, Task>;

export type Tasks = typeof tasks;
export type TaskName = keyof Tasks;
/** Some need none. */
export type Input<Name extends TaskName> = Tasks[Name] extends (
  connection: Connection,
  input: infer Given,
) => unknown
  ? Given
  : never;
export type Output<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>;

/** Does things of `tasks`. */
export interface Reader {
  do<Name extends TaskName>(name: Name, input: Input<Name>): Promise<Output<Name>>;
}

/** On the connection that is there, for databases in memory, which have no other. */
export function inlineReader(connection: Connection): Reader {
  return {
    do<Name extends TaskName>(name: Name, input: Input<Name>) {
      const task: Task = tasks[name];
      const done = async (): Promise<unknown> => task(connection, input as never);
      return done() as Promise<Output<Name>>;
    },
  };
}

function json(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}
