import { NONE } from "../none.ts";
import { doubled } from "./jobs.ts";

/**
 * Where running jobs are: a chain of entries a job, each a machine and the
 * number of the job's tasks on it. Entries are reused, so the store is as large
 * as the most entries ever held at one time.
 */
export class Placements {
  machine = new Int32Array(1024);
  tasks = new Int32Array(1024);
  /** The job's next entry, or `NONE`. */
  next = new Int32Array(1024);
  private firstFree = NONE;
  private used = 0;

  /** Puts an entry before `rest` and returns it. */
  add(machine: number, tasks: number, rest: number): number {
    let entry = this.firstFree;
    if (entry !== NONE) this.firstFree = this.next[entry];
    else {
      if (this.used === this.machine.length) {
        this.machine = doubled(this.machine);
        this.tasks = doubled(this.tasks);
        this.next = doubled(this.next);
      }
      entry = this.used++;
    }
    this.machine[entry] = machine;
    this.tasks[entry] = tasks;
    this.next[entry] = rest;
    return entry;
  }

  /** Frees one entry and returns the one after it. */
  remove(entry: number): number {
    const rest = this.next[entry];
    this.next[entry] = this.firstFree;
    this.firstFree = entry;
    return rest;
  }
}
