import type { SQLInputValue } from "node:sqlite";

import type { ReasonToken } from "../../simulation/index.ts";
import { heldToken } from "./held-for.ts";
import { readRequest, type JobRequest } from "./job-request.ts";
import { MOST_LIST_BYTES } from "../limits.ts";
import type { Outcome } from "../engines/engine.ts";
import type { AttemptState, JobState } from "./job-states.ts";
import { Refusal } from "../refusal.ts";
import type { Connection, Row } from "./database.ts";
import type { SortKey } from "./sort-keys.ts";
import { chosenBy, chosenInOrder, type JobFilter, type Sql } from "./job-filter.ts";

/** A job as it is shown: `--json` and REST. Times are ISO 8601, in UTC. */
export interface JobView {
  readonly id: string;
  readonly number: number;
  readonly name: string;
  readonly user: string;
  readonly state: JobState;
  readonly reason: string;
  /**
   * Why it does not start: the last noted reason of a waiting job, or what holds a held one. Null in other states, and before
   * a reason was noted.
   */
  readonly waitsFor: ReasonToken | null;
  readonly pool: string | null;
  readonly machines: readonly string[];
  readonly submittedAt: string;
  /** Before when it does not start; null: it has no such time, or that is over. */
  readonly beginAt: string | null;
  readonly deadlineAt: string | null;
  readonly startedAt: string | null;
  /** How long its last attempt has stood still since then in all, without the time since `suspendedAt`. */
  readonly suspendedSeconds: number;
  /** Since when it stands still; null: it does not. */
  readonly suspendedAt: string | null;
  readonly endedAt: string | null;
  readonly exitStatus: number | null;
  readonly exitSignal: number | null;
  readonly attempt: number;
  readonly cores: number;
  readonly memoryMiB: number;
  readonly gpus: number;
  readonly timeSeconds: number | null;
  readonly priority: number;
  readonly project: string;
  readonly group: string;
  readonly requires: string;
  readonly licences: string;
  readonly command: readonly string[];
  readonly directory: string;
  readonly signal: JobRequest["signal"];
  readonly retries: number;
  readonly retryOn: JobRequest["retryOn"];
  readonly retryDelaySeconds: number;
  readonly notify: JobRequest["notify"];
  readonly after: JobRequest["after"];
  readonly input: string | null;
  readonly output: string | null;
  readonly errorOutput: string | null;
  readonly array: JobRequest["array"];
  readonly rerunOf: number | null;
  readonly comment: string;
  readonly tags: Readonly<Record<string, string>>;
}

export interface AttemptView {
  readonly attempt: number;
  readonly pool: string;
  readonly machines: readonly string[];
  /** The names of the devices that it was given. */
  readonly gpus: readonly string[];
  readonly state: AttemptState;
  readonly startedAt: string | null;
  /** As of a job. */
  readonly suspendedSeconds: number;
  readonly suspendedAt: string | null;
  readonly endedAt: string | null;
  /** How it ended, as the engine said; null while it has not. */
  readonly outcome: Outcome | null;
}

export interface JobList extends JobFilter {
  /** Only jobs after this one in the order, the first of them; by number unless it is sorted. */
  readonly above?: number;
  /** At most so many: the first of the order, or the last by number if neither `sort` nor `above` is given. */
  readonly limit: number;
  readonly sort?: { readonly by: SortKey; readonly isReversed: boolean };
}

/** Of a row of `job`: how long its last attempt has stood still. */
export const STOOD_SECONDS =
  "(SELECT suspended_seconds FROM attempt WHERE attempt.job = job.number AND attempt.attempt = job.attempt)";
const COLUMNS = `*, ${STOOD_SECONDS} AS suspended_seconds,
  (SELECT suspended_at FROM attempt WHERE attempt.job = job.number AND attempt.attempt = job.attempt) AS suspended_at,
  (SELECT token FROM wait_reason WHERE wait_reason.job = job.number ORDER BY at DESC LIMIT 1) AS waits_for`;

/** A page of jobs: fewer than asked for where they are very long. */
export function listJobs(connection: Connection, list: JobList): JobView[] {
  return connection.together(() => {
    const views: JobView[] = [];
    let bytes = 0;
    for (const number of numbersOf(connection, list)) {
      const row = connection.get(`SELECT ${COLUMNS} FROM job WHERE number = ?`, number)!;
      bytes += String(row["request"]).length;
      if (bytes > MOST_LIST_BYTES && views.length > 0) break;
      views.push(jobView(row));
    }
    return list.sort === undefined && list.above === undefined ? views.toReversed() : views;
  });
}

