import { EventPort, type Answer, type EngineEvent, type PortSnapshot } from "../../core/index.ts";
import type { Database, Write } from "../store/database.ts";
import type { Draws } from "./draws.ts";
import { engineSettings, type PlainFarm } from "./plain-farm.ts";
import type { Requirements } from "./requirements.ts";
import type { Turn } from "./turn.ts";

/** What a snapshot keeps beside the jobs, which are in parts of their own. */
interface SnapshotHead {
  readonly settings: number;
  readonly draws: number;
  readonly port: Omit<PortSnapshot, "engine"> & { readonly engine: object };
}

/** A text cannot be longer than half a gigabyte. */
const JOBS_IN_A_PART = 20_000;
/** A restart replays no more than this and twice the jobs at hand. */
const LONGEST_TAIL = 20_000;

/**
 * The decision engine with its journal: what it takes is written down with what it decided. Snapshot and journal
 * together are its state; the events since the last snapshot, applied again, give the same decisions.
 */
export class Journal {
  #port: EventPort;
  readonly #draws: Draws;
  readonly #settings: number;
  #seq: number;
  #sinceSnapshot: number;

  constructor(port: EventPort, draws: Draws, settings: number, seq: number, sinceSnapshot: number) {
    this.#port = port;
    this.#draws = draws;
    this.#settings = settings;
    this.#seq = seq;
    this.#sinceSnapshot = sinceSnapshot;
  }

  get port(): EventPort {
    return this.#port;
  }

  /** The number of the last event written down. */
  get seq(): number {
    return this.#seq;
  }

  apply(turn: Turn, event: EngineEvent): Answer {
    const isIdleTick = event.type === "tick" && this.#port.nextTime > event.at;
    const answer = this.#port.apply(event);
    // A tick at which nothing was due, and what was ignored, changed nothing.
    if (answer.answer === "ignored" || (isIdleTick && answer.decisions.length === 0)) return answer;
    turn.write(
      "INSERT INTO journal (seq, event, decisions) VALUES (?, ?, ?)",
      ++this.#seq,
      JSON.stringify(event),
      answer.decisions.length === 0 ? null : JSON.stringify(answer.decisions),
    );
    this.#sinceSnapshot++;
    return answer;
  }

  /** Whether a restart would take long without a new snapshot. */
  isLong(jobs: number): boolean {
    return this.#sinceSnapshot > LONGEST_TAIL + 2 * jobs;
  }

  /** What writes the state of now down, in the place of the last snapshot. */
  snapshot(): Write[] {
    this.#sinceSnapshot = 0;
    return snapshotWrites(this.#port.snapshot(), this.#draws.count, this.#settings, this.#seq);
  }
}

export function snapshotWrites(
  snapshot: PortSnapshot,
  draws: number,
  settings: number,
  seq: number,
): Write[] {
  const { jobs, ...engine } = snapshot.engine;
  const { numbers, decisions, ...port } = snapshot;
  const head: SnapshotHead = { settings, draws, port: { ...port, numbers: [], decisions: [], engine } };
  const insert = "INSERT INTO snapshot (seq, part, text) VALUES (?, ?, ?)";
  const writes: Write[] = [
    { sql: "DELETE FROM snapshot", values: [] },
    { sql: insert, values: [seq, 0, JSON.stringify(head)] },
  ];
  for (let from = 0; from < jobs.length; from += JOBS_IN_A_PART) {
    const to = from + JOBS_IN_A_PART;
    const part = [numbers.slice(from, to), decisions.slice(from, to), jobs.slice(from, to)];
    writes.push({ sql: insert, values: [seq, 1 + from / JOBS_IN_A_PART, JSON.stringify(part)] });
  }
  return writes;
}

export interface StoredSnapshot {
  readonly seq: number;
  readonly settings: number;
  readonly draws: number;
  readonly port: PortSnapshot;
}

/** Null where none was written yet. */
export function readSnapshot(database: Database): StoredSnapshot | null {
  const rows = database.all("SELECT seq, text FROM snapshot ORDER BY part");
  const first = rows[0];
  if (first === undefined) return null;
  const head = JSON.parse(String(first["text"])) as SnapshotHead;
  const numbers: number[] = [];
  const decisions: number[] = [];
  const jobs: PortSnapshot["engine"]["jobs"][number][] = [];
  for (const { text } of rows.slice(1)) {
    const part = JSON.parse(String(text)) as [number[], number[], PortSnapshot["engine"]["jobs"]];
    for (const number of part[0]) numbers.push(number);
    for (const decision of part[1]) decisions.push(decision);
    for (const job of part[2]) jobs.push(job);
  }
  const engine = { ...(head.port.engine as Omit<PortSnapshot["engine"], "jobs">), jobs };
  return {
    seq: Number(first["seq"]),
    settings: head.settings,
    draws: head.draws,
    port: { ...head.port, numbers, decisions, engine },
  };
}

/** A journal's event with what was decided then. */
export interface JournalEntry {
  readonly seq: number;
  readonly event: EngineEvent;
  /** As it was written; null: nothing was decided. */
  readonly decisions: string | null;
}

export function* journalAfter(database: Database, seq: number): Generator<JournalEntry> {
  for (const row of database.iterate(
    "SELECT seq, event, decisions FROM journal WHERE seq > ? ORDER BY seq",
    seq,
  ))
    yield {
      seq: Number(row["seq"]),
      event: JSON.parse(String(row["event"])) as EngineEvent,
      decisions: row["decisions"] === null ? null : String(row["decisions"]),
    };
}

/** The first entry to which a port answers otherwise than was written; null: none, and the port is as it was then. */
export function replay(port: EventPort, entries: Iterable<JournalEntry>): JournalEntry | null {
  for (const entry of entries) {
    const { decisions } = port.apply(entry.event);
    if ((decisions.length === 0 ? null : JSON.stringify(decisions)) !== entry.decisions) return entry;
  }
  return null;
}

/** A decision engine at its beginning, or as a snapshot has it. */
export function makePort(
  farm: PlainFarm,
  requirements: Requirements,
  draws: Draws,
  snapshot: PortSnapshot | null,
): EventPort {
  const settings = engineSettings(farm, requirements, draws.below);
  return snapshot === null ? new EventPort(settings) : EventPort.restore(settings, snapshot);
}
