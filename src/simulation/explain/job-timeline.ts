import {
  CANCEL,
  DUPLICATE,
  KILL,
  KILL_TO_PREEMPT,
  KILL_TWIN,
  LOST,
  MOVE,
  NONE,
  RESUME,
  START,
  SUSPEND,
  SUSPENDED,
  UNASSIGNED,
  WAITING,
  type WaitReason,
} from "../../core/index.ts";
import type { BuiltEngine } from "../build/build-engine.ts";
import type { Driver } from "../run/driver.ts";
import type { RunObserver } from "../run/run-observer.ts";
import { jobsBefore, sumOf } from "./ahead.ts";
import { noPoolHasRoom } from "./at-virtual-pool.ts";
import type { Cause, LatePromise, Reason, Step } from "./explanation.ts";
import type { Overruns } from "./overruns.ts";
import type { WaitReasons } from "./reasons.ts";

/** The largest number of steps; the last one then extends to the end. */
const MAX_STEPS = 1000;

type OpenStep = { -readonly [Field in keyof Step]: Step[Field] };

/** Jobs named of many. */
const NAMED = 5;

interface Attempt {
  readonly number: number;
  step: OpenStep;
  /** Jobs that came later and go first: the first few of those seen last. */
  outrankedBy: readonly number[];
}

/** Records what happens to one job, in all attempts at it. */
export class JobTimeline implements RunObserver {
  readonly steps: OpenStep[] = [];
  rejectedBecause: string | null = null;
  private readonly row: number;
  private readonly built: BuiltEngine;
  private readonly driver: Driver;
  isDone = false;
  private readonly reasons: WaitReasons;
  /** By handle: the number of the attempt, and its present step. */
  private readonly attempts = new Map<number, Attempt>();
  private attemptCount = 0;
  /** By handle: why it is suspended. */
  private readonly causes = new Map<number, Cause>();
  /** The handles that are asked about, of all timelines of a run. */
  private readonly asked: Set<number>;
  private readonly overruns: Overruns;

  constructor(
    row: number,
    built: BuiltEngine,
    driver: Driver,
    reasons: WaitReasons,
    asked: Set<number>,
    overruns: Overruns,
  ) {
    this.asked = asked;
    this.overruns = overruns;
    this.row = row;
    this.built = built;
    this.driver = driver;
    this.reasons = reasons;
  }

  /** Whether the timeline is complete. */
  get isOver(): boolean {
    return this.isDone || this.rejectedBecause !== null;
  }

  rejected(row: number, _now: number, reason: string): void {
    if (row === this.row) this.rejectedBecause = reason;
  }

  submitted(row: number, handle: number, pool: number, now: number): void {
    if (row !== this.row) return;
    const { view } = this.driver;
    const state = view.jobs.stateOf(handle);
    if (state === UNASSIGNED) {
      this.open(handle, "waiting", NONE, now, { kind: "submitted" });
      const asked = { handle, pools: view.poolsFor(handle), now };
      this.attempts.get(handle)!.step.reasons = noPoolHasRoom(view, this.reasons, asked);
      return;
    }
    this.open(handle, state === WAITING ? "waiting" : "in transfer", pool, now, this.submittedTo());
  }

  /** Names the routing only where there was more than one pool to choose from. */
  private submittedTo(): Cause {
    const { farm, routing } = this.built;
    return { kind: "submitted", ...(farm.pools.length === 1 ? {} : { routing }) };
  }

  cycled(pool: number): void {
    const { jobs } = this.driver.view;
    for (const [handle, { step }] of this.attempts) {
      if (jobs.poolOf(handle) !== pool) continue;
      const isSuspended = jobs.stateOf(handle) === SUSPENDED && step.doing === "suspended";
      if (isSuspended) step.cycles = (step.cycles ?? 0) + 1;
    }
  }

  /** A cycle has left an attempt waiting. */
  waits(handle: number, pool: number, reason: WaitReason, now: number): void {
    const attempt = this.attempts.get(handle);
    if (attempt?.step.doing !== "waiting") return;
    this.noteLater(attempt, handle, reason.started.slice(0, reason.startedBefore));
    this.passedBy(handle, this.reasons.passedBy(handle, pool, reason, now), now);
  }

  /** A cycle has suspended an attempt in favour of another job; its decision is still to be read. */
  suspendedFor(handle: number, pool: number, by: number): void {
    if (this.attempts.has(handle)) this.causes.set(handle, this.reasons.suspension(handle, pool, by));
  }

