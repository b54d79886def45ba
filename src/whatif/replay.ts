import type { EngineEvent, PlainDecision, Port } from "../core/index.ts";
import { InputError } from "../workload/index.ts";
import { Draws } from "../live/service/draws.ts";
import { isAsWritten, journalAfter, makePort, type JournalEntry } from "../live/service/journal.ts";
import { movedTo } from "../live/service/new-settings.ts";
import type { PlainFarm } from "../live/service/plain-farm.ts";
import { accountsOfJobs } from "../live/service/accounts.ts";
import { storedRequirements } from "../live/service/requirements.ts";
import { storedFarm } from "../live/service/stored-farm.ts";
import type { Connection } from "../live/store/connection.ts";
import { pastSnapshots, readPastSnapshot } from "../live/store/past-snapshots.ts";
import { readSnapshot, type StoredSnapshot } from "../live/store/snapshots.ts";

/** Settings of a farm, and the event of the journal after which they came into force; null: that was not noted. */
interface Settings {
  readonly id: number;
  readonly afterSeq: number | null;
  readonly farm: PlainFarm;
}

/** Hears of the past as it is replayed. */
export interface PastWatch {
  /** The farm's settings, at the beginning and whenever they change. */
  settings(farm: PlainFarm, at: number): void;
  /** An event that was taken, with the decisions that were written. */
  event(event: EngineEvent, decisions: readonly PlainDecision[]): void;
}

/** Whether the recorded decisions came again. */
export interface ReplayCheck {
  /** The journal was replayed from the event after this one on; 0: from the farm's beginning. */
  readonly afterSeq: number;
  readonly events: number;
  /** Decisions that were recorded, or made in the replay, of the same events. */
  readonly decisions: number;
  readonly agreed: number;
  /** The number of the first event that led to other decisions; null: there is none. */
  readonly firstOther: number | null;
  /** How often the farm's file or machines were changed meanwhile. */
  readonly changes: number;
  /** On the farm's clock, of the first and the last event; null: there is none. */
  readonly from: number | null;
  readonly until: number | null;
}

/** The farm after the last event. */
export interface Replayed {
  readonly check: ReplayCheck;
  readonly port: Port;
  readonly farm: PlainFarm;
  /** The farm's time of the last event; -Infinity: there was none yet. */
  readonly at: number;
}

/**
 * Applies the recorded events to the decision engine again, from the earliest state that is kept and under the settings
 * that were in force, and compares what it decides with what was recorded.
 *
 * @throws InputError where the service has not kept anything yet
 */
export function replayPast(connection: Connection, watch?: PastWatch): Replayed {
  const settings = storedSettings(connection);
  const snapshot = firstState(connection, settings);
  const requirements = storedRequirements(connection);
  let present = settings.findIndex(({ id }) => id === snapshot.settings);
  let { farm } = settings[present]!;
  const draws = new Draws(farm.seed, snapshot.draws);
  let port = makePort(farm, requirements, draws, snapshot.port);
  let at = Number(snapshot.port.now);
  watch?.settings(farm, at);
  let [events, decisions, agreed, changes] = [0, 0, 0, 0];
  let firstOther: number | null = null;
  let from: number | null = null;
  const changeBefore = (seq: number): void => {
    for (;;) {
      const next = settings[present + 1];
      if (next?.afterSeq == null || next.afterSeq >= seq) return;
      port = movedTo(next.farm, port, farm, requirements, draws, accountsOfJobs(connection, requirements));
      farm = next.farm;
      present++;
      changes++;
      watch?.settings(farm, at);
    }
  };
  for (const entry of journalAfter(connection, snapshot.seq)) {
    changeBefore(entry.seq);
    at = entry.event.at;
    from ??= at;
    events++;
    const made = port.apply(entry.event).decisions;
    decisions += Math.max(made.length, entry.decisions.length);
    if (isAsWritten(made, entry)) agreed += made.length;
    else {
      firstOther ??= entry.seq;
      agreed += inCommon(made, entry);
    }
    watch?.event(entry.event, entry.decisions);
  }
  changeBefore(Infinity);
  const until = from === null ? null : at;
  const check = { afterSeq: snapshot.seq, events, decisions, agreed, firstOther, changes, from, until };
  return { check, port, farm, at };
}

/** Decisions at the same place that are the same. */
function inCommon(made: readonly PlainDecision[], { seq, event, decisions: written }: JournalEntry): number {
  return made.filter(
    (decision, at) =>
      written[at] !== undefined && isAsWritten([decision], { seq, event, decisions: [written[at]] }),
  ).length;
}

function storedSettings(connection: Connection): Settings[] {
  return connection
    .all("SELECT id, after_seq, text FROM settings ORDER BY id")
    .map(({ id, after_seq, text }) => ({
      id: Number(id),
      afterSeq: after_seq === null ? null : Number(after_seq),
      farm: storedFarm(String(text)),
    }));
}

/** The earliest state from which all that follows is known, or the last one. */
function firstState(connection: Connection, settings: readonly Settings[]): StoredSnapshot {
  const isFollowed = ({ settings: id }: StoredSnapshot): boolean => {
    const at = settings.findIndex((each) => each.id === id);
    return at >= 0 && settings.slice(at + 1).every(({ afterSeq }) => afterSeq !== null);
  };
  for (const seq of pastSnapshots(connection)) {
    const past = readPastSnapshot(connection, seq);
    if (past !== null && isFollowed(past)) return past;
  }
  const last = readSnapshot(connection);
  if (last === null || !isFollowed(last))
    throw new InputError("there is no state of the farm in it yet: start croft serve on it", {
      file: connection.path,
    });
  return last;
}
