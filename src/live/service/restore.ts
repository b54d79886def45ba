import type { Placement } from "../engines/engine.ts";
import { attemptKey } from "../engines/attempt-id.ts";
import { InputError } from "../../workload/index.ts";
import {
  databaseFailure,
  isTransient,
  RESTORE,
  type Connection,
  type Database,
  type Row,
  type Write,
} from "../store/database.ts";
import { pastSnapshotWrites } from "../store/past-snapshots.ts";
import { readSnapshot, snapshotWrites, type StoredSnapshot } from "../store/snapshots.ts";
import type { Port } from "../../core/index.ts";
import { Books, lastStart, type LiveAttempt, type LiveJob } from "./books.ts";
import { ArrayLimits } from "./array-limits.ts";
import { Dependencies } from "./dependencies.ts";
import { Draws } from "./draws.ts";
import { Journal, journalAfter, makePort, replay, type JournalEntry } from "./journal.ts";
import { JobReader } from "./job-reader.ts";
import type { AttemptState, EndReason, Intent } from "../store/job-states.ts";
import type { KnownMachines } from "./farm-plan.ts";
import type { PlainFarm } from "./plain-farm.ts";
import { storedFarm } from "./stored-farm.ts";
import { accountsOfJobs } from "./accounts.ts";
import { madeReservations } from "../store/reservations.ts";
import { storedRequirements, type Requirements } from "./requirements.ts";
import { movedTo, refuseToStrand } from "./new-settings.ts";

/** The farm as it was before its last changes, for whoever replays the journal. */
const SETTINGS_KEPT = 10;

/** The restored state. */
export interface Restored {
  readonly farm: PlainFarm;
  readonly books: Books;
  readonly dependencies: Dependencies;
  readonly arrayLimits: ArrayLimits;
  readonly requirements: Requirements;
  readonly journal: Journal;
  /** The time of the last event: the farm's clock does not go back behind it. */
  readonly at: number;
  /** Whether nothing was known of some pool's machines as of the last event: jobs may have waited for that. */
  readonly wasUnknown: boolean;
}

/** What the last service wrote, read as far as that can be without the farm's machines. */
export interface Past {
  readonly requirements: Requirements;
  /** Null: there was none, and what it has written follows from the farm. */
  readonly replayed: Replayed | null;
}

/** The decision engine as it was after the last event. */
interface Replayed {
  readonly farm: PlainFarm;
  /** The number of the settings; 0: none are written. */
  readonly settings: number;
  readonly draws: Draws;
  readonly port: Port;
  /** The event that the snapshot was made after, and the last one. */
  readonly from: number;
  readonly seq: number;
  readonly at: number;
}

/**
 * Reads the decision engine of the last service: its last snapshot and the events since. It comes before engines are
 * opened, which may take long and do what follows from their own books.
 *
 * @throws InputError where what is written is damaged or contradicts itself
 */
export function readPast(database: Database): Past {
  return told(database, () => {
    const requirements = storedRequirements(database);
    const snapshot = readSnapshot(database);
    if (snapshot === null) return { requirements, replayed: null };
    const farm = settingsOf(database, snapshot.settings);
    return { requirements, replayed: replayedFrom(database, requirements, snapshot, farm) };
  });
}

/**
 * Restores the state of the last service for the farm as it is now: the books are read from their rows.
 *
 * @throws InputError where jobs are on machines that the farm does not have any more, or what is written is damaged or
 * contradicts itself
 */
export function restore(database: Database, past: Past, farm: PlainFarm): Restored {
  return told(database, () => restored(database, past, farm));
}

function told<Result>(database: Database, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw damaged(error, database);
  }
}

/** What is read was written by a service that kept to its own rules: if it cannot be read, it is damaged. */
export function damaged(error: unknown, { path }: Connection): unknown {
  if (error instanceof InputError || isTransient(error)) return error;
  const text = databaseFailure(error);
  const what = text.includes(RESTORE) ? text : `what is written in it is damaged (${text}): ${RESTORE}`;
  return new InputError(what, { file: path });
}

