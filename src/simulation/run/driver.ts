import {
  CANCEL,
  DUPLICATE,
  KILL,
  KILL_TO_CANCEL,
  KILL_TO_PREEMPT,
  KILL_TWIN,
  LOST,
  MOVE,
  NONE,
  REJECTED,
  RESUME,
  START,
  SUSPEND,
  type Port,
  type View,
} from "../../core/index.ts";
import type { Workload } from "../../workload/index.ts";
import type { BuiltEngine } from "../build/build-engine.ts";
import { RowRequests } from "../build/row-requests.ts";
import { exceededLimit } from "../build/limits.ts";
import { rejectionText } from "../build/rejection-text.ts";
import type { PlacementLog } from "../schedule.ts";
import type { Predictions } from "./predictions.ts";
import { Cancellations } from "./cancellations.ts";
import { Events, type AnswerType } from "./events.ts";
import { JobRuns } from "./job-runs.ts";
import type { Ledger } from "./ledger.ts";
import { mustTake } from "./must-take.ts";
import type { RunObserver } from "./run-observer.ts";
import { Submissions } from "./submissions.ts";
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

/**
 * Connects a workload's rows with the engine's handles: submits the next row, carries out decisions in virtual time,
 * and reports their results to the engine. The clock decides when.
 */
export class Driver {
  readonly port: Port;
  /** What the port shows. */
  readonly view: View;
  readonly ledger: Ledger;
  readonly workload: Workload;
  readonly runs: JobRuns;
  /** Null without predicted run times. */
  readonly predictions: Predictions | null;
  private readonly submissions: Submissions;
  readonly observers: RunObserver[] = [];
  /** The starts of jobs that held a promise, and the longest time after the first promise of one. */
  promised = 0;
  promiseDelayMaxSeconds = 0;
  /** Reasons of rejected jobs and how often. */
  readonly rejections = new Map<string, number>();
  /** Set by an observer that has seen enough: the run ends. */
  isStopped = false;
  /** Null where the workload tells of none. */
  readonly cancellations: Cancellations | null;
  private readonly events = new Events();
  private readonly parts: DriverParts;
  private readonly requests: RowRequests;
  private readonly hasSpeeds: boolean;

  constructor(parts: DriverParts) {
    const { built, workload } = parts;
    this.parts = parts;
    this.port = built.port;
    this.view = built.port.view;
    this.ledger = parts.ledger;
    this.predictions = parts.predictions;
    this.workload = workload;
    const { cancelAfterSeconds } = workload;
    this.cancellations = cancelAfterSeconds === undefined ? null : new Cancellations(cancelAfterSeconds);
    this.hasSpeeds = built.speeds.some((speeds) => speeds.some((speed) => speed !== 1));
    this.runs = new JobRuns({ ...parts, hasSpeeds: this.hasSpeeds, observers: this.observers });
    this.requests = new RowRequests(workload, built);
    this.submissions = new Submissions(workload, parts.ledger.submitSeconds);
  }

  /** When the next row is submitted; `Infinity` when all are, or none before another job has ended. */
  get nextSubmit(): number {
    return this.submissions.nextTime;
  }

  /** Jobs that wait, in all pools. */
  get waiting(): number {
    return this.view.jobs.waiting;
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
    return this.waiting + suspendedCount + travellingCount === 0 && this.submissions.isDone;
  }

  /** When the first of the running jobs ends, or the first of those on their way arrives. */
  get nextEnd(): number {
    return Math.min(this.runs.running.firstTime, this.runs.travelling.firstTime);
  }

  /** The next row, where all come in the log's order. */
  get nextRow(): number {
    return this.submissions.nextRow;
  }

  rowOfJob(job: number): number {
    return this.runs.rowOf[job];
  }

  /** Submits the next row. Returns its handle, or `NONE` where no pool takes it. */
  submit(now: number): number {
    const { port } = this;
    const { progress, built, estimateSeconds } = this.parts;
    const row = this.submissions.take();
    if (progress !== null && (row & 4095) === 0) progress[0] = row;
    const request = this.requests.of(row, this.predictions?.predict(row, now) ?? estimateSeconds[row]);
    if (port.tell(this.events.submitted(request, now)) === REJECTED) {
      const text = rejectionText(port.rejection, {
        ...built,
        limit: (excess) => exceededLimit(built.farm.limits ?? [], (number) => built.accounts[number], excess),
      });
      this.rejections.set(text, (this.rejections.get(text) ?? 0) + 1);
      for (const observer of this.observers) observer.rejected?.(row, now, text);
      this.submissions.over(row, now);
      return NONE;
    }
    const job = port.submitted;
    if (Number.isNaN(this.ledger.openedSeconds)) this.ledger.openedSeconds = now;
    this.runs.open(job, row);
    this.cancellations?.submitted(row, job, now);
    for (const observer of this.observers) observer.submitted?.(row, job, this.view.jobs.poolOf(job), now);
    if (port.hasDecisions) this.carryOut(now, false);
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
    this.report("exited", job, now);
  }

