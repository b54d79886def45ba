import { attemptKey, type AttemptId } from "../engines/attempt-id.ts";
import type { KnownAttempt, Listing } from "../engines/engine.ts";
import { stoodIn } from "../engines/outcome.ts";
import type { Database } from "../store/database.ts";
import type { Books, LiveAttempt } from "./books.ts";
import type { LivePool } from "./live-pool.ts";
import type { OutputFiles } from "./output-files.ts";
import type { Reports } from "./reports.ts";
import { hasStood } from "./standing-still.ts";
import type { Turn } from "./turn.ts";

export interface ReconcilingParts {
  readonly database: Database;
  readonly books: Books;
  readonly reports: Reports;
  readonly outputFiles: OutputFiles;
  /** A job that the books do not have still runs under this number. */
  readonly numberIsTaken: (number: number) => void;
  readonly start: (attempt: LiveAttempt) => void;
  readonly notice: (pool: string, text: string) => void;
  readonly warn: (pool: string, text: string) => void;
}

const MOST_WARNINGS = 1000;

/**
 * Compares the books with what an engine knows, after a crash of either side and at regular intervals. Outcomes that
 * were not reported are recorded, and decisions that were not carried out are carried out.
 */
export class Reconciling {
  private readonly parts: ReconcilingParts;
  private readonly warned = new Set<string>();

  constructor(parts: ReconcilingParts) {
    this.parts = parts;
  }

  /**
   * @param listedIn the turn after which the listing was requested: attempts that have changed since are skipped. 0: the
   * service has just started, and was away
   */
  compare(turn: Turn, pool: LivePool, listing: Listing, listedIn: number): void {
    const { books, reports, start } = this.parts;
    const isFirst = listedIn === 0;
    const known = new Map(listing.attempts.map((attempt) => [attemptKey(attempt.id), attempt]));
    // Copied: outcomes remove attempts.
    const ours = [...books.attempts].filter(([, { pool: at }]) => at === pool.number);
    const compare = (turn: Turn, [key, attempt]: (typeof ours)[number]): void => {
      if (attempt.turn > listedIn || attempt.state === "over") return;
      const found = known.get(key);
      const id: AttemptId = { job: attempt.job.id, attempt: attempt.attempt };
      if (found !== undefined) this.catchUp(turn, pool, attempt, found, isFirst);
      else if (listing.forgotten !== undefined)
        reports.take(turn, pool, { kind: "lost", id, reason: listing.forgotten }, isFirst);
      else if (attempt.state === "starting" && attempt.intent === "start") turn.effect(() => start(attempt));
      // It was to be ended before it started: ending it makes sure that it never starts.
      else if (attempt.startedAt === null) turn.effect(() => pool.carryOut(attempt));
      else
        reports.take(
          turn,
          pool,
          { kind: "lost", id, reason: `pool ${pool.name} does not know it any more` },
          isFirst,
        );
    };
    for (const pair of ours) turn.later((then) => compare(then, pair));
    const strangers = listing.attempts.filter(({ id }) => !books.attempts.has(attemptKey(id)));
    const left = strangers.filter((stranger) => this.isLeft(turn, pool, stranger));
    this.parts.outputFiles.leave(pool.name, left);
    for (const each of left)
      if (each.state !== "over" && each.jobNumber !== undefined) this.parts.numberIsTaken(each.jobNumber);
    if (listing.foreign.length > 0)
      this.warnOnce(
        pool.name,
        `left alone, since it cannot be read, or is of another farm or of a job that is over here: ${listing.foreign.slice(0, 10).join(", ")}`,
      );
  }

  private catchUp(
    turn: Turn,
    pool: LivePool,
    attempt: LiveAttempt,
    found: KnownAttempt,
    isFirst: boolean,
  ): void {
    const { reports, start } = this.parts;
    const stood = stoodIn(found);
    if (found.state === "over" && found.stood !== undefined) hasStood(turn, attempt, found.stood);
    if (found.state === "over") return reports.take(turn, pool, found.outcome, isFirst);
    if (found.state === "starting") {
      if (attempt.intent === "start") turn.effect(() => start(attempt));
      else turn.effect(() => pool.carryOut(attempt));
      return;
    }
    reports.take(turn, pool, found.started);
    if (found.stood !== undefined) hasStood(turn, attempt, found.stood);
    // Its user has suspended it since that was decided: as far as others are concerned it runs.
    if (attempt.intent === "resume" && attempt.job.isPaused)
      reports.take(turn, pool, { kind: "resumed", id: found.id, ...stood });
    const isByHand = attempt.job.isPaused && attempt.intent === null;
    if (found.state === "suspended" && (attempt.intent === "suspend" || isByHand))
      return reports.take(turn, pool, { kind: "suspended", id: found.id, ...stood });
    if (found.state === "running" && attempt.intent === "resume")
      return reports.take(turn, pool, { kind: "resumed", id: found.id, ...stood });
    const shouldStand = attempt.state === "suspended" || attempt.job.isPaused;
    // By hand: the service has died between the engine's act and its report of it.
    if (found.state === "running" && attempt.intent === null && !shouldStand && attempt.suspendedAt !== null)
      return reports.take(turn, pool, { kind: "resumed", id: found.id, ...stood });
    if (attempt.intent !== null && attempt.intent !== "start") turn.effect(() => pool.carryOut(attempt));
    else if (shouldStand && found.state === "running") turn.effect(() => pool.engine.suspend(found.id));
    else if (!shouldStand && found.state === "suspended") turn.effect(() => pool.engine.resume(found.id));
  }

  /** The books are compared every minute. */
  private warnOnce(pool: string, text: string): void {
    if (this.warned.has(text) || this.warned.size >= MOST_WARNINGS) return;
    this.warned.add(text);
    this.parts.warn(pool, text);
  }

  /** An attempt that the books have as over, or do not have: then it is left alone. */
  private isLeft(turn: Turn, pool: LivePool, { id, state }: KnownAttempt): boolean {
    const row = this.parts.database.get(
      "SELECT 1 FROM attempt JOIN job ON job.number = attempt.job WHERE job.id = ? AND attempt.attempt = ?",
      id.job,
      id.attempt,
    );
    if (row === undefined) {
      this.warnOnce(
        pool.name,
        `left alone, since the farm's books do not have it (they may be a backup from before it, or have moved its job into the history): attempt ${attemptKey(id)}, ${state}`,
      );
      return true;
    }
    if (state === "over") turn.effect(() => pool.forget(id));
    else {
      this.parts.notice(pool.name, `attempt ${attemptKey(id)} is over in our books and runs: it is ended`);
      turn.effect(() => pool.engine.end(id, 0));
    }
    return false;
  }
}
