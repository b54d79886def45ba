import { constants } from "node:os";

import { attemptKey } from "../engines/attempt-id.ts";
import type { AttemptReport, Exited, Machine, Outcome, Report, Started } from "../engines/engine.ts";
import type { Books, LiveAttempt } from "./books.ts";
import type { LivePool } from "./live-pool.ts";
import { START_FAILED } from "../store/job-states.ts";
import { retryCauseOf } from "./retrying.ts";
import type { Ending, JobEnd } from "./ending.ts";
import type { Scheduling } from "./scheduling.ts";
import type { Notifying } from "./notifying.ts";
import type { Timing } from "./timing.ts";
import { hasStood, stands } from "./standing-still.ts";
import { startInOrder } from "./times-in-order.ts";
import type { Turn } from "./turn.ts";

export interface ReportsParts {
  readonly books: Books;
  readonly scheduling: Scheduling;
  readonly ending: Ending;
  readonly timing: Timing;
  readonly notifying: Notifying;
  readonly notice: (pool: string, text: string) => void;
  readonly warn: (pool: string, text: string) => void;
  /** Called when a pool's engine tells of machines, and nobody knew them when the farm was opened. */
  readonly machinesKnown: () => void;
}

/** Passes the reports of engines on to the decision engine. They may be late, repeated or out of date. */
export class Reports {
  private readonly parts: ReportsParts;

  constructor(parts: ReportsParts) {
    this.parts = parts;
  }

  /** @param wasAway whether it may have happened long ago, while nobody was there to hear of it */
  take(turn: Turn, pool: LivePool, report: Report, wasAway = false): void {
    switch (report.kind) {
      case "machine":
        return this.machine(turn, pool, report.machine);
      case "machine-removed":
        return this.closing(turn, pool, pool.noteRemoved(report.name));
      case "reachable":
        if (pool.unreachable !== null) {
          turn.event("reachable", { text: pool.name });
          this.parts.warn(pool.name, "its engine is reached again");
        }
        pool.unreachable = null;
        return this.closings(turn, pool);
      case "unreachable":
        if (pool.unreachable === null) turn.event("unreachable", { text: `${pool.name}: ${report.reason}` });
        this.lose(pool, report);
        return this.closings(turn, pool);
      case "notice":
        return (report.warns === true ? this.parts.warn : this.parts.notice)(pool.name, report.text);
      default:
        return this.attempt(turn, pool, report, wasAway);
    }
  }

  /** A pool's engine cannot be reached: that is said once, with its first reason. */
  lose(pool: LivePool, unreachable: NonNullable<LivePool["unreachable"]>): void {
    if (pool.unreachable === null)
      this.parts.warn(pool.name, `its engine cannot be reached: ${unreachable.reason}`);
    pool.unreachable = unreachable;
  }

  private machine(turn: Turn, pool: LivePool, machine: Machine): void {
    const number = pool.noteState(machine);
    if (number === undefined && pool.plan.isUnknown === true) return this.parts.machinesKnown();
    if (number === undefined)
      return this.parts.notice(pool.name, `machine ${machine.name} is new: croft reload adds it`);
    this.resize(turn, pool, machine);
    this.closing(turn, pool, number);
  }

  /** Reports a machine that became larger or smaller, for instance because others use a part of it. */
  resize(turn: Turn, pool: LivePool, machine: Machine): void {
    const resized = pool.noteSize(machine);
    if (resized === null) return;
    const { machine: number, size } = resized;
    const group = pool.groupOf[number]!;
    const about = { at: turn.at, pool: pool.number, machine: number };
    this.parts.scheduling.apply(turn, { type: "machineChanged", ...about, group, ...size });
  }

  /** Reports which machines are closed. Repeating it changes nothing. */
  closings(turn: Turn, pool: LivePool): void {
    for (const machine of pool.closings.keys()) turn.later((then) => this.closing(then, pool, machine));
  }

  private closing(turn: Turn, pool: LivePool, machine: number | undefined): void {
    if (machine === undefined) return;
    const type = pool.isClosed(machine) ? "machineDrained" : "machineUndrained";
    this.parts.scheduling.apply(turn, { type, at: turn.at, pool: pool.number, machine });
  }

