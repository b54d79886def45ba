import {
  CANCEL,
  DUPLICATE,
  ignoredText,
  KILL,
  KILL_TO_PREEMPT,
  KILL_TWIN,
  LOST,
  MOVE,
  NONE,
  RESUME,
  START,
  SUSPEND,
  TAKEN,
  type Engine,
  type EngineJobRequest,
  type Ignored,
} from "../../core/index.ts";
import type { Workload } from "../../workload/index.ts";
import type { BuiltEngine } from "../build/build-engine.ts";
import { rejectionText } from "../build/rejection-text.ts";
import type { PlacementLog } from "../schedule.ts";
import type { Predictions } from "./predictions.ts";
import { JobRuns } from "./job-runs.ts";
import type { Ledger } from "./ledger.ts";
import type { RunObserver } from "./run-observer.ts";
import { Stall } from "../settings/plugin.ts";

/** What a driver is made of. */
interface DriverParts {
  readonly built: BuiltEngine;
  readonly workload: Workload;
  readonly ledger: Ledger;
  /** Expected run time by row. */
  readonly estimateSeconds: Float64Array;
  /** Predicts run times instead; null: the run has no predictions. */
  readonly predictions: Predictions | null;
  readonly checkpointSeconds: number | null;
  /** Records where each job ran, by row; null: not recorded. */
  readonly placements: PlacementLog | null;
  /** By row: takes the first time that each job was promised; null: not recorded. */
  readonly promisedSeconds: Float64Array | null;
  /** Its first element counts the jobs that have been submitted. */
  readonly progress: Int32Array | null;
  /**
   * Whether the run lasts until every job has ended, because an observer wants to see it or machines may still fail.
   */
  readonly runsToTheEnd: boolean;
}

/** How often the engine restarts a job whose machine failed: as often as needed, until `JobRuns` gives up. */
const RETRIES = 2 ** 30;

/**
 * Connects a workload's rows with the engine's handles: submits the next row, carries out decisions in virtual time,
 * and reports their results to the engine. The clock decides when.
 */
export class Driver {
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly workload: Workload;
  readonly runs: JobRuns;
  /** Null without predicted run times. */
  readonly predictions: Predictions | null;
  nextRow = 0;
  readonly observers: RunObserver[] = [];
  /** Reasons of rejected jobs and how often. */
  readonly rejections = new Map<string, number>();
  /** Set by an observer that has seen enough: the run ends. */
  isStopped = false;
  private readonly parts: DriverParts;
  private readonly request: EngineJobRequest;
  private readonly considersMemory: boolean;
  private readonly considersGpu: boolean;
  private readonly hasSpeeds: boolean;

  constructor(parts: DriverParts) {
    const { built, workload } = parts;
    this.parts = parts;
    this.engine = built.engine;
    this.ledger = parts.ledger;
    this.predictions = parts.predictions;
    this.workload = workload;
    this.considersMemory = built.machines.some(({ memoryMiB }) => memoryMiB !== null);
    this.considersGpu = built.machines.some(({ gpuMilli }) => gpuMilli !== null);
    this.hasSpeeds = built.speeds.some((speeds) => speeds.some((speed) => speed !== 1));
    this.runs = new JobRuns({ ...parts, hasSpeeds: this.hasSpeeds, observers: this.observers });
    this.request = {
      cores: 0,
      memory: 0,
      gpu: 0,
      tasks: 1,
      project: 0,
      family: 0,
      heuristic: NONE,
      estimateSeconds: 0,
      requirement: 0,
      licences: 0,
      owner: 0,
      virtualPool: 0,
      candidates: 0,
      priority: 0,
      retries: RETRIES,
    };
  }

  /** When the next row is submitted; `Infinity` when all are. */
  get nextSubmit(): number {
    return this.nextRow < this.workload.count ? this.ledger.submitSeconds[this.nextRow] : Infinity;
  }

  /** Jobs that wait, in all pools. */
  get waiting(): number {
    return this.engine.engineJobs.waiting;
  }

  get suspended(): number {
    return this.runs.suspendedCount;
  }

  /** Whether no decision is left: the jobs that still run will just end. */
  get isSettled(): boolean {
    return this.isIdle && this.ledger.duplicates === 0;
  }

