import { HOLDING } from "../jobs/engine-jobs.ts";
import {
  FREE,
  HELD,
  IN_TRANSFER,
  KILL_TO_CANCEL,
  KILL_TO_MOVE,
  KILL_TO_PREEMPT,
  KILL_TWIN,
  KILLING,
  RESUMING,
  RUNNING,
  STARTING,
  SUSPENDED,
  SUSPENDING,
  UNASSIGNED,
  WAITING,
} from "../jobs/job-states.ts";
import { go, transition } from "../jobs/transition.ts";
import { NONE } from "../none.ts";
import type { ReschedulingActions } from "../rescheduling/rescheduler.ts";
import type { WaitTimers } from "../rescheduling/wait-timers.ts";
import { CANCEL, DUPLICATE, KILL, LOST, MOVE } from "./decisions.ts";
import { EnginePart, type SharedState } from "./engine-part.ts";
import { NO_SUCH_JOB, NOT_IN_THAT_STATE, type Ignored } from "./ignored.ts";
import type { PoolManager } from "./pool-manager.ts";

/** Takes jobs from state to state: into queues and pools, off machines, and to their end. See `job-states.ts`. */
export class JobMoves extends EnginePart implements ReschedulingActions {
  /** Times the waiting of jobs; null if the strategy does not need it. */
  private readonly timers: WaitTimers | null;
  serial = 0;
  /** Whether second attempts were ever made. */
  hasTwins = false;
  /** Called with a job that was killed for another one, and waits again: the strategy may send it elsewhere. */
  onPreempted: (job: number, now: number) => void = () => undefined;

  constructor(state: SharedState, timers: WaitTimers | null) {
    super(state);
    this.timers = timers;
  }

  stateOf(job: number): number {
    return this.engineJobs.state[job] ?? FREE;
  }

  /** Why an event about a job is ignored: there is no such job, or its state does not fit. */
  whyIgnored(job: number): Ignored {
    return this.stateOf(job) === FREE ? NO_SUCH_JOB : NOT_IN_THAT_STATE;
  }

  managerOf(job: number): PoolManager {
    return this.pools.length === 1 ? this.pools[0] : this.pools[this.engineJobs.pool[job]];
  }

  /** Whether a job has machines that the driver knows of. */
  hasMachines(job: number): boolean {
    switch (this.stateOf(job)) {
      case STARTING:
        return this.engineJobs.unread[job] === 0;
      case RUNNING:
      case SUSPENDED:
      case SUSPENDING:
      case RESUMING:
      case KILLING:
        return true;
      default:
        return false;
    }
  }

  /** Whether a job is in this state by a decision that the driver has read and not answered yet. */
  awaits(job: number, state: number): boolean {
    return this.stateOf(job) === state && this.engineJobs.unread[job] === 0;
  }

  /** Gives the next decision about a job its serial number; the driver has yet to read it. */
  serialFor(job: number): number {
    return (this.engineJobs.unread[job] = ++this.serial);
  }

  // Into queues.

  /** Sends a job to a pool, where it arrives at once if the transfer takes no time. */
  send(job: number, pool: number, seconds: number, now: number): void {
    if (seconds > 0) go(this.engineJobs, job, IN_TRANSFER, pool);
    else this.enter(job, pool, now);
  }

  enter(job: number, pool: number, now: number): void {
    this.views.changes(pool, now);
    this.engineJobs.jobs.arriveAgain(job);
    this.pools[pool].wait(job);
    this.timers?.start(job, now);
  }

  /** A job of a pool goes back to its place in the queue. */
  waitAgain(job: number, now: number): void {
    const manager = this.managerOf(job);
    this.views.changes(manager.number, now);
    manager.wait(job);
    this.timers?.start(job, now);
  }

  leaveQueue(job: number, now: number): void {
    const manager = this.managerOf(job);
    this.views.changes(manager.number, now);
    this.timers?.stop(job);
    manager.leave(job);
  }