function replayedFrom(
  database: Database,
  requirements: Requirements,
  snapshot: StoredSnapshot | null,
  farm: PlainFarm,
): Replayed {
  const from = snapshot?.seq ?? 0;
  const draws = new Draws(farm.seed, snapshot?.draws ?? 0);
  const port = makePort(farm, requirements, draws, snapshot?.port ?? null);
  let seq = from;
  let at = snapshot === null ? -Infinity : Number(snapshot.port.now);
  const entries = function* (): Generator<JournalEntry> {
    for (const entry of journalAfter(database, from)) {
      seq = entry.seq;
      at = entry.event.at;
      yield entry;
    }
  };
  const other = replay(port, entries());
  if (other !== null)
    throw new InputError(
      `event ${other.seq} of the journal leads to other decisions than it did: start the Croft that wrote it, let it stop in good order, and then this one`,
      { file: database.path },
    );
  return { farm, settings: snapshot?.settings ?? 0, draws, port, from, seq, at };
}

function restored(database: Database, { requirements, replayed }: Past, farm: PlainFarm): Restored {
  const isFirst = replayed === null;
  const last = replayed ?? replayedFrom(database, requirements, null, farm);
  const { draws, from, seq, at } = last;
  let { port, settings } = last;
  const writes: Write[] = [];
  if (isFirst || JSON.stringify(last.farm) !== JSON.stringify(farm)) {
    settings++;
    writes.push({
      sql: "INSERT INTO settings (id, text, after_seq) VALUES (?, ?, ?)",
      values: [settings, JSON.stringify(farm), seq],
    });
    writes.push({ sql: "DELETE FROM settings WHERE id <= ?", values: [settings - SETTINGS_KEPT] });
    refuseToStrand(port, farm);
    const { accounts } = requirements;
    const known = accounts.count;
    if (!isFirst)
      port = movedTo(farm, port, last.farm, requirements, draws, accountsOfJobs(database, requirements));
    for (const [at, text] of accounts.textsAfter(known).entries())
      writes.push({
        sql: "INSERT INTO account (number, text) VALUES (?, ?)",
        values: [known + at + 1, text],
      });
  }
  // With the same settings the old snapshot and the events since stay good, and a farm with very many jobs is up sooner.
  const isNewSnapshot = writes.length > 0;
  if (isNewSnapshot && !isFirst) writes.push(...pastSnapshotWrites(0));
  if (isNewSnapshot) writes.push(...snapshotWrites({ seq, settings, draws: draws.count, port: port.save() }));
  database.commit(writes);
  const dependencies = new Dependencies();
  dependencies.load(database);
  const books = readBooks(database, farm, dependencies);
  for (const { number, twins } of books.jobs.values())
    if (![number, ...twins].some((each) => port.has(each)))
      throw new Error(`${database.path}: job ${number} is not over and the decision engine does not know it`);
  const journal = new Journal(port, draws, settings, seq, isNewSnapshot ? 0 : seq - from);
  const arrayLimits = new ArrayLimits();
  arrayLimits.load(database, books);
  const wasUnknown = hadUnknownPool(database, seq);
  return { farm, books, dependencies, arrayLimits, requirements, journal, at, wasUnknown };
}

/** By the settings that the last event was decided with: those written since may know more. */
function hadUnknownPool(database: Connection, seq: number): boolean {
  const row = database.get(
    `SELECT instr(text, '"isUnknown":true') > 0 AS is_unknown FROM settings WHERE after_seq < ? ORDER BY id DESC LIMIT 1`,
    seq,
  );
  return row?.["is_unknown"] === 1;
}

/** The farm as the last service had it, and the machines that are in use. */
export function knownMachines(database: Connection): KnownMachines {
  try {
    return machinesIn(database);
  } catch (error) {
    throw damaged(error, database);
  }
}

