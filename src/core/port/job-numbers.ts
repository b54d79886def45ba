import type { PortSnapshot } from "../engine/snapshot.ts";
import type { EngineJobs } from "../jobs/engine-jobs.ts";
import { doubled, rowsOf } from "../arrays.ts";
import { FREE } from "../jobs/job-states.ts";
import { NONE } from "../none.ts";

/**
 * The jobs' numbers by handle, and the other way round. Numbers are never used again, handles are. A number is
 * forgotten when its handle goes to another job, so there are never more numbers than handles.
 */
export class JobNumbers {
  /** The highest number of a submitted job, and the lowest of a second attempt. */
  highest = 0;
  lowest = 0;
  private readonly engineJobs: EngineJobs;
  private readonly handles = new Map<number, number>();
  private numberOf = new Float64Array(1024);
  /** By handle: the number of the last decision about the job that was read. */
  private decision = new Float64Array(1024);

  constructor(engineJobs: EngineJobs) {
    this.engineJobs = engineJobs;
  }

  /** The numbers of jobs and their last decisions, for these handles. */
  save(handles: Int32Array): { numbers: Float64Array; decisions: Float64Array } {
    return { numbers: rowsOf(this.numberOf, handles), decisions: rowsOf(this.decision, handles) };
  }

  /** Jobs have the handles 0, 1, … */
  load({ highest, lowest, numbers, decisions }: PortSnapshot): void {
    this.highest = highest;
    this.lowest = lowest;
    numbers.forEach((number, handle) => {
      this.add(number, handle);
      this.await(handle, decisions[handle]);
    });
  }

  /** The handle of the job with a number; `NONE` if there is no such job any more. */
  handleOf(job: number): number {
    const handle = this.handles.get(job);
    return handle === undefined || this.engineJobs.state[handle] === FREE ? NONE : handle;
  }

  /** The number of the job that has a handle, or had it last. */
  of(handle: number): number {
    return this.numberOf[handle];
  }

  add(job: number, handle: number): void {
    while (handle >= this.numberOf.length) {
      this.numberOf = doubled(this.numberOf);
      this.decision = doubled(this.decision);
    }
    this.handles.delete(this.numberOf[handle]);
    this.handles.set(job, handle);
    this.numberOf[handle] = job;
    this.decision[handle] = 0;
  }

  /** Gives a second attempt the next number below the last. */
  addTwin(handle: number): void {
    this.add(--this.lowest, handle);
  }

  /** Notes that a decision about a job was read. From now on only its answer counts. */
  await(handle: number, decision: number): void {
    this.decision[handle] = decision;
  }

  awaited(handle: number): number {
    return this.decision[handle];
  }
}
