import { holdReason, lastStart, type Books, type LiveJob } from "./books.ts";
import { isFinal } from "../store/job-states.ts";
import { Refusal } from "../refusal.ts";
import type { JobRequest } from "../store/job-request.ts";
import type { Ending } from "./ending.ts";
import type { Releasing } from "./releasing.ts";
import type { Scheduling } from "./scheduling.ts";
import { transition } from "./transition.ts";
import type { Turn } from "./turn.ts";

/** The service is woken by the farm's clock, and what is due is by the wall's: the difference of both is rounded. */
const ROUNDED_SECONDS = 0.001;
/** So many are looked up in a turn; the rest is due at the next. */
const MOST_DUE = 10_000;

type Times = Pick<JobRequest, "beginAt" | "deadlineAt" | "timeSeconds">;

/** Whether it could start between its begin and its deadline. */
export function canKeepTimes({ beginAt, deadlineAt, timeSeconds }: Times, unixSeconds: number): boolean {
  return deadlineAt === null || earliestOf(beginAt, unixSeconds) + (timeSeconds ?? 0) < deadlineAt;
}

function earliestOf(beginAt: number | null, unixSeconds: number): number {
  return Math.max(unixSeconds, beginAt ?? 0);
}

/** @throws Refusal where it could not start between its begin and its deadline */
export function checkTimes(times: Times, unixSeconds: number): void {
  const { beginAt, deadlineAt, timeSeconds } = times;
  if (deadlineAt === null || canKeepTimes(times, unixSeconds)) return;
  const earliest = earliestOf(beginAt, unixSeconds);
  throw new Refusal(
    422,
    timeSeconds === null
      ? `its deadline, ${new Date(deadlineAt * 1000).toISOString()}, is before it could start`
      : `it cannot be over by its deadline, ${new Date(deadlineAt * 1000).toISOString()}: it may run for ${timeSeconds} s, from ${new Date(earliest * 1000).toISOString()} on`,
  );
}

/** What is due about jobs by the wall clock: some may start from now on, others cannot start in time any more. */
export class Timing {
  private readonly books: Books;
  private readonly scheduling: Scheduling;
  private readonly releasing: Releasing;
  private readonly ending: Ending;

  constructor(books: Books, scheduling: Scheduling, releasing: Releasing, ending: Ending) {
    this.books = books;
    this.scheduling = scheduling;
    this.releasing = releasing;
    this.ending = ending;
  }

  /** When something is due next, in seconds since 1970; Infinity: never. */
  get next(): number {
    return this.books.times.firstTime;
  }

  /** Sees to what is due. What a turn does not come to is found again at the next start, by the rows. */
  tick(turn: Turn): void {
    const { times, jobs } = this.books;
    for (let left = MOST_DUE; left > 0 && times.firstTime <= dueBy(turn); left--) {
      const job = jobs.get(times.take());
      if (job !== undefined) turn.later((then) => this.see(then, job));
    }
  }

  /** The job waits for so long before it may start, beside what it waits for anyhow. */
  delay(turn: Turn, job: LiveJob, seconds: number): void {
    // A second attempt goes on, or it is on its way to another pool: it comes to its turn there.
    if (job.state === "waiting") this.hold(turn, job, turn.unixSeconds + seconds);
  }

  /**
   * A job that waits or is held does not start before this time, in the place of another; null: at any time.
   *
   * @throws Refusal where it is on its way to another pool
   */
  changeBegin(turn: Turn, job: LiveJob, at: number | null): void {
    const begin = at !== null && at > turn.unixSeconds ? at : null;
    if (job.state !== "waiting") {
      this.begins(turn, job, begin);
      this.releasing.unholdIfFree(turn, job);
    } else if (begin !== null && !this.hold(turn, job, begin))
      throw new Refusal(409, `job ${job.number} is on its way to another pool: try again`);
  }

  /** By this time it has to be over; null: it has no deadline. */
  deadline(turn: Turn, job: LiveJob, at: number | null): void {
    job.deadlineAt = at;
    turn.write("UPDATE job SET deadline_at = ? WHERE number = ?", at, job.number);
    this.noteLastStart(job);
  }

  /** It is seen when it could start for the last time, for what it asks now. */
  noteLastStart(job: LiveJob): void {
    const last = lastStart(job);
    if (last !== null) this.books.times.add(job.number, last);
  }

  /** Of a job that waits. False: it is on its way to another pool. */
  private hold(turn: Turn, job: LiveJob, until: number): boolean {
    const { answer } = this.scheduling.apply(turn, { type: "held", at: turn.at, job: job.number });
    if (answer !== "taken") return false;
    this.begins(turn, job, until);
    transition(turn, job, "held");
    job.reason = holdReason(job);
    this.releasing.leavesArray(turn, job, false);
    return true;
  }

  /** Before this time it does not start. */
  begins(turn: Turn, job: LiveJob, at: number | null): void {
    job.beginAt = at;
    turn.write("UPDATE job SET begin_at = ? WHERE number = ?", at, job.number);
    if (at !== null) this.books.times.add(job.number, at);
  }

  private see(turn: Turn, job: LiveJob): void {
    if (isFinal(job.state)) return;
    if (job.beginAt !== null && job.beginAt <= dueBy(turn)) {
      this.begins(turn, job, null);
      this.releasing.unholdIfFree(turn, job);
    }
    const last = lastStart(job);
    // Of one that runs it is seen again when it waits again.
    if (last === null || (job.state !== "waiting" && job.state !== "held")) return;
    if (last > dueBy(turn)) this.books.times.add(job.number, last);
    else this.ending.cancel(turn, job, deadlineText(job));
  }
}

function dueBy({ unixSeconds }: Turn): number {
  return unixSeconds + ROUNDED_SECONDS;
}

function deadlineText({ deadlineAt, timeSeconds }: LiveJob): string {
  const deadline = `its deadline, ${new Date(deadlineAt! * 1000).toISOString()}`;
  return timeSeconds === null
    ? `it had not started by ${deadline}`
    : `it could not be over by ${deadline}, any more: it may run for ${timeSeconds} s`;
}
