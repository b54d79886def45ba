import { ineligibleText, NONE, type Pool } from "../core/index.ts";
import { emptyRequest, setRequest } from "./request.ts";
import type { Workload } from "../workload/index.ts";
import { PlacementLog, type Schedule } from "./schedule.ts";

/** Sees a run go by. Nothing depends on it. */
export interface RunObserver {
  /** Time goes on to `now`; nothing has happened yet since it stood still last. */
  advance(now: number): void;
  /** A job has started that will end at `end`. */
  start(job: number, end: number): void;
  /** A job ends; it has its placement still. */
  finish(job: number): void;
}

/**
 * Stands between a workload's rows and a pool's handles: submits the next row,
 * notes what the pool starts, reports what has ended. The loops decide when.
 */
export class Driver {
  readonly pool: Pool;
  readonly schedule: Schedule;
  /** The row that is submitted next; the workload's count when all are. */
  nextRow = 0;
  /** When the last event so far happened. */
  lastEvent = -Infinity;
  queueLengthMax = 0;
  cycles = 0;
  matchingCycles = 0;
  /** Cycles in which each member of Max-Jobs' list reached the maximum, of the matching ones. */
  readonly wins: Float64Array;
  /** Reasons of rejected jobs and how often. */
  readonly rejections = new Map<string, number>();
  private readonly workload: Workload;
  private readonly estimateSeconds: Float64Array;
  private readonly heuristicOf: Int32Array | null;
  private rowOf = new Int32Array(1024);
  private readonly progress: Int32Array | null;
  private readonly request = emptyRequest();
  /** Each row's family, where jobs are packed. */
  familyOf: Uint8Array | null = null;
  observer: RunObserver | null = null;

  /**
   * @param estimateSeconds expected run time by row
   * @param heuristicOf the named heuristic's number by row; null where jobs name none
   * @param keepMachines whether the schedule tells machines
   * @param progress its first element counts the jobs that have been submitted
   */
  constructor(
    pool: Pool,
    workload: Workload,
    submitSeconds: Float64Array,
    estimateSeconds: Float64Array,
    heuristicOf: Int32Array | null,
    keepMachines: boolean,
    progress: Int32Array | null,
  ) {
    this.pool = pool;
    this.workload = workload;
    this.estimateSeconds = estimateSeconds;
    this.heuristicOf = heuristicOf;
    this.progress = progress;
    this.wins = new Float64Array(pool.policy.winners?.names.length ?? 0);
    this.schedule = {
      submitSeconds,
      startSeconds: new Float64Array(workload.count).fill(NaN),
      machines: keepMachines ? new PlacementLog(workload.count) : null,
    };
  }

  /** When the next row is submitted; `Infinity` when all are. */
  get nextSubmit(): number {
    return this.nextRow < this.workload.count ? this.schedule.submitSeconds[this.nextRow] : Infinity;
  }

  /** Submits the next row. Returns its handle, or `NONE` where the pool can never hold it. */
  submit(): number {
    return this.submitRow(this.takeRow());
  }

  /** The row whose turn it is, for a loop that keeps queues of its own. */
  takeRow(): number {
    const row = this.nextRow++;
    if (this.progress !== null && (row & 4095) === 0) this.progress[0] = row;
    return row;
  }

  /** Submits a row: see `submit`. */
  submitRow(row: number): number {
    const { workload, request, pool } = this;
    const { project } = workload;
    setRequest(request, workload, row, pool.machines);
    request.project = project === null ? 0 : project.codes[row];
    request.family = this.familyOf === null ? 0 : this.familyOf[row];
    request.heuristic = this.heuristicOf === null ? NONE : this.heuristicOf[row];
    request.estimateSeconds = this.estimateSeconds[row];
    this.lastEvent = Math.max(this.lastEvent, this.schedule.submitSeconds[row]);
    const reason = pool.ineligible(request);
    if (reason !== null) {
      const text = ineligibleText(reason);
      this.rejections.set(text, (this.rejections.get(text) ?? 0) + 1);
      return NONE;
    }
    const job = pool.submit(request);
    if (job >= this.rowOf.length) {
      const wider = new Int32Array(pool.jobs.capacity);
      wider.set(this.rowOf);
      this.rowOf = wider;
    }
    this.rowOf[job] = row;
    return job;
  }

  /** Time goes on to `now`, before anything happens then. */
  advance(now: number): void {
    this.observer?.advance(now);
  }

  /** A running job ends. */
  finish(job: number): void {
    this.observer?.finish(job);
    this.pool.finish(job);
  }

  /** Running jobs end, each when it does: who observes the run sees what is in use in between. */
  finishInTurn(ending: readonly number[]): void {
    const ended = ending.map((job) => ({ job, end: this.endOf(job) }));
    for (const { job, end } of ended.sort((a, b) => a.end - b.end)) {
      this.advance(end);
      this.finish(job);
    }
  }

  private endOf(job: number): number {
    const row = this.rowOf[job];
    return this.schedule.startSeconds[row] + this.workload.runtimeSeconds[row];
  }

  /** Runs a cycle; `started` is told of each job that starts and of when it will end. Returns how many. */
  cycle(now: number, started: (job: number, end: number) => void): number {
    const { pool, schedule, rowOf } = this;
    if (pool.waiting > this.queueLengthMax) this.queueLengthMax = pool.waiting;
    pool.cycle(now);
    this.cycles++;
    const count = pool.startedCount;
    if (count === 0) return 0;
    this.matchingCycles++;
    const winners = pool.policy.winners;
    if (winners !== undefined) for (let i = 0; i < this.wins.length; i++) this.wins[i] += winners.won[i];
    for (let i = 0; i < count; i++) {
      const job = pool.started[i];
      const row = rowOf[job];
      schedule.startSeconds[row] = now;
      const end = this.endOf(job);
      schedule.machines?.record(row, pool, job);
      if (end > this.lastEvent) this.lastEvent = end;
      started(job, end);
      this.observer?.start(job, end);
    }
    return count;
  }
}
