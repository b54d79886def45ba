import {
  CANCEL,
  DUPLICATE,
  KILL,
  KILL_TO_PREEMPT,
  KILL_TWIN,
  KILLING,
  LOST,
  MOVE,
  NONE,
  RESUME,
  START,
  SUSPEND,
  TimeHeap,
  type Engine,
  type EngineJobRequest,
} from "../../core/index.ts";
import { InputError, type Workload } from "../../workload/index.ts";
import type { BuiltEngine } from "../build/build-engine.ts";
import { rejectionText } from "../build/rejection-text.ts";
import type { PlacementLog } from "../schedule.ts";
import { JobTimes, type Doing } from "./job-times.ts";
import type { Ledger } from "./ledger.ts";

/** Is told what happens in a run. Nothing depends on it. */
export interface RunObserver {
  /** Time goes on to `now`; nothing has happened yet since it stood still last. */
  advance?(now: number): void;
  /** @param reason in words */
  rejected?(row: number, now: number, reason: string): void;
  submitted?(row: number, job: number, pool: number, now: number): void;
  /** The engine's decision has been read, and is about to be carried out. */
  decided?(now: number): void;
  /** A job that was on its way is there. */
  arrived?(job: number, pool: number, now: number): void;
  /** A job runs from now on, and will end at `end` if nothing comes in between. */
  runs?(job: number, pool: number, end: number): void;
  /** A running job stops, or ends; it has its placement still. */
  stops?(job: number, pool: number): void;
  finished?(row: number, job: number, pool: number, now: number): void;
}

/** Of what a driver is made. */
export interface DriverParts {
  readonly built: BuiltEngine;
  readonly workload: Workload;
  readonly ledger: Ledger;
  /** Expected run time by row. */
  readonly estimateSeconds: Float64Array;
  readonly checkpointSeconds: number | null;
  /** Takes where each job ran, by row; null: nobody asks. */
  readonly placements: PlacementLog | null;
  /** Its first element counts the jobs that have been submitted. */
  readonly progress: Int32Array | null;
  /** Whether somebody watches every job to its end, or machines may still fail under it. */
  readonly runsToTheEnd: boolean;
}

/** How often a job starts again after its machine failed: as often as it has to. */
const RETRIES = 2 ** 30;

/** A job that was lost more often than this would hardly ever end, nor would the run. */
const MOST_FAILURES = 1000;

/**
 * Stands between a workload's rows and the engine's handles: submits the next row, carries decisions out in virtual
 * time, reports what came of them. The clock decides when.
 */
export class Driver {
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly workload: Workload;
  /** The jobs that run, by when they end: entries that are not `endOf` any more do not count. */
  readonly running = new TimeHeap();
  /** Jobs on their way by when they arrive. */
  readonly travelling = new TimeHeap();
  nextRow = 0;
  readonly observers: RunObserver[] = [];
  /** Reasons of rejected jobs and how often. */
  readonly rejections = new Map<string, number>();
  /** Set by an observer that has seen enough: the run ends. */
  isStopped = false;
  /** Where a clock keeps the running jobs itself, instead of in `running`: they run to their ends, and nothing else. */
  calendar: { add(job: number, end: number): void } | null = null;
  private readonly parts: DriverParts;
  private readonly request: EngineJobRequest;
  private readonly considersMemory: boolean;
  private readonly considersGpu: boolean;
  private readonly hasSpeeds: boolean;
  /** By pool: the number of its first machine among all. */
  private readonly firstMachine: readonly number[];
  /** By handle: when it will end; NaN while it does not run. */
  endOf = new Float64Array(1024).fill(NaN);
  /** By handle: the row, and its times, if any. */
  private rowOf = new Int32Array(1024);
  /** By handle: the speed of the machine where it is, or was last. */
  private speed = new Float64Array(1024).fill(1);
  private readonly times: (JobTimes | undefined)[] = [];
  /** Whether any job has had times of its own. */
  private hasTimes = false;
  private runningCount = 0;
  private suspendedCount = 0;
  private travellingCount = 0;

  constructor(parts: DriverParts) {
    const { built, workload } = parts;
    this.parts = parts;
    this.engine = built.engine;
    this.ledger = parts.ledger;
    this.workload = workload;
    this.considersMemory = built.machines.some(({ memoryMiB }) => memoryMiB !== null);
    this.considersGpu = built.machines.some(({ gpuMilli }) => gpuMilli !== null);
    this.hasSpeeds = built.speeds.some((speeds) => speeds.some((speed) => speed !== 1));
    let first = 0;
    this.firstMachine = built.machines.map(({ coresMilli }) => {
      first += coresMilli.length;
      return first - coresMilli.length;
    });
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
    return this.suspendedCount;
  }

