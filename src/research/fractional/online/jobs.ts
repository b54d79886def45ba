import { doubleColumns } from "../../../core/arrays.ts";
import { NONE } from "../../../core/none.ts";

/** What a job asks for; all its tasks are alike. */
export interface OnlineRequest {
  /** Tasks that run at the same time; several may share a node. */
  readonly tasks: number;
  /** CPU that a task can use and memory that it must have, in percents of a node, 1 to 100. */
  readonly cpuNeed: number;
  readonly memory: number;
}

/**
 * The jobs in the system, columns by handle, and how far each has come.
 *
 * A job's virtual time is the integral of its yield: it runs that much slower
 * than it would alone. It is counted in whole milliseconds.
 */
export class OnlineJobs {
  tasks = new Int32Array(256);
  cpuNeed = new Int32Array(256);
  memory = new Int32Array(256);
  submitSeconds = new Float64Array(256);
  /** 0, 1, 2, … in order of submission: breaks ties. */
  arrival = new Float64Array(256);
  /** CPU that each task gets now, in percents of a node; 0: the job does not run. Its yield is this ÷ its need. */
  share = new Int32Array(256);
  /** Where the job runs: its first entry in `Placements`, or `NONE`. */
  placement = new Int32Array(256);
  /** Where the plan places it, in the same form. */
  planned = new Int32Array(256);
  /** CPU that the plan gives each task. */
  plannedShare = new Int32Array(256);
  /** 1 once it has run. */
  hasRun = new Int32Array(256);
  /** Handles of the jobs in the system, in order of submission. */
  active = new Int32Array(256);
  activeCount = 0;
  /** Virtual milliseconds when the present share began, and when that was. */
  private virtualThen = new Float64Array(256);
  private shareSinceSeconds = new Float64Array(256);
  /** Seconds from then on in which it makes no progress, after a resume or a move. */
  private delaySeconds = new Float64Array(256);
  private free: number[] = [];
  private used = 0;
  private arrivals = 0;

  add(request: OnlineRequest, now: number): number {
    if (this.free.length === 0 && this.used === this.tasks.length) doubleColumns(this);
    const job = this.free.pop() ?? this.used++;
    this.tasks[job] = request.tasks;
    this.cpuNeed[job] = request.cpuNeed;
    this.memory[job] = request.memory;
    this.submitSeconds[job] = now;
    this.arrival[job] = this.arrivals++;
    this.share[job] = 0;
    this.placement[job] = NONE;
    this.planned[job] = NONE;
    this.plannedShare[job] = 0;
    this.hasRun[job] = 0;
    this.virtualThen[job] = 0;
    this.delaySeconds[job] = 0;
    this.active[this.activeCount++] = job;
    return job;
  }

  remove(job: number): void {
    const at = this.active.indexOf(job);
    this.active.copyWithin(at, at + 1, this.activeCount--);
    this.free.push(job);
  }

  /** A job gets this much CPU from now on, after `delaySeconds` without progress where that is not null. */
  setShare(job: number, share: number, now: number, delaySeconds: number | null): void {
    const elapsed = now - this.shareSinceSeconds[job];
    if (this.share[job] > 0) {
      this.virtualThen[job] = this.virtualMilliseconds(job, now);
      this.delaySeconds[job] = Math.max(0, this.delaySeconds[job] - elapsed);
    }
    if (delaySeconds !== null) this.delaySeconds[job] = delaySeconds;
    this.share[job] = share;
    this.shareSinceSeconds[job] = now;
  }

  virtualMilliseconds(job: number, now: number): number {
    const share = this.share[job];
    if (share === 0) return this.virtualThen[job];
    const working = now - this.shareSinceSeconds[job] - this.delaySeconds[job];
    if (working <= 0) return this.virtualThen[job];
    return this.virtualThen[job] + Math.floor((1000 * working * share) / this.cpuNeed[job]);
  }

  /**
   * When a job will have this virtual time, should its share stay as it is: the
   * first full second after its share began. `Infinity` where it does not run.
   */
  reachesAt(job: number, virtualMilliseconds: number): number {
    const share = this.share[job];
    if (share === 0) return Infinity;
    const missing = virtualMilliseconds - this.virtualThen[job];
    const working = Math.ceil(Math.floor((missing * this.cpuNeed[job]) / share) / 1000);
    return this.shareSinceSeconds[job] + this.delaySeconds[job] + working;
  }
}
