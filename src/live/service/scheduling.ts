import { NONE, type Answer, type EngineEvent, type PlainDecision } from "../../core/index.ts";
import type { Database } from "../store/database.ts";
import { attemptKey } from "../engines/attempt-id.ts";
import { ablePools } from "./able-pools.ts";
import { awaitedText } from "./awaited-pools.ts";
import {
  lastStart,
  NOTHING_RUNS,
  suspendReason,
  type Books,
  type LiveAttempt,
  type LiveJob,
} from "./books.ts";
import { readRequest } from "../store/job-request.ts";
import { isFinal } from "../store/job-states.ts";
import type { Journal } from "./journal.ts";
import { LateStarts } from "./late-starts.ts";
import type { LivePool } from "./live-pool.ts";
import type { Reasons } from "./reasons.ts";
import type { RetryCause } from "../store/job-request.ts";
import { transition } from "./transition.ts";
import { stands } from "./standing-still.ts";
import { inAttempt } from "./times-in-order.ts";
import type { Turn } from "./turn.ts";

export interface SchedulingParts {
  readonly database: Database;
  readonly books: Books;
  readonly journal: Journal;
  readonly pools: readonly LivePool[];
  readonly reasons: Reasons;
  /** Starts what an attempt runs, on the engine of its pool. */
  readonly start: (attempt: LiveAttempt) => void;
}

/**
 * Tells the decision engine what happened and turns what it decides into intents: rows that say what is to be done,
 * and effects that do it once the rows are durable.
 */
export class Scheduling {
  private readonly parts: SchedulingParts;
  private readonly late: LateStarts;

  constructor(parts: SchedulingParts) {
    this.parts = parts;
    const { books, journal } = parts;
    this.late = new LateStarts(journal.port, (job) => books.jobOf(job)?.number ?? job);
  }

  apply(turn: Turn, event: EngineEvent): Answer {
    this.late.hears(event);
    const answer = this.parts.journal.apply(turn, event);
    for (const decision of answer.decisions) this.decided(turn, decision);
    this.parts.reasons.forgetSuspensions();
    return answer;
  }

  /** Decides what is due. */
  tick(turn: Turn): void {
    this.apply(turn, { type: "tick", at: turn.at });
  }

  /** Records the outcome of an attempt, which ended at this time. */
  closeAttempt(turn: Turn, attempt: LiveAttempt, outcome: object, at = turn.unixSeconds): void {
    const { books, pools } = this.parts;
    const { job } = attempt;
    attempt.state = "over";
    attempt.intent = null;
    const endedAt = inAttempt(attempt, at);
    stands(turn, attempt, false, endedAt);
    job.toldUntil = Math.max(job.toldUntil, endedAt);
    turn.changedAttempt(attempt);
    job.attempts = job.attempts.filter((each) => each !== attempt);
    const id = { job: job.id, attempt: attempt.attempt };
    books.attempts.delete(attemptKey(id));
    books.setSuspendedFor(attempt, null);
    this.leavesItsPlace(turn, job);
    if (books.current.get(attempt.engineJob) === attempt) books.current.delete(attempt.engineJob);
    turn.write(
      "UPDATE attempt SET ended_at = ?, outcome = ? WHERE job = ? AND attempt = ?",
      endedAt,
      JSON.stringify(outcome),
      job.number,
      attempt.attempt,
    );
    turn.effect(() => pools[attempt.pool]!.forget(id));
  }

  /** Nothing is suspended for it any more: what still is waits for room. */
  private leavesItsPlace(turn: Turn, { number }: LiveJob): void {
    const { books } = this.parts;
    for (const victim of books.victimsOf(number)) {
      books.setSuspendedFor(victim, null);
      turn.changedAttempt(victim);
      this.show(turn, victim.job);
    }
  }

  /** Reports to the decision engine whether an intent was carried out. */
  answered(
    turn: Turn,
    attempt: LiveAttempt,
    type: "started" | "suspended" | "suspendFailed" | "resumed" | "resumeFailed" | "killed",
  ): void {
    const { engineJob: job, engineAttempt, decision } = attempt;
    attempt.intent = null;
    if (type !== "killed" && type !== "suspendFailed" && type !== "resumeFailed")
      attempt.state = type === "suspended" ? "suspended" : "running";
    if (type === "resumed" || type === "suspendFailed") this.parts.books.setSuspendedFor(attempt, null);
    turn.changedAttempt(attempt);
    this.show(turn, attempt.job);
    this.apply(turn, { type, at: turn.at, job, attempt: engineAttempt, decision });
  }