  /** Whether nothing is left to be decided: what still runs will just end. */
  get isSettled(): boolean {
    return this.isIdle && this.ledger.duplicates === 0;
  }

  /** Whether the run may end: every job is over, or all that is left is to run to its end, unwatched. */
  get isDone(): boolean {
    if (this.runningCount === 0) return this.isIdle;
    return this.isSettled && !this.parts.runsToTheEnd;
  }

  /** Whether no job waits, is suspended, is on its way or is yet to come. */
  private get isIdle(): boolean {
    const isEmpty = this.waiting + this.suspendedCount + this.travellingCount === 0;
    return isEmpty && this.nextRow === this.workload.count;
  }

  rowOfJob(job: number): number {
    return this.rowOf[job];
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
    request.estimateSeconds = estimateSeconds[row];
    request.requirement = rows.requirement === null ? 0 : rows.requirement[row];
    request.owner = rows.owner === null ? 0 : rows.owner[row];
    request.virtualPool = rows.virtualPool === null ? 0 : rows.virtualPool[row];
    request.candidates = rows.candidates === null ? 0 : rows.candidates[row];
    request.priority = rows.priority === null ? 0 : rows.priority[row];
    const job = engine.submit(request, now);
    if (job === NONE) {
      const text = rejectionText(engine.rejection, built.requirements);
      this.rejections.set(text, (this.rejections.get(text) ?? 0) + 1);
      for (const observer of this.observers) observer.rejected?.(row, now, text);
      return NONE;
    }
    if (job >= this.rowOf.length) this.grow();
    this.rowOf[job] = row;
    for (const observer of this.observers) observer.submitted?.(row, job, engine.engineJobs.pool[job], now);
    if (engine.hasDecisions) this.carryOut(now, false);
    return job;
  }

  /** Time goes on to `now`, before anything happens then. */
  advance(now: number): void {
    for (const observer of this.observers) observer.advance?.(now);
  }

  /** Ends the jobs that end at this time. */
  finishAll(now: number): void {
    const { running, endOf } = this;
    while (running.firstTime === now) {
      const job = running.take();
      if (endOf[job] === now) this.finish(job, now);
    }
  }

  /** Running jobs end, each when it does: who observes the run sees what is in use in between. */
  finishInTurn(ending: readonly number[], now: number): void {
    const { endOf } = this;
    for (const job of ending.toSorted((a, b) => endOf[a] - endOf[b])) {
      this.advance(endOf[job]);
      this.finish(job, now);
    }
  }

  /** A job of a calendar's ends, and nobody watches. */
  exit(job: number, now: number): void {
    this.runningCount--;
    this.engine.outcomes.exited(job, now);
  }

  /** A running job ends, as it was to. */
  finish(job: number, now: number): void {
    const { engine } = this;
    const end = this.endOf[job];
    if (this.observers.length > 0) {
      const pool = engine.engineJobs.pool[job];
      for (const observer of this.observers) {
        observer.stops?.(job, pool);
        observer.finished?.(this.rowOf[job], job, pool, end);
      }
    }
    this.endOf[job] = NaN;
    this.runningCount--;
    this.complete(job, end);
    engine.outcomes.exited(job, now);
    if (engine.hasDecisions) this.carryOut(now, false);
  }

  /** Lets jobs arrive whose way ends at this time. */
  arriveAll(now: number): void {
    const { travelling, engine, times } = this;
    while (travelling.firstTime === now) {
      const job = travelling.take();
      const ofJob = times[job];
      if (ofJob === undefined || ofJob.doing !== "travels" || this.endOf[job] !== now) continue;
      this.endOf[job] = NaN;
      engine.arrived(job, now);
      this.turn(ofJob, "waits", now);
      for (const observer of this.observers) observer.arrived?.(job, engine.engineJobs.pool[job], now);
    }
  }

  /** A machine fails, or is repaired. */
  machineFails(pool: number, machine: number, isDown: boolean, now: number): void {
    if (isDown) this.engine.machines.down(pool, machine, now);
    else this.engine.machines.up(pool, machine, now);
    this.carryOut(now, false);
  }

  /** A cycle of one pool, at the wish of a clock that plans the cycles itself; how many jobs it started. */
  cycle(pool: number, now: number): number {
    this.engine.cycle(pool, now);
    const count = this.engine.pools[pool].started.length;
    this.carryOut(now, false);
    return count;
  }

