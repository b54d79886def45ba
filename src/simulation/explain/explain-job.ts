import {
  CANCEL,
  DUPLICATE,
  heuristics,
  KILL,
  KILL_TWIN,
  MOVE,
  NONE,
  RESUME,
  START,
  SUSPEND,
  SUSPENDED,
  WAITING,
  type PoolManager,
} from "../../core/index.ts";
import { InputError, type Farm, type Workload } from "../../workload/index.ts";
import type { BuiltEngine } from "../build/build-engine.ts";
import type { Driver, RunObserver } from "../run/driver.ts";
import { simulate, type GivenSettings } from "../simulate.ts";
import type { Cause, Explanation, Reason, Step } from "./explanation.ts";
import { WaitReasons } from "./reasons.ts";

/** Steps told at most; beyond, the last one goes on to the end. */
const MOST_STEPS = 1000;

/**
 * Makes the run again, up to the end of one job, and tells what happened to it and
 * why. Runs are deterministic, so this is the run that was made before; one that
 * nobody asks about bears none of the cost.
 *
 * @param job the log's own number of the job
 * @throws InputError where the log has no such job
 */
export function explainJob(
  job: number,
  workload: Workload,
  farm: Farm,
  settings: GivenSettings = {},
): Explanation {
  const row = rowOf(job, workload);
  let timeline: JobTimeline | undefined;
  const { schedule, ledger } = simulate(workload, farm, settings, {
    observe: (driver, built) => (timeline = new JobTimeline(row, workload, built, driver)),
  });
  const { startSeconds, submitSeconds } = schedule;
  const rejected = timeline!.rejectedBecause;
  return {
    job,
    submitSeconds: submitSeconds[row],
    runtimeSeconds: workload.runtimeSeconds[row],
    ...(rejected === null ? {} : { rejected }),
    startSeconds: orNull(startSeconds[row]),
    completedSeconds: timeline!.isDone ? ledger.endOf(row) : null,
    steps: timeline!.steps,
    alternatives: rejected === null ? alternatives(row, workload, farm, settings) : [],
  };
}

/** When the job would have started if the machines had been chosen otherwise in all pools, all the time. */
function alternatives(
  row: number,
  workload: Workload,
  farm: Farm,
  settings: GivenSettings,
): Explanation["alternatives"] {
  const isMemoryKnown =
    workload.memoryMiB !== null &&
    farm.pools.every(({ groups }) => groups.some(({ memoryMiB }) => memoryMiB !== null));
  return heuristics
    .filter(
      ({ name, needsMemory }) =>
        (isMemoryKnown || !needsMemory) && farm.pools.some(({ policy }) => policy !== name),
    )
    .map(({ name: policy }) => {
      const other = { ...farm, pools: farm.pools.map((pool) => ({ ...pool, policy, maxJobsList: [] })) };
      const { schedule } = simulate(workload, other, settings, {
        observe: (driver) => new UntilStarted(row, driver),
      });
      return { policy, startSeconds: orNull(schedule.startSeconds[row]) };
    });
}

function rowOf(job: number, { jobNumber, count, name }: Workload): number {
  const row = jobNumber === null ? job - 1 : jobNumber.indexOf(job);
  if (Number.isInteger(row) && row >= 0 && row < count) return row;
  throw new InputError(
    `workload ${name} has no job ${job}; ` +
      (count === 0
        ? "it has none"
        : jobNumber === null
          ? `its jobs are 1 to ${count}`
          : `its first is ${jobNumber[0]}, its last ${jobNumber[count - 1]}`),
  );
}

function orNull(seconds: number): number | null {
  return Number.isNaN(seconds) ? null : seconds;
}

type OpenStep = { -readonly [Field in keyof Step]: Step[Field] };

/** What is told of the attempts at one job. */
class JobTimeline implements RunObserver {
  readonly steps: OpenStep[] = [];
  rejectedBecause: string | null = null;
  private readonly row: number;
  private readonly workload: Workload;
  private readonly built: BuiltEngine;
  private readonly driver: Driver;
  isDone = false;
  private readonly reasons: WaitReasons;
  /** By handle: the number of the attempt, and its present step. */
  private readonly attempts = new Map<number, { readonly number: number; step: OpenStep }>();
  private attemptCount = 0;

  constructor(row: number, workload: Workload, built: BuiltEngine, driver: Driver) {
    this.row = row;
    this.workload = workload;
    this.built = built;
    this.driver = driver;
    this.reasons = new WaitReasons(built, (handle) => this.numberOf(handle));
    driver.engine.onCycle = (manager, now) => this.cycled(manager, now);
  }

  rejected(row: number, _now: number, reason: string): void {
    if (row !== this.row) return;
    this.rejectedBecause = reason;
    this.driver.isStopped = true;
  }

  submitted(row: number, handle: number, pool: number, now: number): void {
    if (row !== this.row) return;
    const doing = this.driver.engine.engineJobs.state[handle] === WAITING ? "waiting" : "in transfer";
    this.open(handle, doing, pool, now, { kind: "submitted", routing: this.built.routing });
  }