  private attempt(turn: Turn, pool: LivePool, report: AttemptReport, wasAway: boolean): void {
    const attempt = this.parts.books.attempts.get(attemptKey(report.id));
    if (attempt === undefined) {
      // Its outcome is recorded already, so the engine can forget it.
      if (isOutcome(report)) turn.effect(() => pool.forget(report.id));
      return;
    }
    const { job } = attempt;
    switch (report.kind) {
      case "started":
        return this.started(turn, attempt, report);
      case "suspended":
        if (report.stood === undefined) stands(turn, attempt, true);
        else hasStood(turn, attempt, report.stood);
        if (attempt.intent === "suspend") {
          const { suspendedFor } = attempt;
          const text = suspendedFor === null ? "" : `for job ${suspendedFor}`;
          turn.event("suspended", { job: job.number, text });
          return this.parts.scheduling.answered(turn, attempt, "suspended");
        }
        return this.parts.scheduling.show(turn, job);
      case "resumed":
        if (report.stood === undefined) stands(turn, attempt, false);
        else hasStood(turn, attempt, report.stood);
        if (attempt.intent === "resume") {
          turn.event("resumed", { job: job.number });
          return this.parts.scheduling.answered(turn, attempt, "resumed");
        }
        return this.parts.scheduling.show(turn, job);
      case "suspend-failed":
        if (attempt.intent === "suspend") {
          turn.event("suspend-failed", { job: job.number, text: report.reason });
          this.parts.scheduling.answered(turn, attempt, "suspendFailed");
        } else if (job.isPaused) {
          job.isPaused = false;
          job.isPausedWithPool = false;
          turn.event("suspend-failed", { job: job.number, text: report.reason });
          this.parts.scheduling.show(turn, job);
        }
        return;
      case "resume-failed":
        if (attempt.intent === "resume") {
          turn.event("resume-failed", { job: job.number, text: report.reason });
          this.parts.scheduling.answered(turn, attempt, "resumeFailed");
        }
        return;
      default:
        return this.over(turn, attempt, report, wasAway);
    }
  }

  private started(turn: Turn, attempt: LiveAttempt, { machines, gpus = [], unixSeconds }: Started): void {
    const { job } = attempt;
    const isNew = attempt.startedAt === null;
    if (isNew) {
      attempt.startedAt = startInOrder(job, unixSeconds);
      job.startedAt = attempt.startedAt;
      job.machines = [...machines];
      turn.changed(job);
      turn.changedAttempt(attempt);
      if (gpus.length > 0)
        turn.write(
          "UPDATE attempt SET gpus = ? WHERE job = ? AND attempt = ?",
          JSON.stringify(gpus),
          job.number,
          attempt.attempt,
        );
      turn.event("started", { job: job.number, text: `on ${machines.join(", ")} of ${job.pool}` });
    }
    if (attempt.intent === "start") this.parts.scheduling.answered(turn, attempt, "started");
    // With the state that it has now.
    if (isNew) this.parts.notifying.started(turn, job);
  }

  private over(turn: Turn, attempt: LiveAttempt, outcome: Outcome, wasAway: boolean): void {
    const { job, engineJob, engineAttempt, intent, decision } = attempt;
    const scheduling = this.parts.scheduling;
    const about = { at: turn.at, job: engineJob, attempt: engineAttempt };
    const at = endedAt(turn, attempt, outcome);
    scheduling.closeAttempt(turn, attempt, outcome, at ?? turn.unixSeconds);
    const isVague = wasAway && at === null && attempt.startedAt !== null;
    const vaguely = (reason: string): string => (isVague ? `${reason}${SOME_TIME}` : reason);
    const known = endOf(outcome, job.reason);
    const end = { ...known, reason: vaguely(known.reason), at };
    // It was to be ended, and it is over: because of that, or by itself at the same time.
    const isEnded = intent === "end" && !(outcome.kind === "exited" && outcome.cause === "itself");
    if (isEnded) {
      scheduling.apply(turn, { type: "killed", ...about, decision });
      // Its pool cannot suspend: it made room for another job and takes its turn again.
      if (attempt.why === "preempt") scheduling.waitsAgain(turn, job);
      const state = attempt.why === "cancel" ? "cancelled" : end.state;
      return this.parts.ending.finishIfGone(turn, job, { ...end, state, reason: vaguely(job.reason) });
    }
    const cause = retryCauseOf(outcome);
    const again = cause === null || job.retriesLeft === 0 ? null : scheduling.retryAfter(turn, job, cause);
    if (again !== null || (outcome.kind === "lost" && job.retriesLeft === 0)) {
      turn.event("attempt-over", { job: job.number, text: end.reason });
      scheduling.apply(turn, { type: "lost", ...about });
      if (again !== null && again > 0) this.parts.timing.delay(turn, job, again);
      return this.parts.ending.finishIfGone(turn, job, end);
    }
    if (outcome.kind === "start-failed") {
      turn.event("start-failed", { job: job.number, text: outcome.reason });
      const { fault } = outcome;
      const machine = scheduling.machineOf(attempt);
      scheduling.apply(turn, { type: "startFailed", ...about, decision, machine, fault });
      if (outcome.drains === true) {
        scheduling.drain(turn, attempt.pool, machine, outcome.reason);
        const { machine: name } = attempt.placement[0]!;
        this.parts.warn(job.pool!, `machine ${name} is drained until croft undrain: ${outcome.reason}`);
      }
      if (fault === "job") return this.parts.ending.finish(turn, job, end);
      return scheduling.waitsAgain(turn, job, START_FAILED + outcome.reason);
    }
    scheduling.apply(turn, { type: "exited", ...about });
    this.parts.ending.finish(turn, job, end);
  }
}