/** In the order in which they are taken: the last first, unless there is an order or a number to go on from. */
function numbersOf(connection: Connection, { above, limit, sort, ...filter }: JobList): number[] {
  const read = ({ text, values }: Sql): number[] =>
    connection.arrays(`SELECT number ${text}`, ...values).map(([number]) => Number(number));
  if (sort !== undefined && (sort.by !== "number" || sort.isReversed))
    return read(sorted(connection, filter, sort, above, limit));
  const from = above ?? (sort === undefined ? undefined : 0);
  return read(
    from === undefined
      ? chosenInOrder(connection, filter, limit, "ORDER BY number DESC LIMIT ?")
      : chosenInOrder(connection, filter, limit, "ORDER BY number LIMIT ?", from),
  );
}

const SORT_COLUMNS: Readonly<Record<SortKey, string>> = {
  number: "number",
  name: "name",
  user: "user",
  priority: "priority",
  submitted: "submitted_at",
  started: "started_at",
  ended: "ended_at",
};

/** @throws Refusal where there is no job to go on after */
function sorted(
  connection: Connection,
  filter: JobFilter,
  { by, isReversed }: NonNullable<JobList["sort"]>,
  above: number | undefined,
  limit: number,
): Sql {
  const column = SORT_COLUMNS[by];
  const [direction, beyond] = isReversed ? ["DESC", "<"] : ["ASC", ">"];
  const chosen = chosenBy(connection, filter);
  const rest: { text: string; values: SQLInputValue[] } = { text: "", values: [] };
  if (above !== undefined) {
    const row = connection.get(`SELECT ${column} AS key, user FROM job WHERE number = ?`, above);
    if (row === undefined || (filter.user !== undefined && row["user"] !== filter.user))
      throw new Refusal(404, `there is no job ${above} to go on after`);
    const key = row["key"] as number | string | null;
    rest.text =
      key === null
        ? `WHERE key IS NULL AND number ${beyond} ?`
        : `WHERE (key ${beyond} ? OR key IS NULL OR (key = ? AND number ${beyond} ?))`;
    rest.values = key === null ? [above] : [key, key, above];
  }
  // The limit keeps the inner order: most later jobs have later times too, and so the first that come are those to keep.
  return {
    text: `FROM (SELECT number, ${column} AS key ${chosen.text} ORDER BY number ${direction} LIMIT -1) ${rest.text}
       ORDER BY key ${direction} NULLS LAST, number ${direction} LIMIT ?`,
    values: [...chosen.values, ...rest.values, limit],
  };
}

/** Whether a job is in a pool of that name, or was last. */
export function hasJobsOf(connection: Connection, pool: string): boolean {
  return connection.get("SELECT 1 FROM job WHERE pool = ? LIMIT 1", pool) !== undefined;
}

/** By its number, or its UUID; null where there is none. */
export function findJob(connection: Connection, name: number | string): JobView | null {
  const row =
    typeof name === "number"
      ? connection.get(`SELECT ${COLUMNS} FROM job WHERE number = ?`, name)
      : connection.get(`SELECT ${COLUMNS} FROM job WHERE id = ?`, name);
  return row === undefined ? null : jobView(row);
}

export interface Owner {
  readonly number: number;
  readonly user: string;
  /** Of what it asked for. */
  readonly bytes: number;
}

/** By a job's number, or its UUID; null where there is none. */
export function ownerOf(connection: Connection, name: string): Owner | null {
  const row = connection.get(
    `SELECT number, user, length(request) AS bytes FROM job WHERE ${/^\d+$/.test(name) ? "number" : "id"} = ?`,
    /^\d+$/.test(name) ? Number(name) : name,
  );
  if (row === undefined) return null;
  return { number: Number(row["number"]), user: String(row["user"]), bytes: Number(row["bytes"]) };
}

export function attemptsOf(connection: Connection, job: number): AttemptView[] {
  return connection.all("SELECT * FROM attempt WHERE job = ? ORDER BY attempt", job).map((row) => ({
    attempt: Number(row["attempt"]),
    pool: String(row["pool"]),
    machines: (JSON.parse(String(row["placement"])) as { machine: string }[]).map(({ machine }) => machine),
    gpus: row["gpus"] === null ? [] : (JSON.parse(String(row["gpus"])) as string[]),
    state: String(row["state"]) as AttemptState,
    startedAt: time(row["started_at"]),
    suspendedSeconds: Number(row["suspended_seconds"]),
    suspendedAt: time(row["suspended_at"]),
    endedAt: time(row["ended_at"]),
    outcome: row["outcome"] === null ? null : (JSON.parse(String(row["outcome"])) as Outcome),
  }));
}