  /** Does what is decided, in order; the cycles that are due run in between, unless the clock plans them itself. */
  carryOut(now: number, runsDue: boolean): void {
    const { engine, observers } = this;
    const { decision } = engine;
    while (runsDue ? engine.next(now) : engine.take(now)) {
      const { kind, job, pool, other, seconds } = decision;
      if (observers.length > 0) for (const observer of observers) observer.decided?.(now);
      switch (kind) {
        case START:
          this.start(job, pool, now);
          engine.outcomes.started(job, now);
          break;
        case RESUME:
          this.suspendedCount--;
          this.run(job, pool, now);
          engine.outcomes.resumed(job, now);
          break;
        case SUSPEND: {
          const times = this.stop(job, pool, now);
          times.suspensions++;
          this.suspendedCount++;
          times.turnTo("suspended", now);
          engine.outcomes.suspended(job, now);
          break;
        }
        case KILL: {
          const times = this.kill(job, pool, now);
          if (other === KILL_TO_PREEMPT) {
            times.suspensions++;
            this.restart(times, false);
            this.turn(times, "waits", now);
          }
          engine.outcomes.killed(job, now);
          break;
        }
        case MOVE:
          this.moved(job, other, seconds, now);
          break;
        case DUPLICATE:
          this.duplicate(job, other, seconds, now);
          break;
        case CANCEL:
          this.overtaken(job, now);
          break;
        case LOST: {
          const times = this.kill(job, pool, now);
          if (++times.failures > MOST_FAILURES) throw this.neverEnds(times.row, now);
          this.restart(times, true);
          // The other attempt goes on alone, and the handle of this one goes to another job.
          if (other === 0) this.overtakenBy(times, job);
          else this.turn(times, "waits", now);
          break;
        }
      }
    }
  }

  /** Once nothing is left to be decided: notes the ends of those that still run. */
  finishRest(): void {
    const { running, endOf } = this;
    while (running.firstTime < Infinity) {
      const end = running.firstTime;
      const job = running.take();
      if (endOf[job] !== end) continue;
      endOf[job] = NaN;
      this.complete(job, end);
    }
  }

  private start(job: number, pool: number, now: number): void {
    const { ledger } = this;
    const row = this.rowOf[job];
    const { placements } = this.parts;
    if (Number.isNaN(ledger.startSeconds[row])) ledger.startSeconds[row] = now;
    if (ledger.poolOf !== null) ledger.poolOf[row] = pool;
    if (this.hasSpeeds) this.speed[job] = this.engine.pools[pool].placed.speedOf(job);
    placements?.record(row, this.engine.pools[pool].pool, job, this.firstMachine[pool]);
    this.run(job, pool, now);
  }

  private run(job: number, pool: number, now: number): void {
    const { workload, ledger } = this;
    const row = this.rowOf[job];
    const times = this.hasTimes ? this.times[job] : undefined;
    const speed = this.hasSpeeds ? this.speed[job] : 1;
    let left = workload.runtimeSeconds[row];
    if (times !== undefined) {
      times.turnTo("runs", now);
      times.speed = speed;
      // What was done in parts of a second at another speed may have been rounded up.
      left = Math.max(0, left - times.progress);
    }
    const seconds = left / speed;
    const end = now + seconds;
    this.use(pool, row, seconds);
    if (end > ledger.lastEnd) ledger.lastEnd = end;
    this.runningCount++;
    if (this.calendar === null) {
      this.endOf[job] = end;
      this.running.add(job, end);
    } else this.calendar.add(job, end);
    if (this.observers.length > 0) for (const observer of this.observers) observer.runs?.(job, pool, end);
  }

  /** A running job stops before its end. */
  private stop(job: number, pool: number, now: number): JobTimes {
    for (const observer of this.observers) observer.stops?.(job, pool);
    const times = this.timesOf(job);
    this.use(pool, this.rowOf[job], now - this.endOf[job]);
    this.endOf[job] = NaN;
    this.runningCount--;
    return times;
  }

  /** A job is ended where it is: running, or suspended. */
  private kill(job: number, pool: number, now: number): JobTimes {
    const times = this.timesOf(job);
    if (times.doing === "runs") this.stop(job, pool, now);
    else if (times.doing === "suspended") this.suspendedCount--;
    times.turnTo("nothing", now);
    const { engineJobs } = this.engine;
    if (engineJobs.killReason[job] === KILL_TWIN && engineJobs.state[job] === KILLING)
      this.overtakenBy(times, job);
    return times;
  }

