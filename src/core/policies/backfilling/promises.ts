import type { Jobs } from "../../jobs/jobs.ts";
import { NONE } from "../../none.ts";
import type { Profile } from "./profile.ts";
import type { PromiseOrder, PromiseWalk } from "./promise-order.ts";
import { PromisesByKind } from "./promises-by-kind.ts";

/**
 * The promises of one pass of conservative backfilling, as far as they decide what
 * starts now: those of a time before the horizon, which only comes nearer.
 *
 * A job that gets no earlier time than that is late: it is left out, and nothing
 * is taken from the profile for it. Up to the horizon the profile is right all the
 * same; after it, it may show as free what is not. Free enough for a promise that
 * begins before the horizon and ends after it? To tell, the jobs left out are gone
 * through again, in order, and promised their times as far as that one reaches.
 *
 * In an overloaded pool thousands wait, and few of them get a time before the
 * last of the jobs that may start now would have ended: on RICC's log one in a hundred.
 */
export class Promises {
  private readonly jobs: Jobs;
  private readonly profile: Profile;
  private readonly start: (job: number) => void;
  private readonly known = new PromisesByKind();
  private readonly knownOfLeftOut = new PromisesByKind();
  private order!: PromiseOrder;
  private walk!: PromiseWalk;
  private now = 0;

  /** @param start is called with each job whose time is now */
  constructor(jobs: Jobs, profile: Profile, start: (job: number) => void) {
    this.jobs = jobs;
    this.profile = profile;
    this.start = start;
  }

  begin(order: PromiseOrder, now: number): void {
    this.order = order;
    this.walk = order.begin();
    this.now = now;
    this.known.clear();
  }

  /** Whether a job of this kind with this estimate is known to be left out. */
  isLate(kind: number, seconds: number): boolean {
    return this.known.isLate(kind, seconds);
  }

  /** Promises the next job a time before the horizon, or leaves it out. False where there is none. */
  makeNext(horizon: number): boolean {
    const { jobs, walk, known } = this;
    const job = walk.next(known);
    if (job === NONE) return false;
    const kind = jobs.kind[job];
    const seconds = jobs.estimateSeconds[job];
    let rightUntil = walk.hasLeftOut ? horizon : Infinity;
    for (;;) {
      const time = this.earliest(job, Math.max(this.now, known.notBefore(kind, seconds)), horizon);
      if (time >= horizon && horizon < Infinity) {
        known.noteLate(kind, seconds);
        walk.leaveOut();
        return true;
      }
      known.notePromise(kind, seconds, time);
      if (time + seconds <= rightUntil) {
        this.promise(walk, known, job, time, horizon);
        return true;
      }
      rightUntil = this.promiseLeftOut(horizon, time + seconds);
    }
  }

  /** Makes the profile right until a time, at least, for the job that is next; until when it is. */
  private promiseLeftOut(horizon: number, until: number): number {
    const { order, knownOfLeftOut: known } = this;
    const { kind, estimateSeconds } = this.jobs;
    const walk = order.beginLeftOut();
    known.clear();
    for (let job = walk.next(known); job !== NONE; job = walk.next(known)) {
      const seconds = estimateSeconds[job];
      const time = this.earliest(job, Math.max(horizon, known.notBefore(kind[job], seconds)), until);
      if (time >= until && until < Infinity) {
        known.noteLate(kind[job], seconds);
        walk.leaveOut();
        continue;
      }
      // Those left out before it may be in its way. Twice as far at least: it must not come to this for every one.
      if (time + seconds > until && walk.hasLeftOut)
        return this.promiseLeftOut(horizon, Math.max(time + seconds, 2 * until - this.now));
      known.notePromise(kind[job], seconds, time);
      this.promise(walk, known, job, time, until);
    }
    return until;
  }

  /**
   * Promises a time to the job that a walk gave and to all that follow and ask for
   * the same, as many as fit there: users submit equal jobs by the hundred.
   *
   * @param rightUntil until when the profile is right for those that follow where the walk has left any out
   */
  private promise(
    walk: PromiseWalk,
    known: PromisesByKind,
    job: number,
    time: number,
    rightUntil: number,
  ): void {
    const { jobs, profile } = this;
    const kind = jobs.kind[job];
    const seconds = jobs.estimateSeconds[job];
    const most = profile.times;
    let count = 0;
    let next = job;
    for (;;) {
      count++;
      walk.promised();
      if (time === this.now) this.start(next);
      if (count === most) break;
      next = walk.next(known);
      if (next === NONE || jobs.kind[next] !== kind || jobs.estimateSeconds[next] !== seconds) break;
      if (time + seconds > rightUntil && walk.hasLeftOut) break;
    }
    const tasks = jobs.tasks[job] * count;
    profile.take(time, jobs.cores[job] * tasks, jobs.memory[job] * tasks, jobs.gpu[job] * tasks, seconds);
  }

  private earliest(job: number, notBefore: number, limit: number): number {
    const { jobs, profile } = this;
    const tasks = jobs.tasks[job];
    return profile.earliest(
      jobs.cores[job] * tasks,
      jobs.memory[job] * tasks,
      jobs.gpu[job] * tasks,
      jobs.estimateSeconds[job],
      notBefore,
      limit,
    );
  }
}