export interface EventView {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly job: number | null;
  readonly actor: string | null;
  readonly text: string;
}

export interface EventFilter {
  /** Only later ones. */
  readonly after: number;
  /** Null: of all. */
  readonly job: number | null;
  /** Null: of everybody's jobs, and of the farm. */
  readonly user: string | null;
  readonly limit: number;
}

/** In order. */
export function listEvents(connection: Connection, { after, job, user, limit }: EventFilter): EventView[] {
  const rows = connection.all(
    `SELECT event.* FROM event ${user === null ? "" : "JOIN job ON job.number = event.job"}
       WHERE seq > ? ${job === null ? "" : "AND event.job = ?"} ${user === null ? "" : "AND job.user = ?"}
       ORDER BY seq LIMIT ?`,
    after,
    ...(job === null ? [] : [job]),
    ...(user === null ? [] : [user]),
    limit,
  );
  return rows.map(eventView);
}

export interface OwnedEvent {
  readonly event: EventView;
  /** The user of its job; null: it is of none. */
  readonly owner: string | null;
}

/** The last so many after one, in order. */
export function ownedEvents(connection: Connection, after: number, limit: number): OwnedEvent[] {
  const rows = connection.all(
    `SELECT event.*, job.user FROM event LEFT JOIN job ON job.number = event.job
       WHERE seq > ? ORDER BY seq DESC LIMIT ?`,
    after,
    limit,
  );
  return rows
    .toReversed()
    .map((row) => ({ event: eventView(row), owner: row["user"] === null ? null : String(row["user"]) }));
}

function eventView(row: Row): EventView {
  return {
    seq: Number(row["seq"]),
    at: time(row["at"])!,
    kind: String(row["kind"]),
    job: row["job"] === null ? null : Number(row["job"]),
    actor: row["actor"] === null ? null : String(row["actor"]),
    text: String(row["text"]),
  };
}

export function lastEvent(connection: Connection): number {
  return Number(connection.get("SELECT max(seq) AS last FROM event")?.["last"] ?? 0);
}

function jobView(row: Row): JobView {
  const request = readRequest(String(row["request"]));
  return {
    id: String(row["id"]),
    number: Number(row["number"]),
    name: String(row["name"]),
    user: String(row["user"]),
    state: String(row["state"]) as JobState,
    reason: String(row["reason"]),
    waitsFor:
      row["state"] === "waiting" && typeof row["waits_for"] === "string"
        ? (row["waits_for"] as ReasonToken)
        : row["state"] === "held"
          ? heldToken(String(row["reason"]))
          : null,
    pool: row["pool"] === null ? null : String(row["pool"]),
    machines: JSON.parse(String(row["machines"])) as string[],
    submittedAt: time(row["submitted_at"])!,
    beginAt: time(row["begin_at"]),
    deadlineAt: time(row["deadline_at"]),
    startedAt: time(row["started_at"]),
    // What an attempt before has done does not count for one that waits again.
    suspendedSeconds: row["started_at"] === null ? 0 : Number(row["suspended_seconds"] ?? 0),
    suspendedAt: time(row["suspended_at"]),
    endedAt: time(row["ended_at"]),
    exitStatus: row["exit_status"] === null ? null : Number(row["exit_status"]),
    exitSignal: row["exit_signal"] === null ? null : Number(row["exit_signal"]),
    attempt: Number(row["attempt"]),
    cores: request.cores,
    memoryMiB: request.memoryMiB,
    gpus: request.gpus,
    timeSeconds: row["time_seconds"] === null ? null : Number(row["time_seconds"]),
    priority: Number(row["priority"]),
    project: request.project,
    group: request.group,
    requires: request.requires,
    licences: request.licences,
    command: request.command,
    directory: request.directory,
    signal: request.signal,
    retries: request.retries,
    retryOn: request.retryOn,
    retryDelaySeconds: request.retryDelaySeconds,
    notify: request.notify,
    after: request.after,
    input: request.input,
    output: request.output,
    errorOutput: request.errorOutput,
    array: request.array,
    rerunOf: request.rerunOf,
    comment: request.comment,
    tags: request.tags,
  };
}

/** Whether a job waits for machines, or will by itself: then it is forecast when it starts. */
export function isForecast({ state, waitsFor }: JobView): boolean {
  return state === "waiting" || (state === "held" && waitsFor !== "held");
}

function time(unixSeconds: Row[string] | undefined): string | null {
  return unixSeconds === null || unixSeconds === undefined
    ? null
    : new Date(Number(unixSeconds) * 1000).toISOString();
}
