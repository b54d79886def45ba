import type { EngineEvent, PlainDecision } from "../core/index.ts";
import type { PlainFarm } from "../live/service/plain-farm.ts";
import type { PastWatch } from "./replay.ts";

/** What the journal says of a job. Times are on the farm's clock; NaN: that has not happened. */
export interface JournalJob {
  submittedAt: number;
  /** When it could first be started: it was held before, or waited for others. */
  readyAt: number;
  isHeld: boolean;
  startedAt: number;
  cancelledAt: number;
  /** Attempts at it that are not over: two, where a strategy made a second one. */
  readonly attempts: Map<number, Attempt>;
  /** What the attempt that ended it had run; NaN: it is not over, or was not running. */
  ranSeconds: number;
}

interface Attempt {
  /** What it has run until it last stopped, on a machine of speed 1. */
  ranSeconds: number;
  /** Since when it runs; NaN: it does not. */
  runsSince: number;
  speed: number;
}

/** A time in which a machine took nothing new. */
export interface Closing {
  readonly pool: string;
  readonly machine: string;
  readonly from: number;
  /** Infinity: to the end of what is known. */
  until: number;
}

/** Gathers what the journal says of jobs and machines. */
export class JournalJobs implements PastWatch {
  readonly jobs = new Map<number, JournalJob>();
  readonly closings: Closing[] = [];
  /** Machines that became larger or smaller. */
  resized = 0;
  /** Policies and rules that were in force, the last one last. */
  readonly farms: PlainFarm[] = [];
  private readonly open = new Map<string, Closing>();
  private readonly firstOf = new Map<number, number>();

  settings(farm: PlainFarm, at: number): void {
    this.farms.push(farm);
    // The new engine is told at once which machines are closed.
    for (const closing of this.open.values()) closing.until = at;
    this.open.clear();
  }

  event(event: EngineEvent, decisions: readonly PlainDecision[]): void {
    this.happened(event);
    for (const decision of decisions) this.decided(decision, event.at);
  }

  /** What a job has run by then, in the attempt that ended it or that has run longest. */
  static ranBy({ ranSeconds, attempts }: JournalJob, at: number): number {
    if (!Number.isNaN(ranSeconds)) return ranSeconds;
    return Math.max(0, ...Array.from(attempts.values(), (attempt) => ranBy(attempt, at)));
  }

  private happened(event: EngineEvent): void {
    const { at } = event;
    switch (event.type) {
      case "submitted":
        this.jobs.set(event.job, {
          submittedAt: at,
          readyAt: at,
          isHeld: false,
          startedAt: NaN,
          cancelledAt: NaN,
          attempts: new Map(),
          ranSeconds: NaN,
        });
        return;
      case "machineDrained":
      case "machineUndrained":
        return this.closes(event.pool, event.machine, event.type === "machineDrained", at);
      case "machineChanged":
        this.resized++;
        return;
    }
    if (!("job" in event)) return;
    const job = this.jobOf(event.job);
    if (job === undefined) return;
    switch (event.type) {
      case "held":
        job.isHeld = true;
        return;
      case "released":
        job.isHeld = false;
        if (Number.isNaN(job.startedAt)) job.readyAt = at;
        return;
      case "cancelled":
        job.cancelledAt = at;
        return;
      case "started":
        if (Number.isNaN(job.startedAt)) job.startedAt = at;
        return this.runs(job, event.job, at);
      case "resumed":
        return this.runs(job, event.job, at);
      case "suspended":
        return this.stops(job, event.job, at);
      case "exited":
        return this.ends(job, event.job, at);
      case "killed":
        // One that is ended for its user has run so long; one that makes room begins anew.
        if (Number.isNaN(job.cancelledAt)) job.attempts.delete(event.job);
        else this.ends(job, event.job, at);
        return;
      case "startFailed":
        job.attempts.delete(event.job);
    }
  }

  private decided(decision: PlainDecision, at: number): void {
    if (decision.type === "DUPLICATE") this.firstOf.set(decision.job, decision.of);
    if (decision.type !== "START" && decision.type !== "LOST") return;
    const job = this.jobOf(decision.job);
    if (job === undefined) return;
    if (decision.type === "START") {
      const machine = this.farms.at(-1)?.pools[decision.pool]?.machines[decision.placement[0]?.machine ?? 0];
      job.attempts.set(decision.job, { ranSeconds: 0, runsSince: NaN, speed: machine?.speed ?? 1 });
    } else if (decision.goesOn || job.attempts.size > 1) job.attempts.delete(decision.job);
    else this.ends(job, decision.job, at);
  }

  private runs({ attempts }: JournalJob, number: number, at: number): void {
    const attempt = attempts.get(number);
    if (attempt !== undefined) attempt.runsSince = at;
  }

  private stops({ attempts }: JournalJob, number: number, at: number): void {
    const attempt = attempts.get(number);
    if (attempt === undefined) return;
    attempt.ranSeconds = ranBy(attempt, at);
    attempt.runsSince = NaN;
  }

  private ends(job: JournalJob, number: number, at: number): void {
    const attempt = job.attempts.get(number);
    if (attempt !== undefined) job.ranSeconds = ranBy(attempt, at);
    job.attempts.delete(number);
  }

  private closes(poolNumber: number, machineNumber: number, isClosed: boolean, at: number): void {
    const pool = this.farms.at(-1)?.pools[poolNumber];
    const machine = pool?.machines[machineNumber];
    if (pool === undefined || machine === undefined) return;
    const key = `${pool.name}/${machine.name}`;
    const open = this.open.get(key);
    if (isClosed && open === undefined) {
      const closing = { pool: pool.name, machine: machine.name, from: at, until: Infinity };
      this.open.set(key, closing);
      this.closings.push(closing);
    }
    if (!isClosed && open !== undefined) {
      open.until = at;
      this.open.delete(key);
    }
  }

  private jobOf(number: number): JournalJob | undefined {
    return this.jobs.get(this.firstOf.get(number) ?? number);
  }
}

function ranBy({ ranSeconds, runsSince, speed }: Attempt, at: number): number {
  return ranSeconds + (Number.isNaN(runsSince) ? 0 : (at - runsSince) * speed);
}
