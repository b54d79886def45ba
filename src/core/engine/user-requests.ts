import { FREE, HELD, UNASSIGNED, WAITING } from "../jobs/job-states.ts";
import { transition } from "../jobs/transition.ts";
import { NONE } from "../none.ts";
import type { ReasonSink } from "../reasons/reason.ts";
import { EnginePart, type SharedState } from "./engine-part.ts";
import { NO_POOL, NO_SUCH_JOB, NOT_IN_THAT_STATE, TAKEN, type Ignored } from "./ignored.ts";
import type { JobMoves } from "./job-moves.ts";
import type { Router } from "./router.ts";
import type { JobChange } from "./settings.ts";

/** What users ask of jobs that were submitted: hold, release, change or cancel them, or tell why they wait. */
export class UserRequests extends EnginePart {
  /** Takes the reasons why jobs that were asked about wait; null: nobody asks. */
  sink: ReasonSink | null = null;
  private readonly moves: JobMoves;
  private readonly router: Router;

  constructor(state: SharedState, moves: JobMoves, router: Router) {
    super(state);
    this.moves = moves;
    this.router = router;
  }

  /** A waiting job leaves the queue until it is released. */
  hold(job: number, now: number): Ignored {
    const state = this.moves.stateOf(job);
    if (state === WAITING) this.moves.leaveQueue(job, now);
    else if (state === UNASSIGNED) this.unassigned.remove(job);
    else return this.moves.whyIgnored(job);
    transition(this.engineJobs, job, HELD);
    return TAKEN;
  }

  /** A held job goes back to its place in the queue. */
  release(job: number, now: number): Ignored {
    if (this.moves.stateOf(job) !== HELD) return this.moves.whyIgnored(job);
    if (this.engineJobs.pool[job] === NONE) this.router.wait(job);
    else this.moves.waitAgain(job, now);
    return TAKEN;
  }

  /** A user cancels a job. One without machines is over at once, another when it has been killed. */
  cancel(job: number, now: number): Ignored {
    const state = this.moves.stateOf(job);
    if (state === FREE) return NO_SUCH_JOB;
    return this.moves.cancel(job, now) ? TAKEN : NOT_IN_THAT_STATE;
  }

  /** Asks why a waiting job waits: its pool tries again, and tells the sink. A virtual pool tells it at once. */
  ask(job: number, now: number): Ignored {
    const state = this.moves.stateOf(job);
    if (state === UNASSIGNED) {
      this.sink?.waitsForPool(job, this.router.poolsOf(job), now);
      return TAKEN;
    }
    if (state !== WAITING) return this.moves.whyIgnored(job);
    this.moves.managerOf(job).markDirty();
    return TAKEN;
  }

  /** Changes a job's priority, its estimate of the whole run time, its size, or where it may go: see `events.ts`. */
  change(job: number, { priority, estimateSeconds, size, place }: JobChange, now: number): Ignored {
    const engineJobs = this.engineJobs;
    const { jobs } = engineJobs;
    const before = this.moves.stateOf(job);
    if (before !== WAITING && before !== HELD && before !== UNASSIGNED) return this.moves.whyIgnored(job);
    if ((place !== undefined || size !== undefined) && engineJobs.twin[job] !== NONE)
      return NOT_IN_THAT_STATE;
    if (size !== undefined) {
      const asked = { ...jobs.kinds.request(jobs.kind[job]), ...size };
      if (!jobs.wouldHoldWith(job, asked, () => this.hasEligiblePool(job, place))) return NO_POOL;
      this.requeue(job, now, () => jobs.setRequest(job, asked));
    }
    if (place !== undefined) {
      const answer = this.router.redirect(job, place.virtualPool, place.candidates, now);
      if (answer !== TAKEN) return answer;
    }
    this.requeue(job, now, () => {
      if (priority !== undefined) engineJobs.priority[job] = priority;
      if (estimateSeconds !== undefined)
        engineJobs.estimateSeconds[job] = jobs.estimateSeconds[job] = estimateSeconds;
    });
    return TAKEN;
  }

  /** Changes a job that is not on machines, outside the queue that it may be in. */
  private requeue(job: number, now: number, change: () => void): void {
    const state = this.moves.stateOf(job);
    // A waiting job's wait goes on, and so does its timer.
    const manager = state === WAITING ? this.moves.managerOf(job) : null;
    if (manager !== null) this.views.changes(manager.number, now);
    manager?.leave(job);
    if (state === UNASSIGNED) this.unassigned.remove(job);
    change();
    manager?.wait(job);
    // It may have become urgent enough to suspend others.
    if (state === UNASSIGNED) this.router.wait(job);
  }

  /** Whether a pool could hold the job, or might: one of its new place, the one that it is in, or one that it may be sent to. */
  private hasEligiblePool(job: number, place: JobChange["place"]): boolean {
    const pool = this.engineJobs.pool[job];
    const pools =
      place !== undefined
        ? this.router.candidatesOf(place.virtualPool, place.candidates)
        : pool === NONE
          ? this.router.poolsOf(job)
          : [pool];
    return pools.some((each) => this.pools[each].mightHold(job));
  }
}