  decided(now: number): void {
    const { kind, job: handle, pool, other, seconds } = this.driver.port.decision;
    if (!this.attempts.has(handle)) return;
    switch (kind) {
      case START:
        this.turn(handle, "running", pool, now, { kind: "started", ...this.latePromise(handle, pool, now) });
        break;
      case RESUME:
        this.turn(handle, "running", pool, now, { kind: "resumed" });
        break;
      case SUSPEND: {
        const cause = this.causes.get(handle) ?? { kind: "suspended", by: [] };
        this.causes.delete(handle);
        this.turn(handle, "suspended", pool, now, cause);
        break;
      }
      case MOVE: {
        const doing = seconds > 0 ? "in transfer" : "waiting";
        const { strategy, routing } = this.built;
        const before = this.attempts.get(handle)!.step.doing;
        if (other === NONE) {
          // Of a job that was just submitted the way is known.
          if (before === "waiting") this.turn(handle, doing, pool, now, { kind: "assigned", routing });
          break;
        }
        const when = before === "suspended" ? "suspended" : "waited";
        const from = this.built.farm.pools[other].name;
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
        else if (other === KILL_TO_PREEMPT) this.turn(handle, "waiting", pool, now, { kind: "killed" });
        break;
      case LOST:
        // Where another attempt at the job goes on, this one is over.
        if (other === 0) this.drop(handle, now);
        else this.turn(handle, "waiting", pool, now, { kind: "lost" });
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
    for (const each of this.attempts.keys()) {
      this.close(each, now);
      this.asked.delete(each);
    }
    // Handles are used again.
    this.attempts.clear();
    this.isDone = true;
  }

  /** What a job that starts was promised, if that was an earlier time. */
  private latePromise(handle: number, pool: number, now: number): LatePromise | null {
    const { promises } = this.driver.view.pools[pool];
    const firstSeconds = promises?.firstSeconds(handle) ?? NaN;
    if (!(now > firstSeconds)) return null;
    const delay = promises?.delayOf?.(handle) ?? null;
    let by: readonly number[] = [];
    if (delay === "overrun") by = this.overruns.after(firstSeconds, handle, pool).slice(0, NAMED);
    if (delay === "higher rank") by = this.attempts.get(handle)!.outrankedBy;
    return { firstSeconds, delay, ...(by.length === 0 ? {} : { by }) };
  }

  private drop(handle: number, now: number): void {
    this.close(handle, now);
    this.attempts.delete(handle);
    this.asked.delete(handle);
  }

  private open(handle: number, doing: Step["doing"], pool: number, now: number, because: Cause): void {
    const step = undefined as unknown as OpenStep;
    const attempt: Attempt = { number: ++this.attemptCount, step, outrankedBy: [] };
    this.attempts.set(handle, attempt);
    this.asked.add(handle);
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
      pool: this.placeName(handle, pool),
      attempt: attempt.number,
      ...(because === null ? {} : { because }),
      ...(isPlaced ? { machines: this.reasons.machineNames(handle, pool) } : {}),
    };
    if (this.steps.length < MAX_STEPS) this.steps.push(attempt.step);
    return attempt.step;
  }

  /** The name of a pool, or of the job's virtual pool. */
  private placeName(handle: number, pool: number): string {
    const { pools, virtualPools } = this.built.farm;
    if (pool !== NONE) return pools[pool].name;
    return virtualPools[this.driver.view.jobs.virtualPoolOf(handle)].name;
  }

  private close(handle: number, now: number): void {
    this.attempts.get(handle)!.step.toSeconds = now;
  }

  /** Another cycle in which a waiting job did not start. */
  private passedBy(handle: number, reasons: Reason[], now: number): void {
    const { step } = this.attempts.get(handle)!;
    // A promise that moves is told each time.
    const kindsOf = (all: readonly Reason[]): string =>
      all.map((each) => (each.kind === "promised" ? `promised ${each.startSeconds}` : each.kind)).join();
    if (step.reasons === undefined) {
      step.cycles = 1;
      this.note(handle, step, reasons, now);
    } else if (kindsOf(step.reasons) === kindsOf(reasons)) step.cycles!++;
    else {
      this.close(handle, now);
      const next = this.begin(handle, "waiting", this.driver.view.jobs.poolOf(handle), now, null);
      next.cycles = 1;
      this.note(handle, next, reasons, now);
    }
  }

  /** Why it waits, behind which jobs. */
  private note(handle: number, step: OpenStep, reasons: readonly Reason[], now: number): void {
    const { view } = this.driver;
    const before = jobsBefore(view, handle, now) ?? [];
    if (before.length > 0) step.ahead = sumOf(view, before);
    const attempt = this.attempts.get(handle)!;
    this.noteLater(attempt, handle, before);
    const by = attempt.outrankedBy;
    step.reasons = reasons.map((each) =>
      each.kind === "promised" && each.delay === "higher rank" && by.length > 0 ? { ...each, by } : each,
    );
  }

  /** Of jobs that went before one that holds a promise, or held one, those count that came later. */
  private noteLater(attempt: Attempt, handle: number, before: readonly number[]): void {
    const { jobs, pools } = this.driver.view;
    if (Number.isNaN(pools[jobs.poolOf(handle)].promises?.firstSeconds(handle) ?? NaN)) return;
    const later = before.filter((other) => jobs.arrivalOf(other) > jobs.arrivalOf(handle));
    if (later.length > 0)
      attempt.outrankedBy = later.slice(0, NAMED).map((other) => this.reasons.jobOf(other));
  }

  /** A job that is suspended and at once moved on is no longer where it was. */
  private isHere(handle: number, pool: number): boolean {
    const { jobs } = this.driver.view;
    return jobs.stateOf(handle) === SUSPENDED && jobs.poolOf(handle) === pool;
  }
}