  /**
   * How long a job waits before it runs again, after it has ended for that cause; null: it does not, or could not start in
   * time any more.
   */
  retryAfter(turn: Turn, job: LiveJob, cause: RetryCause): number | null {
    const row = this.parts.database.get("SELECT request FROM job WHERE number = ?", job.number);
    const { retryOn, retryDelaySeconds } = readRequest(String(row?.["request"]));
    const isLate = (lastStart(job) ?? Infinity) <= turn.unixSeconds + retryDelaySeconds;
    return isLate || retryOn?.includes(cause) === false ? null : retryDelaySeconds;
  }

  /** Sets the state of a job from its attempts: that of the attempt that is furthest. */
  show(turn: Turn, job: LiveJob): void {
    const states = job.attempts.map(({ state }) => state);
    if (states.length === 0 || isFinal(job.state)) return;
    const state = job.isPaused
      ? "suspended"
      : states.includes("running")
        ? "running"
        : states.includes("suspended")
          ? "suspended"
          : "starting";
    transition(turn, job, state);
    // Of one that is being ended it is told why.
    if (!job.attempts.some(({ intent }) => intent === "end"))
      job.reason = job.state === "suspended" ? suspendReason(job) : "";
  }

  private decided(turn: Turn, decision: PlainDecision): void {
    const { books, pools, reasons } = this.parts;
    switch (decision.type) {
      case "START":
        return this.start(turn, decision);
      case "SUSPEND":
      case "RESUME":
      case "KILL": {
        const attempt = books.current.get(decision.job);
        if (attempt === undefined)
          throw new Error(`there is no attempt to ${decision.type}: job ${decision.job}`);
        attempt.decision = decision.number;
        attempt.intent =
          decision.type === "KILL" ? "end" : decision.type === "SUSPEND" ? "suspend" : "resume";
        if (decision.type === "KILL") attempt.why = decision.why;
        if (decision.type !== "RESUME") books.setSuspendedFor(attempt, reasons.suspendedFor(decision.job));
        if (attempt.why === "preempt")
          turn.event("preempted", { job: attempt.job.number, text: `for job ${attempt.suspendedFor}` });
        turn.changedAttempt(attempt);
        if (decision.type === "SUSPEND") this.leavesItsPlace(turn, attempt.job);
        // Its user has suspended it: it stays suspended, but holds its cores and memory again.
        if (attempt.intent === "resume" && attempt.job.isPaused)
          return turn.next(() => this.answered(turn, attempt, "resumed"));
        return turn.effect(() => pools[attempt.pool]!.carryOut(attempt));
      }
      case "MOVE":
      case "DUPLICATE": {
        const of = decision.type === "MOVE" ? decision.job : decision.of;
        const job = this.job(of);
        if (decision.type === "DUPLICATE") {
          job.twins = [...job.twins, decision.job];
          books.twins.set(decision.job, job);
          turn.write("INSERT INTO twin (engine_job, job) VALUES (?, ?)", decision.job, job.number);
        }
        const pool = pools[decision.pool]!.name;
        this.waits(turn, job, pool);
        if (decision.type === "DUPLICATE" || decision.from !== null)
          turn.event(decision.type === "MOVE" ? "moved" : "duplicated", {
            job: job.number,
            text: `to ${pool}`,
          });
        if (decision.seconds > 0) {
          const at = turn.at + decision.seconds;
          books.arrivals.set(decision.job, { engineJob: decision.job, decision: decision.number, at });
          turn.write(
            "INSERT OR REPLACE INTO arrival (engine_job, decision, at) VALUES (?, ?, ?)",
            decision.job,
            decision.number,
            at,
          );
        }
        return;
      }
      case "LOST": {
        const job = books.jobOf(decision.job);
        // The decision is about a second attempt at a job that is over.
        if (job === undefined) return;
        if (decision.takesRetry) job.retriesLeft--;
        // It is over, unless it has a second attempt, and keeps where and since when it ran.
        if (!decision.goesOn && ![job.number, ...job.twins].some((each) => this.parts.journal.port.has(each)))
          return;
        return this.waits(turn, job, pools[decision.pool]!.name);
      }
      case "DRAIN": {
        const pool = pools[decision.pool]!;
        return drained(turn, pool, decision.machine, "too many starts in a row have failed on it");
      }
      case "CANCEL":
        return;
    }
  }

  /** The name of the pool that a waiting job is in; null: it waits at its virtual pool. */
  poolOf(job: number): string | null {
    const { journal, pools } = this.parts;
    return pools[journal.port.poolOf(job)]?.name ?? null;
  }

  /** The pools that could run a job, of those that its virtual pool may send it to; none of one that does not wait there. */
  candidatesOf(number: number): readonly LivePool[] {
    const { journal, pools } = this.parts;
    const { port } = journal;
    if (!port.has(number) || port.poolOf(number) !== NONE) return [];
    const handle = port.handleOf(number);
    return ablePools(port.view, handle, port.view.poolsFor(handle)).map((pool) => pools[pool]!);
  }

