import type { Jobs } from "../../jobs/jobs.ts";
import { NONE } from "../../none.ts";
import type { Profile } from "./profile.ts";
import type { PromiseOrder, PromiseWalk } from "./promise-order.ts";
import { PromisesByKind } from "./promises-by-kind.ts";

/**
 * The promises of one pass of conservative backfilling that decide which jobs start now: those of times before the
 * horizon, which only comes nearer.
 *
 * A job that would get the horizon or a later time is late: it is left out, and nothing is taken from the profile for
 * it. So the profile is right up to the horizon, and may show too much as free after it. If a promise begins before the
 * horizon and ends after it, the jobs left out are walked through again, in order, and get their promises up to the end
 * of that one.
 *
 * In an overloaded pool thousands of jobs wait, and few of them get a time before the horizon: on RICC's log one in a
 * hundred.
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

  /** @param start called with each job whose time is now */
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

  /** Whether jobs of this kind with this estimate are known to be late. */
  isLate(kind: number, seconds: number): boolean {
    return this.known.isLate(kind, seconds);
  }

  /** Promises the next job a time before the horizon, or leaves it out. Returns false if there is no next job. */
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

  /** Makes the profile right at least until a time, for the next job. Returns until when it is right. */
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
      // The jobs left out before it may be in its way. At least doubles the reach, so that this is not needed for every
      // job.
      if (time + seconds > until && walk.hasLeftOut)
        return this.promiseLeftOut(horizon, Math.max(time + seconds, 2 * until - this.now));
      known.notePromise(kind[job], seconds, time);
      this.promise(walk, known, job, time, until);
    }
    return until;
  }

  /**
   * Promises a time to the job that a walk returned and to those that follow and ask for the same, as many as fit then:
   * users submit equal jobs by the hundred.
   *
   * @param rightUntil until when the profile is right for later jobs if the walk has left any out
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
    const tasks = jobs.tasksOf(job) * count;
    profile.take(
      time,
      jobs.coresOf(job) * tasks,
      jobs.memoryOf(job) * tasks,
      jobs.gpuOf(job) * tasks,
      seconds,
    );
  }

  private earliest(job: number, notBefore: number, limit: number): number {
    const { jobs, profile } = this;
    const tasks = jobs.tasksOf(job);
    return profile.earliest(
      jobs.coresOf(job) * tasks,
      jobs.memoryOf(job) * tasks,
      jobs.gpuOf(job) * tasks,
      jobs.estimateSeconds[job],
      notBefore,
      limit,
    );
  }
}