  /**
   * Whether the run may end: every job is over, or the remaining ones just run to their ends, which need not be
   * simulated.
   */
  get isDone(): boolean {
    if (this.runs.runningCount === 0) return this.isIdle;
    return this.isSettled && !this.parts.runsToTheEnd;
  }

  /** Whether no job waits, is suspended, is on its way or is yet to come. */
  private get isIdle(): boolean {
    const { suspendedCount, travellingCount } = this.runs;
    return this.waiting + suspendedCount + travellingCount === 0 && this.nextRow === this.workload.count;
  }

  /** When the first of the running jobs ends, or the first of those on their way arrives. */
  get nextEnd(): number {
    return Math.min(this.runs.running.firstTime, this.runs.travelling.firstTime);
  }

  rowOfJob(job: number): number {
    return this.runs.rowOf[job];
  }

  /** Submits the next row. Returns its handle, or `NONE` where no pool takes it. */
  submit(now: number): number {
    const { workload, engine, request } = this;
    const { progress, built, estimateSeconds } = this.parts;
    const { rows } = built;
    const row = this.nextRow++;
    if (progress !== null && (row & 4095) === 0) progress[0] = row;
    request.cores = workload.coresMilli[row];
    request.memory = workload.memoryMiB === null || !this.considersMemory ? 0 : workload.memoryMiB[row];
    request.gpu = workload.gpuMilli === null || !this.considersGpu ? 0 : workload.gpuMilli[row];
    request.tasks = workload.tasks === null ? 1 : workload.tasks[row];
    request.project = workload.project === null ? 0 : workload.project.codes[row];
    request.family = rows.family === null ? 0 : rows.family[row];
    request.heuristic = rows.heuristic === null ? NONE : rows.heuristic[row];
    request.estimateSeconds = this.predictions?.predict(row, now) ?? estimateSeconds[row];
    request.requirement = rows.requirement === null ? 0 : rows.requirement[row];
    request.licences = rows.licences === null ? 0 : rows.licences[row];
    request.owner = rows.owner === null ? 0 : rows.owner[row];
    request.virtualPool = rows.virtualPool === null ? 0 : rows.virtualPool[row];
    request.candidates = rows.candidates === null ? 0 : rows.candidates[row];
    request.priority = rows.priority === null ? 0 : rows.priority[row];
    const job = engine.submit(request, now);
    if (job === NONE) {
      const text = rejectionText(engine.rejection, built);
      this.rejections.set(text, (this.rejections.get(text) ?? 0) + 1);
      for (const observer of this.observers) observer.rejected?.(row, now, text);
      return NONE;
    }
    this.runs.open(job, row);
    for (const observer of this.observers) observer.submitted?.(row, job, engine.engineJobs.pool[job], now);
    if (engine.hasDecisions) this.carryOut(now, false);
    return job;
  }

  /**
   * Nothing will happen any more, and some jobs have not run.
   *
   * @throws Stall
   */
  stall(): never {
    const { waiting, suspended } = this;
    const names = [...new Set(this.parts.built.policies.map(({ name }) => name))];
    const policy =
      names.length === 1 ? `policy ${names[0]} starts` : `the policies ${names.join(", ")} start`;
    const also = suspended === 0 ? "" : `, ${suspended} are suspended`;
    throw new Stall(
      `the run is stuck: ${waiting} jobs wait${also}, nothing runs or is yet to come, and ${policy} none of them`,
    );
  }

  /** Advances time to `now`, before anything happens then. */
  advance(now: number): void {
    for (const observer of this.observers) observer.advance?.(now);
  }

  /** Ends the jobs that end at this time. */
  finishAll(now: number): void {
    const { running, endOf } = this.runs;
    while (running.firstTime === now) {
      const job = running.take();
      if (endOf[job] !== now) continue;
      this.predictions?.ends(this.runs.rowOf[job], now);
      this.finish(job);
    }
  }

  /** Ends running jobs one by one, each at its own time: observers see what is in use in between, and usage counts it. */
  finishInTurn(ending: readonly number[]): void {
    const { endOf } = this.runs;
    for (const job of ending.toSorted((a, b) => endOf[a] - endOf[b])) {
      this.advance(endOf[job]);
      this.finish(job);
    }
  }

  /** Ends a job of the `calendar`, where nobody needs to know when. */
  exit(job: number, now: number): void {
    this.runs.runningCount--;
    mustTake(this.engine.outcomes.exited(job, now));
  }

