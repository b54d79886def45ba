import { lengthened, NONE, TimeHeap } from "../../core/index.ts";
import { InputError, jobNumberOf, type Workload } from "../../workload/index.ts";
import type { RunObserver } from "./run-observer.ts";
import { EndQueue } from "./end-queue.ts";
import { JobTimes, type Doing } from "./job-times.ts";
import type { Ledger } from "./ledger.ts";

/** A job that is lost more often than this would hardly ever end, nor would the run. */
const MAX_FAILURES = 1000;

/** What `JobRuns` is made of. */
interface JobRunsParts {
  readonly workload: Workload;
  readonly ledger: Ledger;
  /** A job that restarts keeps its progress up to a multiple of this; null: it keeps none. */
  readonly checkpointSeconds: number | null;
  /** Whether machines differ in speed. */
  readonly hasSpeeds: boolean;
  readonly observers: readonly RunObserver[];
}

/**
 * What the jobs of a run do in virtual time, by handle: which run and when they end, which are suspended or in
 * transfer, and where the time of each went.
 */
export class JobRuns {
  /** Running jobs by their end. An entry whose time differs from `endOf` is outdated and is skipped. */
  readonly running = new EndQueue();
  /** Jobs in transfer by their arrival. */
  readonly travelling = new TimeHeap();
  /** Set by a clock that keeps the running jobs itself instead of in `running`. Every job then runs to its end. */
  calendar: { add(job: number, end: number): void } | null = null;
  runningCount = 0;
  suspendedCount = 0;
  travellingCount = 0;
  /** When a job will end; NaN while it does not run. */
  endOf = new Float64Array(1024).fill(NaN);
  /** Its row of the workload. */
  rowOf = new Int32Array(1024);
  /** The speed of the machine where it is, or was last. */
  private speed = new Float64Array(1024).fill(1);
  /** Of the jobs that did more than wait and run. */
  private readonly times = new Map<number, JobTimes>();
  /** 1 for those that have times, so that all others need no look into the map. */
  private hasTimes = new Uint8Array(1024);
  private readonly workload: Workload;
  private readonly ledger: Ledger;
  private readonly checkpointSeconds: number | null;
  private readonly hasSpeeds: boolean;
  private readonly observers: readonly RunObserver[];

  constructor(parts: JobRunsParts) {
    this.workload = parts.workload;
    this.ledger = parts.ledger;
    this.checkpointSeconds = parts.checkpointSeconds;
    this.hasSpeeds = parts.hasSpeeds;
    this.observers = parts.observers;
  }

  /** From now on this handle stands for the job of a row. */
  open(job: number, row: number): void {
    while (job >= this.rowOf.length) this.grow();
    this.rowOf[job] = row;
  }

  /** A job is on machines of this speed. */
  placed(job: number, speed: number): void {
    this.speed[job] = speed;
  }

  /** A job runs from now on. */
  run(job: number, pool: number, now: number): void {
    const row = this.rowOf[job];
    const times = this.knownTimes(job);
    const speed = this.hasSpeeds ? this.speed[job] : 1;
    let left = this.workload.runtimeSeconds[row];
    if (times !== undefined) {
      times.turnTo("runs", now);
      times.speed = speed;
      // Progress made at another speed may have been rounded up beyond the run time.
      left = Math.max(0, left - times.progress);
    }
    const seconds = left / speed;
    const end = now + seconds;
    const ledger = this.ledger;
    this.use(pool, row, seconds);
    if (end > ledger.lastEnd) ledger.lastEnd = end;
    // Noted now: when the job ends its row is out of the processor's cache.
    if (speed !== 1 && times === undefined) ledger.setEnd(row, end);
    this.runningCount++;
    if (this.calendar === null) {
      this.endOf[job] = end;
      this.running.add(job, end);
    } else this.calendar.add(job, end);
    if (this.observers.length > 0) for (const observer of this.observers) observer.runs?.(job, pool, end);
  }

  /** Ends a running job at its planned end. */
  end(job: number): void {
    const end = this.endOf[job];
    this.endOf[job] = NaN;
    this.runningCount--;
    const times = this.knownTimes(job);
    if (times === undefined) return;
    times.turnTo("nothing", end);
    this.ledger.completed(times, end);
    this.forget(job);
  }

  suspend(job: number, pool: number, now: number): void {
    const times = this.stop(job, pool, now);
    times.suspensions++;
    this.suspendedCount++;
    times.turnTo("suspended", now);
  }

  /** A suspended job goes on. */
  resume(job: number, pool: number, now: number): void {
    this.suspendedCount--;
    this.run(job, pool, now);
  }

  /** Ends a job where it is, running or suspended. */
  kill(job: number, pool: number, now: number): void {
    const times = this.timesOf(job);
    if (times.doing === "runs") this.stop(job, pool, now);
    else if (times.doing === "suspended") this.suspendedCount--;
    times.turnTo("nothing", now);
  }

  /** A job that was killed to preempt it waits again. */
  killedToPreempt(job: number, now: number): void {
    const times = this.timesOf(job);
    times.suspensions++;
    times.restart(this.checkpointSeconds);
    this.turn(times, "waits", now);
  }

  /** A job's machines failed: it waits again (`goesOn`), or only the other attempt at it is left. */
  lose(job: number, pool: number, goesOn: boolean, now: number): void {
    this.kill(job, pool, now);
    const times = this.timesOf(job);
    // Nothing is repeated where the other attempt goes on: what this one ran beside it was in vain.
    const inVain = goesOn ? times.restart(this.checkpointSeconds) : times.running - times.shared;
    if (this.ledger.lost(times.row, inVain) > MAX_FAILURES) throw this.neverEnds(times.row, now);
    // The engine may give the handle of an attempt that is over to another job.
    if (goesOn) this.turn(times, "waits", now);
    else this.forget(job);
  }

