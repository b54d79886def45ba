import {
  Port,
  type Answer,
  type EngineEvent,
  type PlainDecision,
  type PortSnapshot,
} from "../../core/index.ts";
import type { Connection } from "../store/connection.ts";
import type { Write } from "../store/database.ts";
import { journalDropped } from "../store/journal.ts";
import { pastSnapshotWrites } from "../store/past-snapshots.ts";
import { snapshotWrites } from "../store/snapshots.ts";
import type { Draws } from "./draws.ts";
import { engineSettings, type PlainFarm } from "./plain-farm.ts";
import type { Requirements } from "./requirements.ts";
import type { Turn } from "./turn.ts";

/**
 * A restart replays no more events than these. An event takes some 30 µs to replay. A snapshot takes about 1 µs a job,
 * in which the service does nothing else: with a million jobs a second, every 220,000 events.
 */
const LONGEST_TAIL = 20_000;
/** So many events before the last snapshot are kept, to be replayed; those before them go, so many rows at a time. */
const KEPT = 1_000_000;
const MOST_DROPPED = 50_000;
const TAIL_PER_JOB = 0.2;

/**
 * The decision engine with its journal: each event that it takes is written with its decisions. Snapshot and journal
 * together are its state; the events since the last snapshot, applied again, give the same decisions.
 */
export class Journal {
  private current: Port;
  private readonly draws: Draws;
  private readonly settings: number;
  private lastSeq: number;
  private sinceSnapshot: number;

  constructor(port: Port, draws: Draws, settings: number, seq: number, sinceSnapshot: number) {
    this.current = port;
    this.draws = draws;
    this.settings = settings;
    this.lastSeq = seq;
    this.sinceSnapshot = sinceSnapshot;
  }

  get port(): Port {
    return this.current;
  }

  /** The number of the last event written down. */
  get seq(): number {
    return this.lastSeq;
  }

  apply(turn: Turn, event: EngineEvent): Answer {
    const isIdleTick = event.type === "tick" && this.current.nextTime > event.at;
    const answer = this.current.apply(event);
    // Ticks at which nothing was due, and ignored events, changed nothing.
    if (answer.answer === "ignored" || (isIdleTick && answer.decisions.length === 0)) return answer;
    turn.journal(++this.lastSeq, event, answer.decisions);
    this.sinceSnapshot++;
    return answer;
  }

  /** Whether a restart would take long without a new snapshot. */
  isLong(jobs: number): boolean {
    return this.sinceSnapshot > LONGEST_TAIL + TAIL_PER_JOB * jobs;
  }

  /** The writes that replace the last snapshot by the present state. */
  snapshot(): Write[] {
    this.sinceSnapshot = 0;
    const seq = this.lastSeq;
    return [
      ...pastSnapshotWrites(seq - KEPT),
      ...snapshotWrites({
        seq,
        settings: this.settings,
        draws: this.draws.count,
        port: this.current.save(),
      }),
      journalDropped(seq - KEPT, MOST_DROPPED),
    ];
  }
}

/** A journal's event with what was decided then. */
export interface JournalEntry {
  readonly seq: number;
  readonly event: EngineEvent;
  readonly decisions: readonly PlainDecision[];
}

export function* journalAfter(connection: Connection, seq: number): Generator<JournalEntry> {
  for (const row of connection.iterate("SELECT seq, entries FROM journal WHERE seq > ? ORDER BY seq", seq)) {
    const entries = JSON.parse(String(row["entries"])) as [EngineEvent, PlainDecision[]?][];
    let at = Number(row["seq"]) - entries.length;
    for (const [event, decisions = []] of entries) yield { seq: ++at, event, decisions };
  }
}

/**
 * Replays the entries. Returns the first one that leads to other decisions than were written; null: there is none,
 * and the port has the state of the last entry.
 */
export function replay(port: Port, entries: Iterable<JournalEntry>): JournalEntry | null {
  for (const entry of entries) if (!isAsWritten(port.apply(entry.event).decisions, entry)) return entry;
  return null;
}

/** Whether what was written is decided again; what an older version did not write is not compared. */
export function isAsWritten(
  decisions: readonly PlainDecision[],
  { decisions: written }: JournalEntry,
): boolean {
  if (decisions.length === 0 && written.length === 0) return true;
  const both = written.map((each, at) => ({ ...decisions[at], ...each }));
  return JSON.stringify(decisions) === JSON.stringify(both);
}

/** A decision engine at its beginning, or as a snapshot has it. */
export function makePort(
  farm: PlainFarm,
  requirements: Requirements,
  draws: Draws,
  snapshot: PortSnapshot | null,
): Port {
  const settings = engineSettings(farm, requirements, draws.below);
  return snapshot === null ? new Port(settings) : Port.load(settings, snapshot);
}
