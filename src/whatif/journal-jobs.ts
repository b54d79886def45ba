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
  /** What it has run in its present attempt, on a machine of speed 1, until it last stopped. */
  ranSeconds: number;
  /** Since when it runs. */
  runsSince: number;
  speed: number;
  cancelledAt: number;
  /** Whether it is over. */
  isOver: boolean;
  /** Attempts that were ended for another job, moved or lost. */
  restarts: number;
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

  /** What a job has run in its present attempt by then. */
  static ranBy({ ranSeconds, runsSince, speed }: JournalJob, at: number): number {
    return ranSeconds + (Number.isNaN(runsSince) ? 0 : (at - runsSince) * speed);
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
          ranSeconds: 0,
          runsSince: NaN,
          speed: 1,
          cancelledAt: NaN,
          isOver: false,
          restarts: 0,
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
        if (Number.isNaN(job.runsSince)) job.isOver = true;
        return;
      case "started":
        if (Number.isNaN(job.startedAt)) job.startedAt = at;
        job.runsSince = at;
        return;
      case "resumed":
        job.runsSince = at;
        return;
      case "suspended":
        return stop(job, at);
      case "exited":
        stop(job, at);
        job.isOver = true;
        return;
      case "killed":
        stop(job, at);
        if (!Number.isNaN(job.cancelledAt)) job.isOver = true;
        else restart(job);
        return;
      case "lost":
        return stop(job, at);
      case "startFailed":
        job.runsSince = NaN;
    }
  }

  private decided(decision: PlainDecision, at: number): void {
    if (decision.type === "DUPLICATE") this.firstOf.set(decision.job, decision.of);
    if (decision.type === "START") {
      const job = this.jobOf(decision.job);
      const machine = this.farms.at(-1)?.pools[decision.pool]?.machines[decision.placement[0]?.machine ?? 0];
      if (job !== undefined) job.speed = machine?.speed ?? 1;
    }
    if (decision.type === "LOST") {
      const job = this.jobOf(decision.job);
      if (job === undefined) return;
      stop(job, at);
      if (decision.goesOn) restart(job);
      else job.isOver = true;
    }
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

function stop(job: JournalJob, at: number): void {
  job.ranSeconds = JournalJobs.ranBy(job, at);
  job.runsSince = NaN;
}

function restart(job: JournalJob): void {
  job.ranSeconds = 0;
  job.restarts++;
}