function machinesIn(database: Connection): KnownMachines {
  const last = database.get("SELECT text FROM settings ORDER BY id DESC LIMIT 1");
  const inUse = new Set<string>();
  for (const { pool, placement } of database.all("SELECT pool, placement FROM attempt WHERE outcome IS NULL"))
    for (const { machine } of JSON.parse(String(placement)) as Placement[])
      inUse.add(`${String(pool)}/${machine}`);
  const drained = new Set(
    database.all("SELECT pool, name FROM machine").map(({ pool, name }) => `${String(pool)}/${String(name)}`),
  );
  const before = last === undefined ? null : storedFarm(String(last["text"]));
  const unanswered = new Set(before?.pools.filter(({ isUnknown }) => isUnknown).map(({ name }) => name));
  return { before, inUse, drained, reservations: madeReservations(database), unanswered };
}

function settingsOf(database: Database, id: number): PlainFarm {
  const row = database.get("SELECT text FROM settings WHERE id = ?", id);
  if (row === undefined) throw new Error(`${database.path}: settings ${id} are missing`);
  return storedFarm(String(row["text"]));
}

function readBooks(database: Database, farm: PlainFarm, dependencies: Dependencies): Books {
  const books = new Books();
  const reader = new JobReader(database);
  for (const job of reader.present()) {
    books.jobs.set(job.number, job);
    for (const at of [job.beginAt, lastStart(job)]) if (at !== null) books.times.add(job.number, at);
  }
  for (const [after, waiting] of dependencies.all)
    for (const number of waiting.keys()) {
      const job = books.jobs.get(number);
      if (job === undefined) continue;
      if (job.after.size === 0) job.after = new Set();
      job.after.add(after);
    }
  for (const { engine_job, job } of database.all("SELECT engine_job, job FROM twin")) {
    const of = books.jobs.get(Number(job));
    if (of === undefined) continue;
    of.twins = [...of.twins, Number(engine_job)];
    books.twins.set(Number(engine_job), of);
  }
  for (const { engine_job, decision, at } of database.all("SELECT engine_job, decision, at FROM arrival"))
    books.arrivals.set(Number(engine_job), {
      engineJob: Number(engine_job),
      decision: Number(decision),
      at: Number(at),
    });
  for (const row of database.all("SELECT * FROM attempt WHERE outcome IS NULL")) {
    const number = Number(row["job"]);
    // A job may be over while a second attempt at it is still being ended.
    const job = books.jobs.get(number) ?? reader.job(number);
    const attempt = readAttempt(row, job, farm);
    job.attempts = [...job.attempts, attempt];
    books.attempts.set(attemptKey({ job: job.id, attempt: attempt.attempt }), attempt);
    books.current.set(attempt.engineJob, attempt);
    books.setSuspendedFor(attempt, attempt.suspendedFor);
  }
  return books;
}

function readAttempt(row: Row, job: LiveJob, farm: PlainFarm): LiveAttempt {
  const pool = farm.pools.findIndex(({ name }) => name === row["pool"]);
  return {
    job,
    attempt: Number(row["attempt"]),
    engineJob: Number(row["engine_job"]),
    engineAttempt: Number(row["engine_attempt"]),
    pool,
    placement: JSON.parse(String(row["placement"])) as Placement[],
    state: String(row["state"]) as AttemptState,
    intent: row["intent"] === null ? null : (String(row["intent"]) as Intent),
    why: row["why"] === null ? null : (String(row["why"]) as EndReason),
    suspendedFor: numberOrNull(row["suspended_for"]),
    decision: Number(row["decision"]),
    startedAt: numberOrNull(row["started_at"]),
    suspendedSeconds: Number(row["suspended_seconds"]),
    suspendedAt: numberOrNull(row["suspended_at"]),
    turn: 0,
  };
}

function numberOrNull(value: Row[string] | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
