import type { ArrayLimits } from "./array-limits.ts";
import type { Books, LiveJob } from "./books.ts";
import type { Dependencies } from "./dependencies.ts";
import type { Journal } from "./journal.ts";
import type { Notifying } from "./notifying.ts";
import type { Releasing } from "./releasing.ts";
import type { Scheduling } from "./scheduling.ts";
import { unmetDependencies } from "../store/dependencies.ts";
import { isFinal, type FinalState, stateText } from "../store/job-states.ts";
import type { Database } from "../store/database.ts";
import { endInOrder } from "./times-in-order.ts";
import { transition } from "./transition.ts";
import type { Turn } from "./turn.ts";

/** How a job ended. */
export interface JobEnd {
  readonly state: FinalState;
  readonly reason: string;
  readonly exitStatus?: number | null;
  readonly exitSignal?: number | null;
  /** When it ended; null: now, or at an unknown time before. */
  readonly at?: number | null;
}

export interface EndingParts {
  readonly database: Database;
  readonly books: Books;
  readonly journal: Journal;
  readonly dependencies: Dependencies;
  readonly arrayLimits: ArrayLimits;
  readonly notifying: Notifying;
  readonly scheduling: Scheduling;
  readonly releasing: Releasing;
}

/** Brings jobs to their ends, and tells those that wait for them. */
export class Ending {
  private readonly parts: EndingParts;

  constructor(parts: EndingParts) {
    this.parts = parts;
  }

  /** Records that a job is over, and releases or cancels the jobs that waited for it. */
  finish(
    turn: Turn,
    job: LiveJob,
    { state, reason, exitStatus = null, exitSignal = null, at = null }: JobEnd,
  ): void {
    const { books, dependencies } = this.parts;
    if (!books.jobs.delete(job.number)) return;
    books.recentlyEnded.set(turn, job.number, state);
    this.parts.releasing.leavesArray(turn, job, true);
    transition(turn, job, state, reason);
    turn.write(
      "UPDATE job SET ended_at = ?, exit_status = ?, exit_signal = ? WHERE number = ?",
      endInOrder(job, at ?? turn.unixSeconds),
      exitStatus,
      exitSignal,
      job.number,
    );
    turn.event(state, { job: job.number, text: reason });
    this.parts.notifying.over(turn, job, state);
    if (job.twins.length > 0) turn.write("DELETE FROM twin WHERE job = ?", job.number);
    const { released, hopeless } = dependencies.over(job.number, state);
    for (const number of released) {
      const waiting = books.jobs.get(number);
      if (waiting === undefined || !waiting.after.has(job.number)) continue;
      waiting.after.delete(job.number);
      turn.later((then) => this.parts.releasing.unholdIfFree(then, waiting));
    }
    for (const number of hopeless) {
      const waiting = books.jobs.get(number);
      if (waiting !== undefined) turn.later((then) => this.giveUp(then, waiting, job.number, state));
    }
  }

  /**
   * Goes on with what the service before had left for a later turn: jobs that waited for others that are over, and the
   * jobs of a submission that was not whole, of which nobody knows.
   */
  goOn(turn: Turn): void {
    const { arrayLimits, books, database } = this.parts;
    for (const { first, last } of database.all("SELECT first, last FROM unfinished")) {
      turn.write(
        `UPDATE job SET reruns = max(0, reruns - again.count) FROM
           (SELECT request ->> '$.rerunOf' AS original, count(*) AS count FROM job WHERE number BETWEEN ? AND ? GROUP BY 1)
           AS again WHERE number = original`,
        Number(first),
        Number(last),
      );
      for (let number = Number(first); number <= Number(last); number++) {
        const job = books.jobs.get(number);
        if (job !== undefined) this.cancel(turn, job, "its submission was not whole when the service ended");
      }
    }
    turn.write("DELETE FROM unfinished");
    arrayLimits.dropEmpty(turn);
    for (const { job, after, state } of unmetDependencies(database)) {
      const waiting = books.jobs.get(job);
      if (waiting !== undefined) turn.later((then) => this.giveUp(then, waiting, after, state));
    }
    for (const job of books.jobs.values())
      if (job.state === "held" && !job.isHeld && job.after.size === 0 && job.beginAt === null)
        turn.later((then) => this.parts.releasing.unholdIfFree(then, job));
  }

  private giveUp(turn: Turn, job: LiveJob, after: number, state: FinalState): void {
    if (!isFinal(job.state)) this.cancel(turn, job, `job ${after}, which it waits for, ${stateText(state)}`);
  }

  /** Cancels a job: at once if nothing of it runs, otherwise once its attempts have been ended. */
  cancel(turn: Turn, job: LiveJob, reason: string): void {
    const { journal, scheduling } = this.parts;
    job.reason = reason;
    turn.changed(job);
    for (const engineJob of [job.number, ...job.twins])
      if (journal.port.has(engineJob))
        scheduling.apply(turn, { type: "cancelled", at: turn.at, job: engineJob });
    this.finishIfGone(turn, job, { state: "cancelled", reason });
  }

  /** Finishes the job if the decision engine does not know it any more. */
  finishIfGone(turn: Turn, job: LiveJob, end: JobEnd): void {
    const { journal } = this.parts;
    if (![job.number, ...job.twins].some((engineJob) => journal.port.has(engineJob)))
      this.finish(turn, job, end);
  }
}