  /**
   * Sends a job to another pool.
   *
   * @param from the pool that it leaves; `NONE`: it has just been submitted
   * @param seconds how long the transfer takes
   */
  move(job: number, from: number, seconds: number, now: number): void {
    const times = this.timesOf(job);
    times.turnTo("nothing", now);
    if (from !== NONE) {
      times.restart(this.checkpointSeconds);
      times.moves++;
    }
    this.sendOff(job, times, seconds, now);
  }

  /** Sends a second attempt at a job to another pool. */
  duplicate(job: number, twin: number, seconds: number, now: number): void {
    const times = this.timesOf(job).copy(now, this.checkpointSeconds);
    times.moves++;
    this.open(twin, this.rowOf[job]);
    this.endOf[twin] = NaN;
    this.setTimes(twin, times);
    this.ledger.duplicates++;
    this.sendOff(twin, times, seconds, now);
  }

  /** A job in transfer has arrived; false where it is not in transfer any more. */
  arrive(job: number, now: number): boolean {
    const times = this.knownTimes(job);
    if (times === undefined || times.doing !== "travels" || times.arrival !== now) return false;
    this.turn(times, "waits", now);
    return true;
  }

  /** An attempt that had no machines was overtaken by the other attempt at the job. */
  cancel(job: number, now: number): void {
    const times = this.knownTimes(job);
    if (times === undefined) return;
    this.turn(times, "nothing", now);
    this.overtaken(job);
  }

  /** The other attempt at a job counts; this one is over. */
  overtaken(job: number): void {
    const times = this.timesOf(job);
    const winner = this.ledger.timesOf(times.row);
    if (winner !== undefined && winner !== times) this.ledger.overtaken(times, winner);
    this.forget(job);
  }

  /** A job is cancelled that runs no more, or has not started. */
  withdraw(job: number, now: number): void {
    const times = this.knownTimes(job);
    if (times === undefined) return;
    this.turn(times, "nothing", now);
    if (!Number.isNaN(this.ledger.startSeconds[times.row])) this.ledger.completed(times, now);
    this.forget(job);
  }

  /** Ends the jobs that still run, each at its planned end, when no decision is left. */
  endRest(): void {
    this.running.drain((job, end) => {
      if (this.endOf[job] === end) this.end(job);
    });
  }

  /** Stops a running job before its end. */
  private stop(job: number, pool: number, now: number): JobTimes {
    for (const observer of this.observers) observer.stops?.(job, pool);
    const times = this.timesOf(job);
    this.use(pool, this.rowOf[job], now - this.endOf[job]);
    this.endOf[job] = NaN;
    this.runningCount--;
    return times;
  }

  private sendOff(job: number, times: JobTimes, seconds: number, now: number): void {
    if (seconds === 0) {
      this.turn(times, "waits", now);
      return;
    }
    this.turn(times, "travels", now);
    times.arrival = now + seconds;
    this.travelling.add(job, now + seconds);
  }

  private turn(times: JobTimes, doing: Doing, now: number): void {
    if (times.doing === "travels") this.travellingCount--;
    if (doing === "travels") this.travellingCount++;
    times.turnTo(doing, now);
  }

  /** A job's times; if it had none yet, they are made from what the ledger knows. */
  private timesOf(job: number): JobTimes {
    const known = this.knownTimes(job);
    if (known !== undefined) return known;
    const { submitSeconds, startSeconds } = this.ledger;
    const row = this.rowOf[job];
    const times = new JobTimes(row, submitSeconds[row]);
    this.setTimes(job, times);
    this.ledger.setTimes(row, times);
    times.turnTo("waits", submitSeconds[row]);
    // It has run at most once: otherwise it would have times.
    if (!Number.isNaN(this.endOf[job])) times.turnTo("runs", startSeconds[row]);
    times.speed = this.speed[job];
    return times;
  }

  private knownTimes(job: number): JobTimes | undefined {
    return this.hasTimes[job] === 0 ? undefined : this.times.get(job);
  }

  private setTimes(job: number, times: JobTimes): void {
    this.hasTimes[job] = 1;
    this.times.set(job, times);
  }

  private forget(job: number): void {
    this.hasTimes[job] = 0;
    this.times.delete(job);
  }

  /** Counts a job's cores and memory for this long. Negative seconds take back what was counted but not used. */
  private use(pool: number, row: number, seconds: number): void {
    const { coresMilli, memoryMiB, tasks } = this.workload;
    const ledger = this.ledger;
    const count = tasks === null ? 1 : tasks[row];
    ledger.coreSeconds[pool] += coresMilli[row] * count * seconds;
    if (memoryMiB !== null) ledger.memorySeconds[pool] += memoryMiB[row] * count * seconds;
  }

  private neverEnds(row: number, now: number): InputError {
    const { name, runtimeSeconds } = this.workload;
    const job = jobNumberOf(this.workload, row);
    return new InputError(
      `job ${job} of workload ${name} was lost ${MAX_FAILURES} times by ${now} s: its ${runtimeSeconds[row]} s are too long ` +
        "for machines that fail so often; let them fail less often, or give a farm file with a checkpoint interval",
    );
  }

  private grow(): void {
    const { length } = this.rowOf;
    this.rowOf = lengthened(this.rowOf, length * 2);
    this.endOf = lengthened(this.endOf, length * 2).fill(NaN, length);
    this.hasTimes = lengthened(this.hasTimes, length * 2);
    this.speed = lengthened(this.speed, length * 2).fill(1, length);
  }
}
