import { Port, type PortSnapshot } from "../../core/index.ts";
import type { Connection } from "../store/connection.ts";
import { readSnapshot } from "../store/snapshots.ts";
import { Draws } from "../service/draws.ts";
import { journalAfter, makePort, replay } from "../service/journal.ts";
import { engineSettings, type PlainFarm } from "../service/plain-farm.ts";
import { storedRequirements, type Requirements } from "../service/requirements.ts";
import { storedFarm } from "../service/stored-farm.ts";

/** Jobs that are not over, with which a copy is made in a second or so. */
const MOST_JOBS = 200_000;

/** The farm's decision engine as it was after the last turn that is written, for whoever tries something on it. */
export interface Mirrored {
  readonly farm: PlainFarm;
  readonly requirements: Requirements;
  /** The number of the journal's last event that was more than a question or the passing of time. */
  readonly lastChange: number;
  /** A new copy, whose moves are drawn as the farm's will be. */
  readonly copy: () => Port;
}

interface State {
  readonly farm: PlainFarm;
  readonly settings: number;
  readonly draws: Draws;
  readonly port: Port;
  requirements: Requirements;
  seq: number;
  lastChange: number;
  /** What a copy is made from; null: the port has gone on since. */
  saved: PortSnapshot | null;
}

/**
 * The engine made again from the snapshot and the journal, in another thread than the farm's: nothing is asked of the
 * farm's loop. It stays, and next time takes only the events since.
 */
export class Mirror {
  private readonly connection: Connection;
  private state: State | null = null;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /**
   * Null: the farm has more jobs than can be copied.
   *
   * @throws Error where what is written leads to other decisions than were made
   */
  present(): Mirrored | null {
    const { connection } = this;
    return connection.together(() => {
      const jobs = connection.get("SELECT count(*) AS jobs FROM job WHERE ended_at IS NULL");
      if (Number(jobs?.["jobs"]) > MOST_JOBS) {
        this.state = null;
        return null;
      }
      const settings = Number(connection.get("SELECT max(id) AS id FROM settings")?.["id"] ?? 0);
      if (this.state?.settings !== settings) this.state = this.made();
      const { state } = this;
      this.goOn(state);
      return {
        farm: state.farm,
        requirements: state.requirements,
        lastChange: state.lastChange,
        copy: () => this.copyOf(state),
      };
    });
  }

  private made(): State {
    const { connection } = this;
    const snapshot = readSnapshot(connection);
    const row = connection.get("SELECT text FROM settings WHERE id = ?", snapshot?.settings ?? 0);
    if (snapshot === null || row === undefined) throw new Error("the farm has written no snapshot yet");
    const farm = storedFarm(String(row["text"]));
    const requirements = storedRequirements(connection);
    const draws = new Draws(farm.seed, snapshot.draws);
    const port = makePort(farm, requirements, draws, snapshot.port);
    const { seq, settings } = snapshot;
    return { farm, settings, draws, port, requirements, seq, lastChange: seq, saved: null };
  }

  private goOn(state: State): void {
    const { connection } = this;
    learn(state.requirements, connection);
    const before = state.seq;
    const entries = function* () {
      for (const entry of journalAfter(connection, before)) {
        state.seq = entry.seq;
        const { event, decisions } = entry;
        const isQuiet = event.type === "asked" || event.type === "tick";
        if (!isQuiet || decisions.length > 0) state.lastChange = entry.seq;
        yield entry;
      }
    };
    if (replay(state.port, entries()) !== null) {
      this.state = null;
      throw new Error("the farm's journal leads to other decisions in its copy");
    }
    if (state.seq !== before) state.saved = null;
  }

  private copyOf(state: State): Port {
    const { farm, requirements, draws } = state;
    state.saved ??= state.port.save();
    const own = new Draws(farm.seed, draws.count);
    return Port.load(engineSettings(farm, requirements, own.below), state.saved);
  }
}

/** What jobs have asked for since. The engine asks for it by number, so that it is added to what is known. */
function learn(known: Requirements, connection: Connection): void {
  for (const { text } of connection.all(
    "SELECT text FROM requirement WHERE number > ? ORDER BY number",
    known.all.length - 1,
  ))
    known.add(String(text));
  for (const { text } of connection.all(
    "SELECT text FROM licence_request WHERE number > ? ORDER BY number",
    known.licences.count,
  ))
    known.licences.add(String(text));
}

const mirrors = new WeakMap<Connection, Mirror>();

/** The mirror of a connection's farm: one, as it is large. */
export function mirrorOf(connection: Connection): Mirror {
  let mirror = mirrors.get(connection);
  if (mirror === undefined) {
    mirror = new Mirror(connection);
    mirrors.set(connection, mirror);
  }
  return mirror;
}
