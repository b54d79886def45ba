import {
  CANCEL,
  DUPLICATE,
  MOVE,
  NONE,
  RESUME,
  START,
  SUSPEND,
  type FarmCore,
  type FarmJobRequest,
} from "../../core/index.ts";
import type { Workload } from "../../workload/index.ts";
import { CompletionHeap } from "../loops/completion-heap.ts";
import { emptyRequest } from "../request.ts";
import {
  Accounts,
  ARRIVAL,
  DOING,
  END,
  IS_SUSPENDED,
  MOVES,
  NOTHING,
  PROGRESS,
  ROW,
  RUNS,
  SINCE,
  SPEED,
  SUSPENSIONS,
  TRAVELS,
  WAITS,
} from "./accounts.ts";
import type { BuiltFarm } from "./build-farm.ts";
import { Ledger } from "./ledger.ts";
import { rejectionText } from "./rejection-text.ts";

/**
 * Stands between a workload's rows and a farm's handles, as `Driver` does for a
 * pool: submits the next row, carries decisions out in virtual time, reports what
 * came of them. The loop decides when.
 */
export class FarmDriver {
  readonly core: FarmCore;
  readonly accounts: Accounts;
  readonly ledger: Ledger;
  /** Running jobs by when they end; an entry counts only if `accounts.end` still says so. */
  readonly running = new CompletionHeap();
  /** Jobs on their way by when they arrive; as with `running`. */
  readonly travelling = new CompletionHeap();
  nextRow = 0;
  waiting = 0;
  suspended = 0;
  queueLengthMax = 0;
  cycles = 0;
  matchingCycles = 0;
  /** Told of each decision and event, where somebody wants to know. */
  observer: FarmObserver | null = null;
  readonly rejections = new Map<string, number>();
  readonly built: BuiltFarm;
  /** Set by an observer that has seen enough: the run ends. */
  isStopped = false;
  private readonly workload: Workload;
  private readonly submitSeconds: Float64Array;
  private readonly estimateSeconds: Float64Array;
  private readonly progress: Int32Array | null;
  private readonly considersMemory: boolean;
  private readonly considersGpu: boolean;
  private readonly request: FarmJobRequest = {
    ...emptyRequest(),
    virtualPool: 0,
    candidates: 0,
    priority: 0,
  };

  constructor(
    built: BuiltFarm,
    workload: Workload,
    submitSeconds: Float64Array,
    estimateSeconds: Float64Array,
    ledger: Ledger,
    checkpointSeconds: number | null,
    progress: Int32Array | null,
  ) {
    this.core = built.core;
    this.built = built;
    this.workload = workload;
    this.submitSeconds = submitSeconds;
    this.estimateSeconds = estimateSeconds;
    this.ledger = ledger;
    this.accounts = new Accounts(checkpointSeconds);
    this.progress = progress;
    this.considersMemory = built.machines.some(({ memoryMiB }) => memoryMiB !== null);
    this.considersGpu = built.machines.some(({ gpuMilli }) => gpuMilli !== null);
  }

  /** When the next row is submitted; `Infinity` when all are. */
  get nextSubmit(): number {
    return this.nextRow < this.workload.count ? this.submitSeconds[this.nextRow] : Infinity;
  }

  /** Submits the next row. */
  submit(): void {
    const { workload, core, request, accounts } = this;
    const { rows } = this.built;
    const row = this.nextRow++;
    if (this.progress !== null && (row & 4095) === 0) this.progress[0] = row;
    const now = this.submitSeconds[row];
    request.cores = workload.coresMilli[row];
    request.memory = workload.memoryMiB === null || !this.considersMemory ? 0 : workload.memoryMiB[row];
    request.gpu = workload.gpuMilli === null || !this.considersGpu ? 0 : workload.gpuMilli[row];
    request.tasks = workload.tasks === null ? 1 : workload.tasks[row];
    request.project = workload.project === null ? 0 : workload.project.codes[row];
    request.heuristic = rows.heuristic === null ? NONE : rows.heuristic[row];
    request.estimateSeconds = this.estimateSeconds[row];
    request.requirement = rows.requirement === null ? 0 : rows.requirement[row];
    request.owner = rows.owner === null ? 0 : rows.owner[row];
    request.virtualPool = rows.virtualPool === null ? 0 : rows.virtualPool[row];
    request.candidates = rows.candidates === null ? 0 : rows.candidates[row];
    request.priority = rows.priority === null ? 0 : rows.priority[row];
    const job = core.submit(request, now);
    if (job === NONE) {
      const text = rejectionText(core.rejection, this.built.requirements);
      this.rejections.set(text, (this.rejections.get(text) ?? 0) + 1);
      this.observer?.rejected(row, now, text);
      return;
    }
    accounts.open(job, row, now);
    this.observer?.submitted(row, job, core.farmJobs.pool[job], now);
    this.carryOut(now);
    if (accounts.get(job, DOING) === NOTHING) this.startWaiting(job, now);
  }

  /** Ends the jobs that end at this time. */
  finishAll(now: number): void {
    const { running, accounts, core } = this;
    while (running.firstTime === now) {
      const job = running.take();
      if (accounts.get(job, END) !== now) continue;
      accounts.set(job, END, NaN);
      const pool = core.farmJobs.pool[job];
      this.turn(job, NOTHING, now);
      this.ledger.completed(accounts, job, now);
      this.observer?.finished(accounts.get(job, ROW), job, pool, now);
      core.finish(job, now);
      this.carryOut(now);
    }
  }

