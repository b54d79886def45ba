import type { SQLInputValue } from "node:sqlite";

import type { EngineEvent, PlainDecision } from "../../core/index.ts";
import type { Write } from "../store/database.ts";
import type { Backlog } from "./backlog.ts";
import type { LiveAttempt, LiveJob } from "./books.ts";

/** What happened, for people. */
export interface FarmEvent {
  readonly kind: string;
  readonly job?: number;
  /** The person who did it; absent: no person. */
  readonly actor?: string;
  readonly text?: string;
}

/** What a job's row has in addition to the books. */
export interface NewJob {
  readonly name: string;
  /** As JSON. */
  readonly request: string;
  /** The number of its variables. */
  readonly environment: number;
  readonly project: string;
  /** See `tagsText`. */
  readonly tags: string;
}

/**
 * One step of the service: everything that came in since the last turn is processed and written in one transaction,
 * and only then carried out and answered.
 */
export class Turn {
  readonly number: number;
  /** On the farm's clock. */
  readonly at: number;
  readonly unixSeconds: number;
  /** By `performance.now`; only to measure how long it takes. */
  readonly begun = performance.now();
  readonly events: FarmEvent[] = [];
  private readonly writes: Write[] = [];
  /** What the decision engine took, as it is written: the last number, and each event with its decisions, as JSON. */
  private journalSeq = 0;
  private readonly journalRows: string[] = [];
  private readonly newJobs = new Map<LiveJob, NewJob>();
  private readonly jobs = new Set<LiveJob>();
  private bytes = 0;
  private readonly attempts = new Set<LiveAttempt>();
  private readonly laterEffects: (() => void)[] = [];
  private readonly steps: (() => void)[] = [];

  private readonly backlog: Backlog;

  constructor(number: number, at: number, unixSeconds: number, backlog: Backlog) {
    this.backlog = backlog;
    this.number = number;
    this.at = at;
    this.unixSeconds = unixSeconds;
  }

  write(sql: string, ...values: SQLInputValue[]): void {
    this.writes.push({ sql, values });
  }

  /** An event that the decision engine took, with what it decided. Those of a turn are one row. */
  journal(seq: number, event: EngineEvent, decisions: readonly PlainDecision[]): void {
    this.journalSeq = seq;
    const text = JSON.stringify(event);
    this.journalRows.push(decisions.length === 0 ? `[${text}]` : `[${text},${JSON.stringify(decisions)}]`);
  }

  /** A new job, which waits. If more than that has happened to it by the end of the turn it is also `changed`. */
  created(job: LiveJob, more: NewJob): void {
    this.newJobs.set(job, more);
    this.bytes += job.rowBytes;
  }

  /** Its row is written at the end of the turn. */
  changed(job: LiveJob): void {
    if (!this.jobs.has(job) && !this.newJobs.has(job)) this.bytes += job.rowBytes;
    this.jobs.add(job);
  }

  changedAttempt(attempt: LiveAttempt): void {
    attempt.turn = this.number;
    this.attempts.add(attempt);
  }

  /** Carried out when all is written. It may be carried out again after a crash. */
  effect(effect: () => void): void {
    this.laterEffects.push(effect);
  }

  /** Adds a step to this turn, after the present one. */
  next(step: () => void): void {
    this.steps.push(step);
  }

  /** Adds a step to this turn, or a later one if this one has done enough. The next start must find it again. */
  later(step: (turn: Turn) => void): void {
    this.backlog.add(step);
  }

  event(kind: string, more: Omit<FarmEvent, "kind"> = {}): void {
    this.events.push({ kind, ...more });
  }

  runNext(): void {
    // Steps may add more. Not by shift, which moves all that are left.
    for (let at = 0; at < this.steps.length; at++) this.steps[at]!();
    this.steps.length = 0;
  }

  /** Leaves nothing for later turns. */
  runAll(): void {
    this.runNext();
    this.backlog.run(this, () => false);
  }

  get effects(): readonly (() => void)[] {
    return this.laterEffects;
  }

  /** How many it will write as it stands. */
  get statements(): number {
    return this.newJobs.size + this.jobs.size + this.attempts.size + this.writes.length + this.events.length;
  }

  /** About what it will write of jobs' rows: a change writes all of one anew. */
  get rowBytes(): number {
    return this.bytes;
  }

  /** All that the turn writes. */
  finish(): readonly Write[] {
    const inserts = Array.from(this.newJobs, ([job, more]) => insertOf(job, more, this.unixSeconds));
    for (const job of this.jobs)
      this.write(
        `UPDATE job SET state = ?, reason = ?, pool = ?, machines = ?, started_at = ?, attempt = ?, retries_left = ?,
           is_held = ?, is_paused = ?, priority = ?, time_seconds = ? WHERE number = ?`,
        job.state,
        job.reason,
        job.pool,
        JSON.stringify(job.machines),
        job.startedAt,
        job.attempt,
        job.retriesLeft,
        Number(job.isHeld),
        job.isPaused && job.isPausedWithPool ? WITH_POOL : Number(job.isPaused),
        job.priority,
        job.timeSeconds,
        job.number,
      );
    for (const attempt of this.attempts)
      this.write(
        `UPDATE attempt SET state = ?, intent = ?, why = ?, suspended_for = ?, decision = ?, started_at = ?,
           suspended_seconds = ?, suspended_at = ? WHERE job = ? AND attempt = ?`,
        attempt.state,
        attempt.intent,
        attempt.why,
        attempt.suspendedFor,
        attempt.decision,
        attempt.startedAt,
        attempt.suspendedSeconds,
        attempt.suspendedAt,
        attempt.job.number,
        attempt.attempt,
      );
    if (this.journalRows.length > 0)
      this.write(
        "INSERT INTO journal (seq, entries) VALUES (?, ?)",
        this.journalSeq,
        `[${this.journalRows.join(",")}]`,
      );
    for (const { kind, job, actor, text } of this.events)
      this.write(
        "INSERT INTO event (at, kind, job, actor, text) VALUES (?, ?, ?, ?, ?)",
        this.unixSeconds,
        kind,
        job ?? null,
        actor ?? null,
        text ?? "",
      );
    return [...inserts, ...this.writes];
  }
}

/** In the column `is_paused`: it is suspended with its pool. */
export const WITH_POOL = 2;

/** What is the same for every new job is in the text: to bind it costs as much as to write it. */
function insertOf(
  job: LiveJob,
  { name, request, environment, project, tags }: NewJob,
  submittedAt: number,
): Write {
  return {
    sql: `INSERT INTO job (number, id, name, user, state, reason, pool, machines, submitted_at, attempt, retries_left,
        is_held, is_paused, priority, time_seconds, request, environment, project, tags)
        VALUES (?, ?, ?, ?, 'waiting', '', ?, '[]', ?, 0, ?, ?, 0, ?, ?, ?, ?, ?, ?)`,
    values: [
      job.number,
      job.id,
      name,
      job.user,
      job.pool,
      submittedAt,
      job.retriesLeft,
      Number(job.isHeld),
      job.priority,
      job.timeSeconds,
      request,
      environment,
      project,
      tags,
    ],
  };
}