  /** Ends a running job at its planned end, which a clock may have passed. */
  finish(job: number): void {
    const { port, runs } = this;
    const now = runs.endOf[job];
    if (this.observers.length > 0) {
      const pool = this.view.jobs.poolOf(job);
      for (const observer of this.observers) {
        observer.stops?.(job, pool);
        observer.finished?.(runs.rowOf[job], job, pool, now);
      }
    }
    this.cancellations?.over(runs.rowOf[job]);
    this.submissions.over(runs.rowOf[job], now);
    runs.end(job);
    this.predictions?.stops(job);
    this.report("exited", job, now);
    if (port.hasDecisions) this.carryOut(now, false);
  }

  /** Cancels the jobs whose users do so at this time. */
  cancelAll(now: number): void {
    const { cancellations, port, runs } = this;
    for (let job = cancellations!.take(now); job !== NONE; job = cancellations!.take(now)) {
      mustTake(port.tell({ type: "cancelled", at: now, job }));
      this.carryOut(now, false);
      // One that ran has been withdrawn when it was killed.
      runs.withdraw(job, now);
      this.submissions.over(runs.rowOf[job], now);
    }
  }

  /** Lets the jobs arrive whose transfer ends at this time. */
  arriveAll(now: number): void {
    const { runs } = this;
    while (runs.travelling.firstTime === now) {
      const job = runs.travelling.take();
      if (!runs.arrive(job, now)) continue;
      this.report("arrived", job, now);
      for (const observer of this.observers) observer.arrived?.(job, this.view.jobs.poolOf(job), now);
    }
  }

  /** A machine fails, or is repaired. */
  machineFails(pool: number, machine: number, isDown: boolean, now: number): void {
    mustTake(this.port.tell({ type: isDown ? "machineDown" : "machineUp", at: now, pool, machine }));
    this.carryOut(now, false);
  }

  /** A machine takes nothing new, or does so again; what runs there runs on. */
  machineCloses(pool: number, machine: number, isClosed: boolean, now: number): void {
    const type = isClosed ? "machineDrained" : "machineUndrained";
    mustTake(this.port.tell({ type, at: now, pool, machine }));
    this.carryOut(now, false);
  }

  /** Runs a cycle of one pool, for a clock that plans the cycles itself. Returns how many jobs it started. */
  cycle(pool: number, now: number): number {
    this.port.cycle(pool, now);
    const count = this.view.pools[pool].cycle.started.length;
    this.carryOut(now, false);
    return count;
  }

  /** Carries out what was decided, in order. Cycles that are due run in between, unless the clock plans them itself. */
  carryOut(now: number, runsDue: boolean): void {
    const { port, observers, runs } = this;
    const { decision } = port;
    while (runsDue ? port.next(now) : port.take(now)) {
      const { kind, job, pool, other, seconds } = decision;
      if (observers.length > 0) for (const observer of observers) observer.decided?.(now);
      switch (kind) {
        case START:
          this.start(job, pool, now);
          this.report("started", job, now);
          break;
        case RESUME:
          runs.resume(job, pool, now);
          this.predictions?.runs(job, runs.rowOf[job], now);
          this.report("resumed", job, now);
          break;
        case SUSPEND:
          runs.suspend(job, pool, now);
          this.predictions?.stops(job);
          this.report("suspended", job, now);
          break;
        case KILL:
          runs.kill(job, pool, now);
          this.predictions?.stops(job);
          if (other === KILL_TWIN) runs.overtaken(job);
          if (other === KILL_TO_CANCEL) runs.withdraw(job, now);
          if (other === KILL_TO_PREEMPT) runs.killedToPreempt(job, now);
          this.report("killed", job, now);
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
          // Its other attempt, if it has one, is not what its user cancels.
          if (other === 0) this.cancellations?.over(runs.rowOf[job]);
          runs.lose(job, pool, other !== 0, now);
          this.predictions?.stops(job);
          break;
      }
    }
  }

  private report(type: AnswerType, job: number, now: number): void {
    mustTake(this.port.tell(this.events.about(type, job, now)));
  }

  private start(job: number, pool: number, now: number): void {
    const { ledger, runs } = this;
    const { placements, promisedSeconds, built } = this.parts;
    const row = runs.rowOf[job];
    const first = this.view.pools[pool].promises?.firstSeconds(job) ?? NaN;
    if (!Number.isNaN(first)) {
      this.promised++;
      if (now - first > this.promiseDelayMaxSeconds) this.promiseDelayMaxSeconds = now - first;
    }
    if (Number.isNaN(ledger.startSeconds[row])) {
      ledger.startSeconds[row] = now;
      if (promisedSeconds !== null) promisedSeconds[row] = first;
    }
    if (ledger.poolOf !== null) ledger.poolOf[row] = pool;
    if (this.hasSpeeds) runs.placed(job, this.view.pools[pool].speedOf(job));
    placements?.record(row, this.view.pools[pool], job, built.machines[pool].first);
    runs.run(job, pool, now);
    this.predictions?.runs(job, row, now);
  }
}
