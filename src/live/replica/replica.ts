import type { Port, PortSnapshot } from "../../core/index.ts";
import { InputError } from "../../workload/index.ts";
import { Draws } from "../service/draws.ts";
import { isAsWritten, journalAfter, makePort, type JournalEntry } from "../service/journal.ts";
import { movedTo, refuseToStrand } from "../service/new-settings.ts";
import type { PlainFarm } from "../service/plain-farm.ts";
import { accountsOfJobs } from "../service/accounts.ts";
import type { Numbered } from "../service/numbered.ts";
import { storedRequirements, type Requirements } from "../service/requirements.ts";
import { storedFarm } from "../service/stored-farm.ts";
import type { Connection } from "../store/connection.ts";
import { readSnapshot } from "../store/snapshots.ts";

/** Now, by clocks that a thread does not have. */
export interface Instant {
  readonly farmSeconds: number;
  readonly unixSeconds: number;
}

/**
 * The farm's decision engine made again from the snapshot and the journal that its turns have written, in another thread
 * or process: nothing is asked of the farm's loop. It stays, and takes the events as they come.
 */
export class Replica {
  readonly farm: PlainFarm;
  /** The number of the farm's settings: with others it has to be made anew. */
  readonly settings: number;
  readonly requirements: Requirements;
  readonly port: Port;
  /** The farm's time of the last event; -Infinity: there was none yet. */
  now: number;
  /** The number of the last event. */
  seq: number;
  /** The number of the last event that was more than a question or the passing of time. */
  lastChange: number;
  protected readonly connection: Connection;
  private readonly draws: Draws;
  /** What copies are made from; null: the port has gone on since. */
  private saved: PortSnapshot | null = null;

  /** @throws Error where nothing is written yet, or it is damaged */
  constructor(connection: Connection) {
    this.connection = connection;
    const { snapshot, text, requirements } = connection.together(() => written(connection));
    this.farm = storedFarm(text);
    this.settings = snapshot.settings;
    this.requirements = requirements;
    this.draws = new Draws(this.farm.seed, snapshot.draws);
    this.port = makePort(this.farm, requirements, this.draws, snapshot.port);
    this.now = Number(snapshot.port.now);
    this.seq = snapshot.seq;
    this.lastChange = snapshot.seq;
  }

  /**
   * Takes the events since the last one. Returns whether there were any.
   *
   * @param heard is told each of them after the engine has taken it, with what it decided
   * @throws InputError where it decides otherwise than the farm did: it is of no use any more
   */
  follow(heard: (entry: JournalEntry) => void = () => undefined): boolean {
    const { connection, port } = this;
    const before = this.seq;
    connection.together(() => {
      learn(this.requirements, connection);
      for (const entry of journalAfter(connection, before)) {
        const { seq, event } = entry;
        const { decisions } = port.apply(event);
        if (!isAsWritten(decisions, entry))
          throw new InputError(`event ${seq} of the journal leads to other decisions than the farm made`, {
            file: connection.path,
          });
        this.seq = seq;
        this.saved = null;
        this.now = Math.max(this.now, event.at);
        const isQuiet = event.type === "asked" || event.type === "tick";
        if (!isQuiet || decisions.length > 0) this.lastChange = seq;
        heard({ seq, event, decisions });
      }
    });
    return this.seq !== before;
  }

  /**
   * A copy to try things on, whose moves are drawn as the farm's will be.
   *
   * @param requirements its own, where jobs are to come that ask for something new
   */
  copy(requirements = this.requirements): Port {
    this.saved ??= this.port.save();
    return makePort(this.farm, requirements, this.ownDraws(), this.saved);
  }

  /**
   * A copy on another farm, as a reload makes it.
   *
   * @throws InputError where a job is in a pool or on a machine that the other farm does not have
   */
  movedTo(farm: PlainFarm): Port {
    refuseToStrand(this.port, farm);
    // Jobs may get accounts, whose numbers the farm may give to others.
    const requirements = storedRequirements(this.connection);
    const accounts = accountsOfJobs(this.connection, requirements);
    return movedTo(farm, this.port, this.farm, requirements, this.ownDraws(), accounts);
  }

  private ownDraws(): Draws {
    return new Draws(this.farm.seed, this.draws.count);
  }
}

function written(connection: Connection) {
  const snapshot = readSnapshot(connection);
  const row = connection.get("SELECT text FROM settings WHERE id = ?", snapshot?.settings ?? 0);
  if (snapshot === null || row === undefined)
    throw new InputError("there is no state of the farm in it yet: start croft serve on it", {
      file: connection.path,
    });
  return { snapshot, text: String(row["text"]), requirements: storedRequirements(connection) };
}

/** What jobs have asked for since. The engine asks for it by number, so that it is added to what is known. */
function learn(known: Requirements, connection: Connection): void {
  const texts = (table: string, count: number): string[] =>
    connection
      .all(`SELECT text FROM ${table} WHERE number > ? ORDER BY number`, count)
      .map(({ text }) => String(text));
  const learnInto = (table: string, numbers: Numbered<unknown>): void => {
    for (const text of texts(table, numbers.count)) numbers.add(text);
  };
  learnInto("requirement", known.expressions);
  learnInto("licence_request", known.licences);
  learnInto("account", known.accounts);
}

/** Jobs that are not over, of which a copy is made in a second or so. */
const MOST_JOBS = 200_000;

const replicas = new WeakMap<Connection, Replica>();

/**
 * The replica of a connection's farm after the last turn that is written: one, as it is large. Null: the farm has more
 * jobs than can be copied soon.
 */
export function replicaOf(connection: Connection): Replica | null {
  return connection.together(() => {
    const known = replicas.get(connection);
    // Until it has followed: one that has failed is not kept.
    replicas.delete(connection);
    const jobs = connection.get("SELECT count(*) AS jobs FROM job WHERE ended_at IS NULL");
    if (Number(jobs?.["jobs"]) > MOST_JOBS) return null;
    const settings = Number(connection.get("SELECT max(id) AS id FROM settings")?.["id"] ?? 0);
    const replica = known?.settings === settings ? known : new Replica(connection);
    replica.follow();
    replicas.set(connection, replica);
    return replica;
  });
}

/** Second attempts, by their numbers in the engine, and the jobs that they are at. */
export function twinsOf(connection: Connection): Map<number, number> {
  const rows = connection.all("SELECT engine_job, job FROM twin");
  return new Map(rows.map(({ engine_job, job }) => [Number(engine_job), Number(job)]));
}

/** When jobs on their way to a pool arrive there, in the farm's time. */
export function arrivalsOf(connection: Connection): Map<number, number> {
  const rows = connection.all("SELECT engine_job, at FROM arrival");
  return new Map(rows.map(({ engine_job, at }) => [Number(engine_job), Number(at)]));
}