  /** Ends a running job at its planned end, which a clock may have passed. */
  finish(job: number): void {
    const { engine, runs } = this;
    const now = runs.endOf[job];
    if (this.observers.length > 0) {
      const pool = engine.engineJobs.pool[job];
      for (const observer of this.observers) {
        observer.stops?.(job, pool);
        observer.finished?.(runs.rowOf[job], job, pool, now);
      }
    }
    runs.end(job);
    this.predictions?.stops(job);
    mustTake(engine.outcomes.exited(job, now));
    if (engine.hasDecisions) this.carryOut(now, false);
  }

  /** Lets the jobs arrive whose transfer ends at this time. */
  arriveAll(now: number): void {
    const { engine, runs } = this;
    while (runs.travelling.firstTime === now) {
      const job = runs.travelling.take();
      if (!runs.arrive(job, now)) continue;
      mustTake(engine.arrived(job, now));
      for (const observer of this.observers) observer.arrived?.(job, engine.engineJobs.pool[job], now);
    }
  }

  /** A machine fails, or is repaired. */
  machineFails(pool: number, machine: number, isDown: boolean, now: number): void {
    const { machines } = this.engine;
    mustTake(isDown ? machines.down(pool, machine, now) : machines.up(pool, machine, now));
    this.carryOut(now, false);
  }

  /** Runs a cycle of one pool, for a clock that plans the cycles itself. Returns how many jobs it started. */
  cycle(pool: number, now: number): number {
    this.engine.cycle(pool, now);
    const count = this.engine.pools[pool].outcome.started.length;
    this.carryOut(now, false);
    return count;
  }

  /** Carries out what was decided, in order. Cycles that are due run in between, unless the clock plans them itself. */
  carryOut(now: number, runsDue: boolean): void {
    const { engine, observers, runs } = this;
    const { decision } = engine;
    while (runsDue ? engine.next(now) : engine.take(now)) {
      const { kind, job, pool, other, seconds } = decision;
      if (observers.length > 0) for (const observer of observers) observer.decided?.(now);
      switch (kind) {
        case START:
          this.start(job, pool, now);
          mustTake(engine.outcomes.started(job, now));
          break;
        case RESUME:
          runs.resume(job, pool, now);
          this.predictions?.runs(job, runs.rowOf[job], now);
          mustTake(engine.outcomes.resumed(job, now));
          break;
        case SUSPEND:
          runs.suspend(job, pool, now);
          this.predictions?.stops(job);
          mustTake(engine.outcomes.suspended(job, now));
          break;
        case KILL:
          runs.kill(job, pool, now);
          this.predictions?.stops(job);
          if (other === KILL_TWIN) runs.overtaken(job);
          if (other === KILL_TO_PREEMPT) runs.killedToPreempt(job, now);
          mustTake(engine.outcomes.killed(job, now));
          break;
        case MOVE:
          runs.move(job, other, seconds, now);
          break;
        case DUPLICATE:
          runs.duplicate(job, other, seconds, now);
          break;
        case CANCEL:
          runs.cancel(job, now);
          break;
        case LOST:
          runs.lose(job, pool, other !== 0, now);
          this.predictions?.stops(job);
          break;
      }
    }
  }

  private start(job: number, pool: number, now: number): void {
    const { ledger, runs } = this;
    const { placements, promisedSeconds, built } = this.parts;
    const row = runs.rowOf[job];
    if (Number.isNaN(ledger.startSeconds[row])) {
      ledger.startSeconds[row] = now;
      const { promised } = this.engine.pools[pool].pool.policy;
      if (promisedSeconds !== null && promised !== undefined)
        promisedSeconds[row] = promised.firstSeconds(job);
    }
    if (ledger.poolOf !== null) ledger.poolOf[row] = pool;
    if (this.hasSpeeds) runs.placed(job, this.engine.pools[pool].placed.speedOf(job));
    placements?.record(row, this.engine.pools[pool].pool, job, built.machines[pool].first);
    runs.run(job, pool, now);
    this.predictions?.runs(job, row, now);
  }
}

/** A driver whose events fit what was decided has none ignored; figures of a run in which one was would be wrong. */
function mustTake(answer: Ignored): void {
  if (answer !== TAKEN)
    throw new Error(`the engine ignored an event of a simulation: ${ignoredText[answer]}`);
}