  private cycled({ number: pool }: PoolManager, now: number): void {
    const { engineJobs: farmJobs } = this.driver.engine;
    for (const [handle, { step }] of this.attempts) {
      if (farmJobs.pool[handle] !== pool) continue;
      const isWaiting = farmJobs.state[handle] === WAITING && step.doing === "waiting";
      const isSuspended = farmJobs.state[handle] === SUSPENDED && step.doing === "suspended";
      if (isWaiting) this.passedBy(handle, this.reasons.reasons(handle, pool), now);
      else if (isSuspended) step.cycles = (step.cycles ?? 0) + 1;
    }
  }

  decided(now: number): void {
    const { kind, job: handle, pool, other, seconds } = this.driver.engine.decision;
    if (!this.attempts.has(handle)) return;
    switch (kind) {
      case START:
        this.turn(handle, "running", pool, now, { kind: "started" });
        break;
      case RESUME:
        this.turn(handle, "running", pool, now, { kind: "resumed" });
        break;
      case SUSPEND: {
        const { machines = [] } = this.attempts.get(handle)!.step;
        const by = this.reasons.newOn(machines, pool);
        this.turn(handle, "suspended", pool, now, { kind: "suspended", by });
        break;
      }
      case MOVE: {
        if (other === NONE) break;
        const when = this.attempts.get(handle)!.step.doing === "suspended" ? "suspended" : "waited";
        const from = this.built.farm.pools[other].name;
        const { strategy } = this.built;
        const doing = seconds > 0 ? "in transfer" : "waiting";
        this.turn(handle, doing, pool, now, { kind: "moved", from, strategy, when });
        break;
      }
      case DUPLICATE: {
        const doing = seconds > 0 ? "in transfer" : "waiting";
        const { strategy } = this.built;
        this.open(other, doing, pool, now, { kind: "duplicated", strategy });
        break;
      }
      case KILL:
        if (other === KILL_TWIN) this.drop(handle, now);
        break;
      case CANCEL:
        this.drop(handle, now);
        break;
    }
  }

  arrived(handle: number, pool: number, now: number): void {
    if (this.attempts.has(handle)) this.turn(handle, "waiting", pool, now, { kind: "arrived" });
  }

  finished(row: number, _handle: number, _pool: number, now: number): void {
    if (row !== this.row) return;
    for (const each of this.attempts.keys()) this.close(each, now);
    this.isDone = true;
    this.driver.isStopped = true;
  }

  private drop(handle: number, now: number): void {
    this.close(handle, now);
    this.attempts.delete(handle);
  }

  private open(handle: number, doing: Step["doing"], pool: number, now: number, because: Cause): void {
    const attempt = { number: ++this.attemptCount, step: undefined as unknown as OpenStep };
    this.attempts.set(handle, attempt);
    this.begin(handle, doing, pool, now, because);
  }

  private turn(handle: number, doing: Step["doing"], pool: number, now: number, because: Cause): void {
    this.close(handle, now);
    this.begin(handle, doing, pool, now, because);
  }

  private begin(
    handle: number,
    doing: Step["doing"],
    pool: number,
    now: number,
    because: Cause | null,
  ): OpenStep {
    const attempt = this.attempts.get(handle)!;
    const isPlaced = doing === "running" || (doing === "suspended" && this.isHere(handle, pool));
    attempt.step = {
      doing,
      fromSeconds: now,
      toSeconds: now,
      pool: this.built.farm.pools[pool].name,
      attempt: attempt.number,
      ...(because === null ? {} : { because }),
      ...(isPlaced ? { machines: this.reasons.machineNames(handle, pool) } : {}),
    };
    if (this.steps.length < MOST_STEPS) this.steps.push(attempt.step);
    return attempt.step;
  }

  private close(handle: number, now: number): void {
    this.attempts.get(handle)!.step.toSeconds = now;
  }

  /** Another cycle in which a waiting job did not start. */
  private passedBy(handle: number, reasons: Reason[], now: number): void {
    const { step } = this.attempts.get(handle)!;
    const kindsOf = (all: readonly Reason[]): string => all.map(({ kind }) => kind).join();
    if (step.reasons === undefined) {
      step.cycles = 1;
      step.reasons = reasons;
    } else if (kindsOf(step.reasons) === kindsOf(reasons)) step.cycles!++;
    else {
      this.close(handle, now);
      const next = this.begin(handle, "waiting", this.driver.engine.engineJobs.pool[handle], now, null);
      next.cycles = 1;
      next.reasons = reasons;
    }
  }

  /** A job that is suspended and at once moved on is no longer where it was. */
  private isHere(handle: number, pool: number): boolean {
    const { engineJobs: farmJobs } = this.driver.engine;
    return farmJobs.state[handle] === SUSPENDED && farmJobs.pool[handle] === pool;
  }

  private numberOf(handle: number): number {
    const row = this.driver.rowOfJob(handle);
    return this.workload.jobNumber === null ? row + 1 : this.workload.jobNumber[row];
  }
}

/** Stops a run when a job has started. */
class UntilStarted implements RunObserver {
  private readonly row: number;
  private readonly driver: Driver;

  constructor(row: number, driver: Driver) {
    this.row = row;
    this.driver = driver;
  }

  decided(): void {
    const { kind, job } = this.driver.engine.decision;
    if (kind === START && this.driver.rowOfJob(job) === this.row) this.driver.isStopped = true;
  }

  rejected(row: number): void {
    if (row === this.row) this.driver.isStopped = true;
  }
}
