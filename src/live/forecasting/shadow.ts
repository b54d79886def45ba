import {
  HELD,
  IN_TRANSFER,
  SUSPENDED,
  UNASSIGNED,
  WAITING,
  type EngineEvent,
  type PlainDecision,
  type PlainRequest,
} from "../../core/index.ts";
import type { Run } from "../../forecast/index.ts";
import { arrivalsOf, Replica, twinsOf } from "../replica/replica.ts";
import type { Connection } from "../store/connection.ts";

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