  /** The pools whose machines have to be known before a job that waits at its virtual pool can go on; none where it is not so. */
  awaitedPools(number: number): readonly LivePool[] {
    const { journal, pools } = this.parts;
    const { port } = journal;
    if (!port.has(number) || port.poolOf(number) !== NONE) return [];
    return port.view.awaitedBy(port.handleOf(number)).map((pool) => pools[pool]!);
  }

  /** Says of a waiting job that it waits for that. */
  noteAwaited(turn: Turn, job: LiveJob): void {
    if (job.state !== "waiting") return;
    const pools = this.awaitedPools(job.number);
    if (pools.length === 0) return;
    job.reason = awaitedText(pools);
    turn.changed(job);
  }

  /** The machine on which an attempt failed to start: its first, where its command runs. */
  machineOf({ pool, placement }: LiveAttempt): number {
    return this.parts.pools[pool]!.machineNumber(placement[0]!.machine)!;
  }

  /** An attempt failed to start, and the job waits to be tried again. */
  waitsAgain(turn: Turn, job: LiveJob, reason = ""): void {
    if (job.pool !== null) this.waits(turn, job, job.pool, reason);
  }

  /** An engine asks to drain a machine, as after a prolog that failed. */
  drain(turn: Turn, pool: number, machine: number, reason: string): void {
    const own = this.parts.pools[pool]!;
    if (own.closings[machine]!.drain !== null) return;
    drained(turn, own, machine, reason);
    this.apply(turn, { type: "machineDrained", at: turn.at, pool, machine });
  }

  /** An attempt is over, and the job waits again. */
  private waits(turn: Turn, job: LiveJob, pool: string, reason = ""): void {
    if (job.attempts.length > 0 || isFinal(job.state)) return;
    transition(turn, job, "waiting", reason);
    job.pool = pool;
    job.machines = NOTHING_RUNS.machines;
    job.startedAt = null;
    job.isPaused = false;
    const last = lastStart(job);
    if (last !== null) this.parts.books.times.add(job.number, last);
    job.isPausedWithPool = false;
  }

  private start(turn: Turn, decision: PlainDecision & { type: "START" }): void {
    const { books, pools, start } = this.parts;
    const job = this.job(decision.job);
    const pool = pools[decision.pool]!;
    const attempt: LiveAttempt = {
      job,
      attempt: ++job.attempt,
      engineJob: decision.job,
      engineAttempt: decision.attempt,
      pool: decision.pool,
      placement: decision.placement.map(({ machine, tasks }) => ({
        machine: pool.machineName(machine),
        coresMilli: decision.cores * tasks,
        memoryMiB: decision.memory * tasks,
        gpuMilli: decision.gpu * tasks,
      })),
      state: "starting",
      intent: "start",
      why: null,
      suspendedFor: null,
      decision: decision.number,
      startedAt: null,
      suspendedSeconds: 0,
      suspendedAt: null,
      turn: turn.number,
    };
    job.attempts = [...job.attempts, attempt];
    const late = this.late.textOf(decision, turn.at, turn.unixSeconds - turn.at);
    if (late !== null) turn.event("promise-broken", { job: job.number, text: late });
    transition(turn, job, "starting", "");
    job.pool = pool.name;
    job.machines = attempt.placement.map(({ machine }) => machine);
    books.attempts.set(attemptKey({ job: job.id, attempt: attempt.attempt }), attempt);
    books.current.set(decision.job, attempt);
    turn.write(
      `INSERT INTO attempt (job, attempt, engine_job, engine_attempt, pool, placement, state, intent, decision)
         VALUES (?, ?, ?, ?, ?, ?, 'starting', 'start', ?)`,
      job.number,
      attempt.attempt,
      decision.job,
      decision.attempt,
      pool.name,
      JSON.stringify(attempt.placement),
      decision.number,
    );
    turn.effect(() => start(attempt));
  }

  private job(engineJob: number): LiveJob {
    const job = this.parts.books.jobOf(engineJob);
    if (job === undefined) throw new Error(`the decision engine speaks of job ${engineJob}, which is over`);
    return job;
  }
}

/** The farm drains a machine, until a person opens it. The decision engine knows, or is told. */
function drained(turn: Turn, pool: LivePool, number: number, reason: string): void {
  const machine = pool.machineName(number);
  pool.drainByFarm(number, reason, turn.unixSeconds);
  turn.event("drained", { text: `${machine} of ${pool.name}: ${reason}` });
  turn.write(
    "INSERT OR REPLACE INTO machine (pool, name, reason, actor, at) VALUES (?, ?, ?, 'croft', ?)",
    pool.name,
    machine,
    reason,
    turn.unixSeconds,
  );
}