  private neverEnds(row: number, now: number): InputError {
    const { name, jobNumber, runtimeSeconds } = this.workload;
    const job = jobNumber === null ? row + 1 : jobNumber[row];
    return new InputError(
      `job ${job} of workload ${name} was lost ${MOST_FAILURES} times by ${now} s: its ${runtimeSeconds[row]} s are too long ` +
        "for machines that fail so often; let them fail less often, or give a farm file with a checkpoint interval",
    );
  }

  private moved(job: number, from: number, seconds: number, now: number): void {
    const isNew = from === NONE;
    const times = this.timesOf(job);
    times.turnTo("nothing", now);
    if (!isNew) {
      this.restart(times, false);
      times.moves++;
    }
    this.sendOff(job, times, seconds, now);
  }

  private duplicate(job: number, twin: number, seconds: number, now: number): void {
    const { checkpointSeconds } = this.parts;
    const row = this.rowOf[job];
    if (twin >= this.rowOf.length) this.grow();
    const times = this.timesOf(job).copy(now, checkpointSeconds);
    times.moves++;
    this.rowOf[twin] = row;
    this.endOf[twin] = NaN;
    this.times[twin] = times;
    this.hasTimes = true;
    this.ledger.duplicates++;
    this.sendOff(twin, times, seconds, now);
  }

  private sendOff(job: number, times: JobTimes, seconds: number, now: number): void {
    if (seconds === 0) {
      this.turn(times, "waits", now);
      return;
    }
    this.turn(times, "travels", now);
    this.endOf[job] = now + seconds;
    this.travelling.add(job, now + seconds);
  }

  private turn(times: JobTimes, doing: Doing, now: number): void {
    if (times.doing === "travels") this.travellingCount--;
    if (doing === "travels") this.travellingCount++;
    times.turnTo(doing, now);
  }

  /** A job starts again: what it ran since its last checkpoint was in vain. */
  private restart(times: JobTimes, isFailure: boolean): void {
    const lost = times.restart(this.parts.checkpointSeconds);
    if (isFailure) times.lostToFailures += lost;
  }

  private complete(job: number, end: number): void {
    const times = this.hasTimes ? this.times[job] : undefined;
    if (times === undefined) {
      if (this.hasSpeeds && this.speed[job] !== 1) this.ledger.setEnd(this.rowOf[job], end);
      return;
    }
    times.turnTo("nothing", end);
    this.ledger.completed(times, end);
    this.times[job] = undefined;
  }

  /** The other attempt at a job, which had no machines, is over. */
  private overtaken(job: number, now: number): void {
    const times = this.times[job];
    if (times === undefined) return;
    this.turn(times, "nothing", now);
    this.endOf[job] = NaN;
    this.overtakenBy(times, job);
  }

  private overtakenBy(times: JobTimes, job: number): void {
    const winner = this.ledger.times.get(times.row);
    if (winner !== undefined && winner !== times) this.ledger.overtaken(times, winner);
    this.times[job] = undefined;
  }

  /** A job's times, from what the schedule tells where it had none yet. */
  private timesOf(job: number): JobTimes {
    const known = this.times[job];
    if (known !== undefined) return known;
    const { ledger } = this;
    const row = this.rowOf[job];
    const times = new JobTimes(row, ledger.submitSeconds[row]);
    this.times[job] = times;
    ledger.times.set(row, times);
    const isRunning = !Number.isNaN(this.endOf[job]);
    times.turnTo("waits", ledger.submitSeconds[row]);
    // It has run once at most: else it would have times.
    if (isRunning) times.turnTo("runs", ledger.startSeconds[row]);
    times.speed = this.speed[job];
    this.hasTimes = true;
    return times;
  }

  /** A job uses its cores and memory for so long; what it then does not use is taken off with negative seconds. */
  private use(pool: number, row: number, seconds: number): void {
    const { workload, ledger } = this;
    const tasks = workload.tasks === null ? 1 : workload.tasks[row];
    ledger.coreSeconds[pool] += workload.coresMilli[row] * tasks * seconds;
    if (workload.memoryMiB !== null) ledger.memorySeconds[pool] += workload.memoryMiB[row] * tasks * seconds;
  }

  private grow(): void {
    const { capacity } = this.engine.engineJobs.jobs;
    const wider = <T extends Int32Array | Float64Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.rowOf = wider(this.rowOf, new Int32Array(capacity));
    this.endOf = wider(this.endOf, new Float64Array(capacity).fill(NaN));
    this.speed = wider(this.speed, new Float64Array(capacity).fill(1));
  }
}