const SOME_TIME = " (the farm was away, and when is not known exactly)";

/** When an attempt ended, by the records of its engine, whose clock may be another; null: that is not known. */
function endedAt(turn: Turn, { startedAt }: LiveAttempt, outcome: Outcome): number | null {
  if (outcome.kind !== "exited" || outcome.unixSeconds === null) return null;
  const at = Math.min(turn.unixSeconds, outcome.unixSeconds);
  if (startedAt === null || at >= startedAt) return at;
  // The wall clock was set back since the start: how long it ran is known by a clock that does not jump.
  return startedAt + (outcome.usage.elapsedSeconds ?? 0);
}

export function isOutcome(report: AttemptReport): report is Outcome {
  return report.kind === "exited" || report.kind === "lost" || report.kind === "start-failed";
}

/** How a job is over whose last attempt came to that. */
export function endOf(outcome: Outcome, reason: string): JobEnd {
  if (outcome.kind === "lost") return { state: "lost", reason: outcome.reason };
  if (outcome.kind === "start-failed") return { state: "failed", reason: outcome.reason };
  const { status, signal, cause } = outcome;
  // A program that is told to end may still end with status 0, and has not done what it was to do.
  const state = status === 0 && cause === "itself" ? "ended" : "failed";
  return {
    state,
    exitStatus: status,
    exitSignal: signal,
    reason: [state === "ended" ? "" : exitText(outcome) || reason, leftText(outcome)]
      .filter((text) => text !== "")
      .join("; "),
  };
}

function leftText({ left = 0 }: Exited): string {
  if (left === 0) return "";
  return left === 1
    ? "a process that it left running was ended"
    : `${left} processes that it left running were ended`;
}

function exitText({ status, signal, cause }: Exited): string {
  switch (cause) {
    case "memory":
      return "it took more memory than it had asked for";
    case "cores":
      return "it took more cores than it had asked for";
    case "time":
      return "its time was over";
    case "output":
      return "it printed more than the farm keeps of a job";
    case "outside":
      return "it was ended from outside the farm";
    case "asked":
    case "never-ran":
      return "it was ended";
    case "itself":
      if (status === null)
        return signal === null ? "its end was not seen" : `it was ended by signal ${signal}`;
      return `it ended with status ${status}${guessOf(status, signal)}`;
  }
}

/** What is behind a status by custom. A program may end with it by itself, so it is told as a guess. */
function guessOf(status: number, signal: number | null): string {
  const guess = signal === null ? SHELL_STATUSES[status] : `by signal ${signal}${nameOf(signal)}`;
  return guess === undefined ? "" : `: ${guess}, or by itself with that status`;
}

/** As env and shells have them (POSIX, Shell Command Language, 2.8.2). */
const SHELL_STATUSES: Readonly<Record<number, string>> = {
  126: "a program may not be executed",
  127: "a program was not found",
};

function nameOf(signal: number): string {
  const [name] = Object.entries(constants.signals).find(([, number]) => number === signal) ?? [];
  return name === undefined ? "" : ` (${name})`;
}
