import type { EngineJobs } from "../jobs/engine-jobs.ts";
import { doubled } from "../arrays.ts";
import { FREE } from "../jobs/job-states.ts";
import { NONE } from "../none.ts";

/**
 * Which handle is which job's: jobs have numbers that are never used again, handles are. A number is forgotten when
 * its handle goes to another job, so there are never more than handles.
 */
export class JobNumbers {
  /** The highest number that a job was submitted with, and the lowest of a second attempt. */
  highest = 0;
  lowest = 0;
  private readonly engineJobs: EngineJobs;
  private readonly handles = new Map<number, number>();
  private numberOf = new Float64Array(1024);
  /** By handle: the number of the decision about the job that was read last. */
  private decision = new Float64Array(1024);

  constructor(engineJobs: EngineJobs) {
    this.engineJobs = engineJobs;
  }

  /** The numbers of jobs and their last decisions, by handle: what a snapshot keeps of these handles. */
  kept(handles: readonly number[]): { numbers: number[]; decisions: number[] } {
    return {
      numbers: handles.map((handle) => this.numberOf[handle]),
      decisions: handles.map((handle) => this.decision[handle]),
    };
  }

  /** The handle of the job with a number; `NONE` where there is none any more. */
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

  /** A second attempt has a handle: it gets the next number below. */
  addTwin(handle: number): void {
    this.add(--this.lowest, handle);
  }

  /** A decision about a job was read: only its answer counts from now on. */
  await(handle: number, decision: number): void {
    this.decision[handle] = decision;
  }

  awaited(handle: number): number {
    return this.decision[handle];
  }
}
