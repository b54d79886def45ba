import {
  HELD,
  IN_TRANSFER,
  SUSPENDED,
  UNASSIGNED,
  WAITING,
  type EngineEvent,
  type PlainDecision,
  type PlainRequest,
  type Port,
} from "../../core/index.ts";
import type { Run } from "../../forecast/index.ts";
import { Draws } from "../service/draws.ts";
import { journalAfter, makePort } from "../service/journal.ts";
import type { PlainFarm } from "../service/plain-farm.ts";
import { storedRequirements, type Requirements } from "../service/requirements.ts";
import { storedFarm } from "../service/stored-farm.ts";
import type { Connection } from "../store/database.ts";
import { readSnapshot } from "../store/snapshots.ts";

/** Hears what happens on the farm. Times are the farm's. */
export interface ShadowWatch {
  submitted(job: number, request: PlainRequest, at: number): void;
  /** Whenever it is started: the first time tells how long it waited. */
  started(job: number, at: number): void;
  ended(job: number, runSeconds: number): void;
  changed(job: number): void;
  /** It will not start any more, or not by itself. */
  withdrawn(job: number): void;
}

/**
 * The farm's decision engine again, in another thread: made of the snapshot in the database, it takes the events of the
 * journal as they are written. The farm's loop has nothing to do with it.
 */
export class Shadow {
  readonly farm: PlainFarm;
  readonly requirements: Requirements;
  readonly port: Port;
  /** The jobs that have been started and are not over. */
  readonly runs = new Map<number, Run>();
  readonly arrivals = new Map<number, number>();
  readonly twins = new Map<number, number>();
  /** The farm's time of the last event. */
  now: number;
  /** The number of the last event. */
  seq: number;
  watch: ShadowWatch | null = null;
  private readonly connection: Connection;
  private known = { requirement: 0, licence_request: 0 };

  /** @throws Error where the database has no snapshot, or a damaged one */
  constructor(connection: Connection) {
    this.connection = connection;
    const snapshot = readSnapshot(connection);
    if (snapshot === null) throw new Error("the farm has written no state yet");
    const { seq, settings, draws, port } = snapshot;
    const row = connection.get("SELECT text FROM settings WHERE id = ?", settings);
    this.farm = storedFarm(String(row?.["text"]));
    // After the snapshot, which may speak of the last of them.
    this.requirements = storedRequirements(connection);
    this.known.requirement = this.requirements.all.length - 1;
    this.known.licence_request = this.requirements.licences.count;
    this.port = makePort(this.farm, this.requirements, new Draws(this.farm.seed, draws), port);
    this.seq = seq;
    this.now = Number(port.now);
    for (const { engine_job, at } of connection.all("SELECT engine_job, at FROM arrival"))
      this.arrivals.set(Number(engine_job), Number(at));
    for (const { engine_job, job } of connection.all("SELECT engine_job, job FROM twin"))
      this.twins.set(Number(engine_job), Number(job));
  }

  /** Takes the events since the last one. Returns whether there were any. */
  follow(): boolean {
    const before = this.seq;
    for (const { seq, event } of journalAfter(this.connection, this.seq)) {
      if (event.type === "submitted" && this.isNew(event.request)) this.readTexts();
      const { decisions } = this.port.apply(event);
      this.seq = seq;
      this.now = Math.max(this.now, event.at);
      this.note(event);
      for (const decision of decisions) this.noteDecision(decision, event.at);
    }
    return this.seq !== before;
  }

  /**
   * Jobs that run since before the snapshot: when they began is in their rows.
   *
   * @param offsetSeconds time since 1970 less the farm's
   */
  findRuns(offsetSeconds: number): void {
    const { port, connection } = this;
    const { jobs } = port.view;
    const rows = connection.all("SELECT engine_job, started_at FROM attempt WHERE outcome IS NULL");
    const startedAt = new Map(rows.map((row) => [Number(row["engine_job"]), row["started_at"]]));
    for (const handle of jobs) {
      const job = port.numberOf(handle);
      if (this.runs.has(job) || WITHOUT_MACHINES.includes(jobs.stateOf(handle))) continue;
      const at = startedAt.get(job);
      const began = at === undefined || at === null ? this.now : Number(at) - offsetSeconds;
      // How long one was suspended in between is not known.
      const isStopped = jobs.stateOf(handle) === SUSPENDED;
      this.runs.set(job, {
        runSeconds: NaN,
        doneSeconds: 0,
        sinceSeconds: isStopped ? NaN : Math.min(began, this.now),
        attempt: jobs.attemptOf(handle),
      });
    }
  }

  private isNew({ requirement = 0, licences = 0 }: PlainRequest): boolean {
    return requirement > this.known.requirement || licences > this.known.licence_request;
  }

  /** What a job names was written with its event: it is there while the journal is read. */
  private readTexts(): void {
    const { connection, requirements, known } = this;
    const texts = (table: keyof typeof known): string[] => {
      const rows = connection.all(
        `SELECT number, text FROM ${table} WHERE number > ? ORDER BY number`,
        known[table],
      );
      known[table] += rows.length;
      return rows.map(({ text }) => String(text));
    };
    for (const text of texts("requirement")) requirements.add(text);
    for (const text of texts("licence_request")) requirements.licences.add(text);
  }

  private note(event: EngineEvent): void {
    const { runs, port, watch } = this;
    if (!("job" in event)) return;
    const { job, at } = event;
    const run = runs.get(job);
    switch (event.type) {
      case "submitted":
        return watch?.submitted(job, event.request, at);
      case "started":
      case "resumed":
        runs.set(job, {
          runSeconds: NaN,
          doneSeconds: run?.doneSeconds ?? 0,
          sinceSeconds: at,
          attempt: port.view.jobs.attemptOf(port.handleOf(job)),
        });
        return;
      case "suspended":
        return this.stop(job, at);
      case "exited":
        this.stop(job, at);
        if (run !== undefined) watch?.ended(this.twins.get(job) ?? job, run.doneSeconds);
        return this.forget(job);
      case "killed":
      case "lost":
      case "startFailed":
        runs.delete(job);
        if (port.has(job)) return;
        watch?.withdrawn(job);
        return this.forget(job);
      case "arrived":
        this.arrivals.delete(job);
        return;
      case "held":
        return watch?.withdrawn(job);
      case "cancelled":
        watch?.withdrawn(job);
        if (!port.has(job)) this.forget(job);
        return;
      case "changed":
        return watch?.changed(job);
      default:
        return;
    }
  }

  private noteDecision(decision: PlainDecision, at: number): void {
    switch (decision.type) {
      case "START":
        return this.watch?.started(this.twins.get(decision.job) ?? decision.job, at);
      case "DUPLICATE":
        this.twins.set(decision.job, decision.of);
        this.arrivals.set(decision.job, at + decision.seconds);
        return;
      case "MOVE":
        this.arrivals.set(decision.job, at + decision.seconds);
        return;
      case "CANCEL":
        return this.forget(decision.job);
      default:
        return;
    }
  }

  private stop(job: number, at: number): void {
    const run = this.runs.get(job);
    if (run === undefined || Number.isNaN(run.sinceSeconds)) return;
    run.doneSeconds += at - run.sinceSeconds;
    run.sinceSeconds = NaN;
  }

  private forget(job: number): void {
    this.runs.delete(job);
    this.arrivals.delete(job);
    this.twins.delete(job);
  }
}

const WITHOUT_MACHINES: readonly number[] = [WAITING, HELD, IN_TRANSFER, UNASSIGNED];
