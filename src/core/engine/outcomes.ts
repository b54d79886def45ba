import {
  IN_TRANSFER,
  KILL_TO_PREEMPT,
  KILLING,
  RESUMING,
  RUNNING,
  STARTING,
  SUSPENDING,
} from "../jobs/job-states.ts";
import { transition } from "../jobs/transition.ts";
import { DRAINED } from "../machines/machine-state.ts";
import { OVERRUN_SECONDS } from "../policies/backfilling/running-jobs.ts";
import { DRAIN } from "./decisions.ts";
import { EnginePart, type SharedState } from "./engine-part.ts";
import { NO_SUCH_MACHINE, TAKEN, type Ignored } from "./ignored.ts";
import type { JobMoves } from "./job-moves.ts";

/** Whether the machine or the job is to blame for a failed start. */
export type Fault = "machine" | "job" | "transient";

/** The events that report the outcomes of decisions, and how attempts end. */
export class Outcomes extends EnginePart {
  private readonly moves: JobMoves;
  private readonly justSuspended: (job: number) => void;

  /** @param justSuspended called when a job has just been suspended, so that the strategy can reconsider it */
  constructor(state: SharedState, moves: JobMoves, justSuspended: (job: number) => void) {
    super(state);
    this.moves = moves;
    this.justSuspended = justSuspended;
  }

  /** A job has arrived at the pool that it was sent to. */
  arrived(job: number, now: number): Ignored {
    if (this.moves.stateOf(job) !== IN_TRANSFER) return this.moves.whyIgnored(job);
    this.moves.enter(job, this.engineJobs.pool[job], now);
    return TAKEN;
  }

  /** A running job is expected to end at another time than its estimate says. */
  expected(job: number, until: number, now: number): Ignored {
    if (this.moves.stateOf(job) !== RUNNING) return this.moves.whyIgnored(job);
    this.moves.managerOf(job).pool.expectEnd(job, until, now);
    return TAKEN;
  }

  /** A running job is not to be suspended for others before a time. */
  spared(job: number, until: number, now: number): Ignored {
    if (this.moves.stateOf(job) !== RUNNING) return this.moves.whyIgnored(job);
    this.engineJobs.retryAt[job] = until;
    this.faults.retryAt(Math.max(now, until), this.moves.managerOf(job).number);
    return TAKEN;
  }

  started(job: number, now: number): Ignored {
    const engineJobs = this.engineJobs;
    if (!this.moves.awaits(job, STARTING)) return this.moves.whyIgnored(job);
    const manager = this.moves.managerOf(job);
    transition(engineJobs, job, RUNNING);
    if (this.faults.hasFailures(manager.number))
      for (const machine of manager.placed.machinesOf(job)) this.faults.recovered(manager.number, machine);
    const lateSeconds = now - engineJobs.virtualStart[job];
    // Where jobs may be suspended it counts how long each has run.
    if (manager.preemption !== null && lateSeconds !== 0) manager.suspensions.beganLate(job, now, now);
    else if (lateSeconds > OVERRUN_SECONDS) manager.pool.beganLate(job, now);
    manager.noteRunning();
    return TAKEN;
  }

  /**
   * A job could not start on a machine. If the machine is to blame the job waits again and avoids that machine for a
   * while; a machine that fails many starts in a row is drained. If the job is to blame it is over.
   */
  startFailed(job: number, machine: number, fault: Fault, now: number): Ignored {
    const faults = this.faults;
    if (!this.moves.awaits(job, STARTING)) return this.moves.whyIgnored(job);
    const manager = this.moves.managerOf(job);
    const { number } = manager;
    if (fault !== "job" && !manager.placed.machinesOf(job).has(machine)) return NO_SUCH_MACHINE;
    if (fault === "job") {
      this.moves.over(job, now);
      return TAKEN;
    }
    this.views.changes(number, now);
    manager.release(job, now);
    this.moves.resetEstimate(job);
    manager.pool.allowed.exclude(job, machine, faults.failed(number, now));
    this.moves.waitAgain(job, now);
    if (fault !== "machine" || !faults.startFailed(number, machine)) return TAKEN;
    if (!manager.machines.isOut(machine, DRAINED)) {
      manager.machines.takeOut(machine, DRAINED);
      this.moves.unclaimOn(manager, [machine], now);
      this.decisions.add(DRAIN, job, number, machine);
    }
    return TAKEN;
  }

  suspended(job: number, now: number): Ignored {
    const engineJobs = this.engineJobs;
    if (!this.moves.awaits(job, SUSPENDING)) return this.moves.whyIgnored(job);
    const manager = this.pools[engineJobs.pool[job]];
    this.views.changes(manager.number, now);
    manager.suspensions.confirmSuspended(job);
    this.claims.changed();
    if (!manager.placed.couldHold(job)) this.moves.lose(job, now);
    else this.justSuspended(job);
    return TAKEN;
  }

  /**
   * A job could not be suspended, or may not be ended for another. It runs on, and the jobs that were to take its place
   * wait again.
   */
  suspendFailed(job: number, now: number): Ignored {
    const engineJobs = this.engineJobs;
    const faults = this.faults;
    const isEnding = engineJobs.killReason[job] === KILL_TO_PREEMPT && this.moves.awaits(job, KILLING);
    if (!isEnding && !this.moves.awaits(job, SUSPENDING)) return this.moves.whyIgnored(job);
    const manager = this.pools[engineJobs.pool[job]];
    this.views.changes(manager.number, now);
    this.moves.unclaimOn(manager, manager.placed.machinesOf(job), now);
    manager.suspensions.keepRunning(job, now);
    engineJobs.retryAt[job] = faults.failed(manager.number, now);
    this.claims.changed();
    return TAKEN;
  }

  resumed(job: number, now: number): Ignored {
    if (!this.moves.awaits(job, RESUMING)) return this.moves.whyIgnored(job);
    transition(this.engineJobs, job, RUNNING);
    const manager = this.moves.managerOf(job);
    manager.suspensions.confirmResumed(job, now);
    manager.noteRunning();
    return TAKEN;
  }

  /** A suspended job could not resume. It stays suspended and is retried after a while. */
  resumeFailed(job: number, now: number): Ignored {
    const engineJobs = this.engineJobs;
    const faults = this.faults;
    if (!this.moves.awaits(job, RESUMING)) return this.moves.whyIgnored(job);
    const manager = this.pools[engineJobs.pool[job]];
    this.views.changes(manager.number, now);
    engineJobs.retryAt[job] = faults.failed(manager.number, now);
    manager.suspensions.staySuspended(job, now);
    if (!manager.placed.couldHold(job)) this.moves.lose(job, now);
    return TAKEN;
  }

  /** A job that has machines has ended by itself, well or not, whatever was last decided about it. */
  exited(job: number, now: number): Ignored {
    if (!this.moves.hasMachines(job)) return this.moves.whyIgnored(job);
    this.moves.over(job, now);
    return TAKEN;
  }

  /** A job that was to be killed has been. */
  killed(job: number, now: number): Ignored {
    if (!this.moves.awaits(job, KILLING)) return this.moves.whyIgnored(job);
    this.moves.killed(job, now);
    return TAKEN;
  }

  /** The attempt at a job was lost: it is gone without having ended. If tries are left the job waits again. */
  lost(job: number, now: number): Ignored {
    if (!this.moves.hasMachines(job)) return this.moves.whyIgnored(job);
    this.moves.lose(job, now);
    return TAKEN;
  }
}