  move(job: number, pool: number, seconds: number, now: number): void {
    const { engineJobs } = this;
    if (engineJobs.state[job] === SUSPENDED) {
      this.kill(job, KILL_TO_MOVE);
      engineJobs.killTarget[job] = pool;
      return;
    }
    const from = engineJobs.pool[job];
    this.leaveQueue(job, now);
    this.decisions.add(MOVE, job, pool, from, seconds);
    this.send(job, pool, seconds, now);
  }

  duplicate(job: number, pool: number, seconds: number, now: number): void {
    const twin = this.twinOf(job);
    this.timers?.stop(job);
    this.decisions.add(DUPLICATE, job, pool, twin, seconds);
    this.send(twin, pool, seconds, now);
  }

  /** A job that was to be killed has been. */
  killed(job: number, now: number): void {
    this.engineJobs.unread[job] = 0;
    switch (this.engineJobs.killReason[job]) {
      case KILL_TO_MOVE:
        this.moveKilled(job, now);
        break;
      case KILL_TO_PREEMPT:
        this.requeueKilled(job, now);
        this.onPreempted(job, now);
        break;
      default:
        this.remove(job, now);
    }
  }

  /** A killed job goes to the pool that it was killed for. */
  private moveKilled(job: number, now: number): void {
    const from = this.managerOf(job);
    const pool = this.engineJobs.killTarget[job];
    const seconds = this.transferSeconds[from.site][this.pools[pool].site];
    this.leaveMachines(job, now);
    this.beginAnew(job);
    this.decisions.add(MOVE, job, pool, from.number, seconds);
    this.send(job, pool, seconds, now);
  }

  /** A job that was killed for another one waits again. */
  private requeueKilled(job: number, now: number): void {
    this.leaveMachines(job, now);
    this.beginAnew(job);
    this.waitAgain(job, now);
  }

  // Off machines.

  /** Takes a job off its machines. */
  private leaveMachines(job: number, now: number): void {
    const manager = this.managerOf(job);
    const isBlocking = manager.suspensions.count > 0 && this.engineJobs.hold[job] !== HOLDING;
    this.views.changes(manager.number, now);
    manager.release(job, now);
    if (isBlocking) this.claims.changed();
  }

  /** Nothing of the attempt that a job has lost holds for the next. */
  private beginAnew(job: number): void {
    this.resetEstimate(job);
    this.engineJobs.retryAt[job] = -Infinity;
  }

  /** Gives a job back the estimate of its whole run time, since it will start from the beginning. */
  resetEstimate(job: number): void {
    this.engineJobs.jobs.estimateSeconds[job] = this.engineJobs.estimateSeconds[job];
  }

  /** Voids a job's claim: the job waits, or stays suspended, as before. */
  unclaim(job: number, now: number): void {
    const { engineJobs } = this;
    const manager = this.managerOf(job);
    const state = engineJobs.state[job];
    if (state !== STARTING && state !== RESUMING) return;
    engineJobs.unread[job] = 0;
    this.views.changes(manager.number, now);
    if (state === RESUMING) manager.suspensions.staySuspended(job, now);
    else {
      engineJobs.attempt[job]--;
      manager.release(job, now);
      this.waitAgain(job, now);
    }
  }

  /** Voids the claims on some machines of a pool, those of earlier jobs first, since there will be no room. */
  unclaimOn(manager: PoolManager, machines: Iterable<number>, now: number): void {
    if (manager.preemption === null) return;
    for (const machine of machines)
      for (const job of manager.placed.on(machine))
        if (this.engineJobs.unread[job] !== 0) this.unclaim(job, now);
  }

