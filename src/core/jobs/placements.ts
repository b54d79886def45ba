import { Handles } from "../handles.ts";
import { doubled } from "../arrays.ts";

/**
 * Where running jobs are: a chain of entries for each job, each with a machine and the number of the job's tasks there.
 * Entries are reused, so the store is as large as the most entries ever in use at one time.
 */
export class Placements {
  machine = new Int32Array(1024);
  tasks = new Int32Array(1024);
  /** The job's next entry, or `NONE`. */
  next = new Int32Array(1024);
  private readonly handles = new Handles(1024);

  /** Puts an entry before `rest` and returns it. */
  add(machine: number, tasks: number, rest: number): number {
    if (this.handles.isFull) {
      this.handles.double();
      this.machine = doubled(this.machine);
      this.tasks = doubled(this.tasks);
      this.next = doubled(this.next);
    }
    const entry = this.handles.take();
    this.machine[entry] = machine;
    this.tasks[entry] = tasks;
    this.next[entry] = rest;
    return entry;
  }

  /** Frees one entry and returns the one after it. */
  remove(entry: number): number {
    this.handles.give(entry);
    return this.next[entry];
  }
}
