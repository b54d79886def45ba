import {
  HELD,
  IN_TRANSFER,
  NONE,
  SUSPENDED,
  UNASSIGNED,
  WAITING,
  type EngineEvent,
  type PlainDecision,
  type PlainRequest,
} from "../../core/index.ts";
import type { HeldJob, LimitedArray, Run } from "../../forecast/index.ts";
import { arrivalsOf, Replica, twinsOf } from "../replica/replica.ts";
import type { Connection } from "../store/connection.ts";
import type { Condition } from "../store/job-request.ts";

/** Held jobs, and jobs of arrays, that are looked at, the first: some tenths of a second. */
const MOST_HELD = 100_000;

/** A job that is held until others are over, until a time, or for a place of its array. */
export interface LiveHeldJob extends HeldJob {
  /** How those have to end that it waits for. */
  readonly conditions: ReadonlyMap<number, Condition>;
}

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

/** A replica that knows since when jobs run and when those on their way arrive, and tells what happens. */
export class Shadow extends Replica {
  /** The jobs that have been started and are not over. */
  readonly runs = new Map<number, Run>();
  readonly arrivals: Map<number, number>;
  readonly twins: Map<number, number>;
  watch: ShadowWatch | null = null;

  constructor(connection: Connection) {
    super(connection);
    this.arrivals = arrivalsOf(connection);
    this.twins = twinsOf(connection);
  }

  override follow(): boolean {
    return super.follow(({ event, decisions }) => {
      this.note(event);
      for (const decision of decisions) this.noteDecision(decision, event.at);
    });
  }

  /**
   * The held jobs that the farm releases by itself, by number: before each of them are those that it waits for.
   *
   * @param offsetSeconds time since 1970 less the farm's
   */
  heldJobs(offsetSeconds: number): LiveHeldJob[] {
    const { connection, port } = this;
    const { jobs } = port.view;
    if (!Array.from(jobs).some((handle) => jobs.stateOf(handle) === HELD)) return [];
    const waitedFor = new Map<number, Map<number, Condition>>();
    for (const { job, after, condition } of connection.iterate(
      `SELECT job, after, condition FROM job AS one CROSS JOIN dependency ON job = one.number
         CROSS JOIN job AS other ON other.number = after
         WHERE one.ended_at IS NULL AND one.state = 'held' AND other.ended_at IS NULL`,
    )) {
      const conditions = waitedFor.get(Number(job)) ?? new Map<number, Condition>();
      waitedFor.set(Number(job), conditions.set(Number(after), condition as Condition));
    }
    const rows = connection.all(
      `SELECT number, begin_at FROM job WHERE ended_at IS NULL AND state = 'held' AND is_held = 0
         ORDER BY number LIMIT ${MOST_HELD}`,
    );
    return rows.flatMap(({ number, begin_at: beginAt }) => {
      const job = Number(number);
      const handle = port.handleOf(job);
      if (handle === NONE || jobs.stateOf(handle) !== HELD) return [];
      const conditions = waitedFor.get(job) ?? new Map<number, Condition>();
      const notBefore = beginAt === null ? -Infinity : Number(beginAt) - offsetSeconds;
      return [{ job, after: [...conditions.keys()], notBefore, conditions }];
    });
  }

  /**
   * The arrays of which jobs are held: who has a place, and who needs one.
   *
   * @param held those that are released by themselves
   */
  limitedArrays(held: readonly HeldJob[]): LimitedArray[] {
    if (held.length === 0) return [];
    const released = new Set(held.map(({ job }) => job));
    const rows = this.connection.all(
      `SELECT first, most, number, state FROM array_limit JOIN job ON number BETWEEN first AND last
         WHERE ended_at IS NULL ORDER BY number LIMIT ${MOST_HELD}`,
    );
    const arrays = new Map<number, { most: number; placed: number[]; held: number[] }>();
    for (const { first, most, number, state } of rows) {
      const array = arrays.get(Number(first)) ?? { most: Number(most), placed: [], held: [] };
      arrays.set(Number(first), array);
      const job = Number(number);
      if (state !== "held") array.placed.push(job);
      else if (released.has(job)) array.held.push(job);
    }
    return [...arrays.values()].filter(({ held }) => held.length > 0);
  }

  /**
   * Jobs that run since before the snapshot: when they began is in their rows.
   *
   * @param offsetSeconds time since 1970 less the farm's
   */
  findRuns(offsetSeconds: number): void {
    const { port, now, connection } = this;
    const { jobs } = port.view;
    const rows = connection.all(
      "SELECT engine_job, started_at, suspended_seconds, suspended_at FROM attempt WHERE outcome IS NULL",
    );
    const attempts = new Map(rows.map((row) => [Number(row["engine_job"]), row]));
    for (const handle of jobs) {
      const job = port.numberOf(handle);
      if (this.runs.has(job) || WITHOUT_MACHINES.includes(jobs.stateOf(handle))) continue;
      const row = attempts.get(job);
      const unix = (column: string): number | null =>
        row?.[column] === null || row?.[column] === undefined ? null : Number(row[column]) - offsetSeconds;
      const began = Math.min(unix("started_at") ?? now, now);
      const stood = Number(row?.["suspended_seconds"] ?? 0);
      const isStopped = jobs.stateOf(handle) === SUSPENDED;
      const stopped = Math.min(unix("suspended_at") ?? began, now);
      // As if it had begun later by the time that it stood still.
      this.runs.set(job, {
        runSeconds: NaN,
        doneSeconds: isStopped ? Math.max(0, stopped - began - stood) : 0,
        sinceSeconds: isStopped ? NaN : began + stood,
        attempt: jobs.attemptOf(handle),
      });
    }
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
