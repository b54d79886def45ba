import type { Jobs } from "../../jobs/jobs.ts";
import type { WaitingKinds } from "../../jobs/waiting-kinds.ts";
import { NONE } from "../../none.ts";
import type { KindList } from "./kind-list.ts";
import type { Profile } from "./profile.ts";

/** Where more jobs start than this, promising is as quick. */
const MAX_STARTING = 64;

/**
 * Tells, part of the way through a pass of conservative backfilling, which of the
 * jobs to come will start, without promising the others anything. A short job that
 * fits into a hole before the wide jobs at the head of the queue starts whatever
 * is promised to the thousands between them; on RICC's log that halves the promises.
 *
 * Every promise only takes. So no job gets an earlier time than it would get as
 * things are, and one that would not start now does not start in this pass. The
 * first that would start now does start if none of those before it can start while
 * it runs: whatever they are promised, it leaves what this one sees as it is.
 *
 * Once that is told of one job, what it takes is of no concern to those before it:
 * they start when it will have ended. To those behind it, it is one of the running.
 *
 * Only for a queue in order of arrival, of jobs that all have kinds.
 */
export class Foresight {
  /** After `foresee`: the jobs that will start, in order; some may find the machines fragmented. */
  readonly starting: number[] = [];
  private readonly jobs: Jobs;
  private readonly profile: Profile;
  private readonly waitingKinds: WaitingKinds;
  /** By kind, the jobs that wait, those with the shortest estimates first. */
  private readonly waiting: readonly KindList[];
  private now = 0;
  /** What is left of it. */
  private effort = 0;

  constructor(jobs: Jobs, profile: Profile, waitingKinds: WaitingKinds, waiting: readonly KindList[]) {
    this.jobs = jobs;
    this.profile = profile;
    this.waitingKinds = waitingKinds;
    this.waiting = waiting;
  }

  /**
   * Whether it can be told which jobs start, from this one on. If not, the profile is as it was.
   *
   * @param effort different estimates to look at, at most: a log may have one for every job
   */
  foresee(from: number, now: number, effort: number): boolean {
    const { starting } = this;
    const { arrival } = this.jobs;
    starting.length = 0;
    this.now = now;
    this.effort = effort;
    let after = arrival[from];
    for (;;) {
      const job = this.firstToStart(after);
      if (job === NONE && this.effort > 0) return true;
      if (this.effort <= 0 || starting.length === MAX_STARTING || this.isAnyInWay(arrival[from], job)) break;
      starting.push(job);
      this.take(job, 1);
      after = arrival[job] + 1;
    }
    for (const job of starting) this.take(job, -1);
    return false;
  }

  /** The first job, of those that arrived at `after` or later, that would start now as things are; or `NONE`. */
  private firstToStart(after: number): number {
    const { jobs, waiting, waitingKinds, profile, now } = this;
    const { estimateSeconds, arrival } = jobs;
    let first = NONE;
    for (let i = 0; i < waitingKinds.count; i++) {
      const list = waiting[waitingKinds.list[i]];
      const job = list.at(0);
      const tasks = jobs.tasks[job];
      const until = profile.freeUntil(
        jobs.cores[job] * tasks,
        jobs.memory[job] * tasks,
        jobs.gpu[job] * tasks,
      );
      for (let place = 0; place < list.length && this.effort > 0; this.effort--) {
        const seconds = estimateSeconds[list.at(place)];
        if (now + seconds > until) break;
        place = list.firstFrom(seconds, after);
        if (place < list.length) {
          const next = list.at(place);
          if (estimateSeconds[next] === seconds) {
            if (first === NONE || arrival[next] < arrival[first]) first = next;
            place = list.firstFrom(seconds, Infinity);
          }
        }
      }
    }
    return first;
  }

  /** Whether a job that arrived at `from` or later, and before this one, could start while this one runs. */
  private isAnyInWay(from: number, job: number): boolean {
    const { waiting, waitingKinds, starting } = this;
    const { estimateSeconds, arrival } = this.jobs;
    const until = this.now + estimateSeconds[job];
    for (let i = 0; i < waitingKinds.count; i++) {
      const list = waiting[waitingKinds.list[i]];
      for (let place = 0; place < list.length; this.effort--) {
        if (this.effort <= 0) return true;
        const seconds = estimateSeconds[list.at(place)];
        place = list.firstFrom(seconds, from);
        while (place < list.length && starting.includes(list.at(place))) place++;
        if (place === list.length) break;
        const next = list.at(place);
        if (estimateSeconds[next] !== seconds) continue;
        if (arrival[next] < arrival[job]) {
          if (this.canStartBefore(until, next)) return true;
          // Those with longer estimates get no earlier times.
          break;
        }
        place = list.firstFrom(seconds, Infinity);
      }
    }
    return false;
  }

  private canStartBefore(time: number, job: number): boolean {
    const { jobs, profile, now } = this;
    const tasks = jobs.tasks[job];
    const start = profile.earliest(
      jobs.cores[job] * tasks,
      jobs.memory[job] * tasks,
      jobs.gpu[job] * tasks,
      jobs.estimateSeconds[job],
      now,
      time,
    );
    return start < time;
  }

  private take(job: number, times: number): void {
    const { jobs } = this;
    const tasks = jobs.tasks[job] * times;
    this.profile.take(
      this.now,
      jobs.cores[job] * tasks,
      jobs.memory[job] * tasks,
      jobs.gpu[job] * tasks,
      jobs.estimateSeconds[job],
    );
  }
}