  /** A job loses its machines. It waits again, goes to the pool that it was killed for, or is over. */
  lose(job: number, now: number): void {
    const { engineJobs, decisions } = this;
    if (engineJobs.state[job] === KILLING) {
      const reason = engineJobs.killReason[job];
      const goesOn = reason === KILL_TO_MOVE || reason === KILL_TO_PREEMPT;
      decisions.add(LOST, job, engineJobs.pool[job], goesOn ? 2 : 0);
      this.killed(job, now);
      return;
    }
    const hasTwin = engineJobs.twin[job] !== NONE;
    const isOver = hasTwin || engineJobs.retriesLeft[job] <= 0;
    decisions.add(LOST, job, engineJobs.pool[job], isOver ? 0 : 1);
    if (hasTwin) this.unlink(job);
    if (isOver) {
      this.remove(job, now);
      return;
    }
    engineJobs.retriesLeft[job]--;
    engineJobs.unread[job] = 0;
    this.requeueKilled(job, now);
  }

  // To their ends.

  /** Ends a job, and with it the other attempt at it. */
  over(job: number, now: number): void {
    const twin = this.hasTwins ? this.engineJobs.twin[job] : NONE;
    if (twin !== NONE) this.unlink(job);
    this.remove(job, now);
    if (twin !== NONE) this.endTwin(twin, job, now);
  }

  /** A user cancels a job, and with it the other attempt at it. Returns false if it was being cancelled already. */
  cancel(job: number, now: number): boolean {
    const { twin, state, killReason } = this.engineJobs;
    if (state[job] === KILLING && (killReason[job] === KILL_TO_CANCEL || killReason[job] === KILL_TWIN))
      return false;
    const other = twin[job];
    if (other !== NONE) this.unlink(job);
    this.end(job, KILL_TO_CANCEL, now);
    if (other !== NONE) this.endTwin(other, job, now);
    return true;
  }

  /** Removes a job from its queue or its machines. Its handle is void afterwards. */
  remove(job: number, now: number): void {
    const { engineJobs } = this;
    const state = engineJobs.state[job];
    if (state === WAITING) this.leaveQueue(job, now);
    else if (state === UNASSIGNED) this.unassigned.remove(job);
    else if (state !== IN_TRANSFER && state !== HELD) this.leaveMachines(job, now);
    engineJobs.close(job);
  }

  private endTwin(twin: number, ended: number, now: number): void {
    const { engineJobs } = this;
    if (engineJobs.unread[twin] !== 0) this.unclaim(twin, now);
    if (!this.hasMachines(twin)) this.decisions.add(CANCEL, twin, engineJobs.pool[twin], ended);
    this.end(twin, KILL_TWIN, now);
  }

  /** Ends a job: at once if it has no machines, otherwise by killing it. */
  private end(job: number, reason: number, now: number): void {
    const { engineJobs } = this;
    if (engineJobs.unread[job] !== 0) this.unclaim(job, now);
    if (this.hasMachines(job)) this.kill(job, reason);
    else this.remove(job, now);
  }

  private kill(job: number, reason: number): void {
    const { engineJobs } = this;
    transition(engineJobs, job, KILLING);
    engineJobs.killReason[job] = reason;
    this.decisions.add(KILL, job, engineJobs.pool[job], reason, 0, this.serialFor(job));
  }

  /** Makes a second attempt at a job, with a handle of its own. */
  private twinOf(job: number): number {
    const { engineJobs } = this;
    const { jobs } = engineJobs;
    const request = {
      ...jobs.kinds.request(jobs.kind[job]),
      project: jobs.project[job],
      heuristic: jobs.heuristic[job],
      estimateSeconds: engineJobs.estimateSeconds[job],
    };
    const twin = jobs.add(request, jobs.submittedAt[job]);
    engineJobs.open(twin);
    for (const column of ["virtualPool", "candidates", "priority", "restarts", "retriesLeft"] as const)
      engineJobs[column][twin] = engineJobs[column][job];
    engineJobs.twin[twin] = job;
    engineJobs.twin[job] = twin;
    this.hasTwins = true;
    return twin;
  }

  private unlink(job: number): void {
    const { twin } = this.engineJobs;
    twin[twin[job]] = NONE;
    twin[job] = NONE;
  }
}
