import { doubled } from "../arrays.ts";

/** The decisions of a pass over the queue: tasks of jobs on machines. A job's entries are next to each other. */
export class Plan {
  job = new Int32Array(256);
  machine = new Int32Array(256);
  tasks = new Int32Array(256);
  /** The number of entries. */
  length = 0;
  /** The number of jobs. */
  jobCount = 0;

  clear(): void {
    this.length = 0;
    this.jobCount = 0;
  }

  add(job: number, machine: number, tasks: number): void {
    if (this.length === this.job.length) {
      this.job = doubled(this.job);
      this.machine = doubled(this.machine);
      this.tasks = doubled(this.tasks);
    }
    this.job[this.length] = job;
    this.machine[this.length] = machine;
    this.tasks[this.length] = tasks;
    this.length++;
  }

  /** Exchanges contents with another plan, which must be cleared before its next use. */
  takeFrom(other: Plan): void {
    [this.job, other.job] = [other.job, this.job];
    [this.machine, other.machine] = [other.machine, this.machine];
    [this.tasks, other.tasks] = [other.tasks, this.tasks];
    this.length = other.length;
    this.jobCount = other.jobCount;
  }
}
