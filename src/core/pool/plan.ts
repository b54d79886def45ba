import { doubleColumns } from "../arrays.ts";

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
    if (this.length === this.job.length) doubleColumns(this);
    this.job[this.length] = job;
    this.machine[this.length] = machine;
    this.tasks[this.length] = tasks;
    this.length++;
  }

  /** The jobs of the entries from `start` on. */
  *jobs(start = 0): Generator<number> {
    for (let entry = start; entry < this.length; entry++)
      if (entry === start || this.job[entry] !== this.job[entry - 1]) yield this.job[entry];
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
