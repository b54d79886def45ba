import type { ArrayLimits } from "./array-limits.ts";
import { BY_ITS_USER, holdReason, type Books, type LiveJob } from "./books.ts";
import { isFinal } from "../store/job-states.ts";
import type { Scheduling } from "./scheduling.ts";
import { transition } from "./transition.ts";
import type { Turn } from "./turn.ts";

/** Lets held jobs wait for their turn when nothing holds them any more. */
export class Releasing {
  private readonly books: Books;
  private readonly arrayLimits: ArrayLimits;
  private readonly scheduling: Scheduling;

  constructor(books: Books, arrayLimits: ArrayLimits, scheduling: Scheduling) {
    this.books = books;
    this.arrayLimits = arrayLimits;
    this.scheduling = scheduling;
  }

  /** Releases a held job if nothing holds it any more. */
  unholdIfFree(turn: Turn, job: LiveJob): void {
    if (isFinal(job.state)) return;
    const heldFor = job.reason;
    job.reason = holdReason(job);
    turn.changed(job);
    if (job.state !== "held" || job.isHeld || job.after.size > 0 || job.beginAt !== null) return;
    const noPlace = this.arrayLimits.admit(job);
    if (noPlace !== null) {
      job.reason = noPlace;
      return;
    }
    transition(turn, job, "waiting");
    // A release by hand is told of already.
    if (heldFor !== BY_ITS_USER) turn.event("released", { job: job.number, text: heldFor });
    this.scheduling.apply(turn, { type: "released", at: turn.at, job: job.number });
    this.scheduling.noteAwaited(turn, job);
  }

  /** A job is held or over: the next job of its array may take its place. */
  leavesArray(turn: Turn, { number }: LiveJob, isOver: boolean): void {
    const { arrayLimits, books } = this;
    if (!arrayLimits.leave(turn, number, isOver)) return;
    turn.later((then) => {
      const next = arrayLimits.next(number);
      if (next !== null) this.unholdIfFree(then, books.jobs.get(next)!);
    });
  }
}