  /** Lets jobs arrive whose way ends at this time. */
  arriveAll(now: number): void {
    const { travelling, accounts, core } = this;
    while (travelling.firstTime === now) {
      const job = travelling.take();
      if (accounts.get(job, ARRIVAL) !== now) continue;
      accounts.set(job, ARRIVAL, NaN);
      core.arrived(job, now);
      this.observer?.arrived(job, core.farmJobs.pool[job], now);
      this.startWaiting(job, now);
    }
  }

  /** A cycle of a pool; how many jobs it started. */
  cycle(pool: number, now: number): number {
    if (this.waiting > this.queueLengthMax) this.queueLengthMax = this.waiting;
    this.core.cycle(pool, now);
    this.cycles++;
    const { started, resumed } = this.core.pools[pool];
    const count = started.length + resumed.length;
    if (count > 0) this.matchingCycles++;
    this.observer?.cycled(pool, now);
    this.carryOut(now);
    return count;
  }

  look(now: number): void {
    this.core.look(now);
    this.carryOut(now);
  }

  /** Does what was decided, in order. */
  private carryOut(now: number): void {
    const { core, accounts, observer } = this;
    const { decisions } = core;
    for (let i = 0; i < decisions.length; i++) {
      const job = decisions.job[i];
      const pool = decisions.pool[i];
      observer?.decided(i, now);
      switch (decisions.kind[i]) {
        case START:
          this.ledger.started(accounts.get(job, ROW), now);
          accounts.set(job, SPEED, this.speedOf(pool, job));
          this.run(job, now);
          break;
        case RESUME:
          this.run(job, now);
          break;
        case SUSPEND:
          accounts.set(job, SUSPENSIONS, accounts.get(job, SUSPENSIONS) + 1);
          accounts.set(job, END, NaN);
          this.turn(job, IS_SUSPENDED, now);
          break;
        case MOVE:
          if (accounts.get(job, DOING) !== NOTHING) {
            this.turn(job, NOTHING, now);
            accounts.restart(job);
            accounts.set(job, MOVES, accounts.get(job, MOVES) + 1);
          }
          this.sendOff(job, decisions.seconds[i], now);
          break;
        case DUPLICATE: {
          const twin = decisions.other[i];
          accounts.copy(job, twin, now);
          accounts.set(twin, MOVES, accounts.get(twin, MOVES) + 1);
          this.ledger.duplicates++;
          this.sendOff(twin, decisions.seconds[i], now);
          break;
        }
        case CANCEL:
          accounts.set(job, END, NaN);
          accounts.set(job, ARRIVAL, NaN);
          this.turn(job, NOTHING, now);
          this.ledger.cancelled(accounts, job, decisions.other[i]);
          break;
      }
    }
    decisions.clear();
  }

  private run(job: number, now: number): void {
    const { accounts } = this;
    this.turn(job, RUNS, now);
    const left = this.workload.runtimeSeconds[accounts.get(job, ROW)] - accounts.get(job, PROGRESS);
    // What was done in parts of a second at another speed may have been rounded up.
    const end = now + Math.max(0, left) / accounts.get(job, SPEED);
    accounts.set(job, END, end);
    this.running.add(job, end);
  }

  private sendOff(job: number, seconds: number, now: number): void {
    if (seconds === 0) {
      this.startWaiting(job, now);
      return;
    }
    this.turn(job, TRAVELS, now);
    this.accounts.set(job, ARRIVAL, now + seconds);
    this.travelling.add(job, now + seconds);
  }

  private startWaiting(job: number, now: number): void {
    this.turn(job, WAITS, now);
  }

  private turn(job: number, doing: number, now: number): void {
    const { accounts, ledger, workload } = this;
    const before = accounts.get(job, DOING);
    if (before === WAITS) this.waiting--;
    else if (before === IS_SUSPENDED) this.suspended--;
    else if (before === RUNS) {
      const row = accounts.get(job, ROW);
      const tasks = workload.tasks === null ? 1 : workload.tasks[row];
      ledger.used(
        this.core.farmJobs.pool[job],
        workload.coresMilli[row] * tasks,
        workload.memoryMiB === null ? 0 : workload.memoryMiB[row] * tasks,
        now - accounts.get(job, SINCE),
      );
    }
    accounts.turnTo(job, doing, now);
    if (doing === WAITS) this.waiting++;
    else if (doing === IS_SUSPENDED) this.suspended++;
  }

  /** A job is as fast as the slowest of its machines. */
  private speedOf(pool: number, job: number): number {
    const { placements, jobs } = this.core.pools[pool].pool;
    const { groupOf } = this.built.machines[pool];
    const speeds = this.built.speeds[pool];
    let entry = jobs.placement[job];
    let speed = speeds[groupOf[placements.machine[entry]]];
    for (entry = placements.next[entry]; entry !== NONE; entry = placements.next[entry]) {
      speed = Math.min(speed, speeds[groupOf[placements.machine[entry]]]);
    }
    return speed;
  }
}

/** What happens in a run, for who wants to tell it. */
export interface FarmObserver {
  /** @param reason in words */
  rejected(row: number, now: number, reason: string): void;
  submitted(row: number, job: number, pool: number, now: number): void;
  /** A pool has had its cycle; its decisions have not been carried out yet. */
  cycled(pool: number, now: number): void;
  /** @param decision a place in the core's decisions */
  decided(decision: number, now: number): void;
  /** A job that was on its way is there. */
  arrived(job: number, pool: number, now: number): void;
  finished(row: number, job: number, pool: number, now: number): void;
}
