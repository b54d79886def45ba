import { Handles } from "../handles.ts";
import { doubled } from "../arrays.ts";
import { NONE } from "../none.ts";

// The fields of an entry's row.
const MACHINE = 0;
const TASKS = 1;
const NEXT = 2;
const LIST = 3;
const ROW_BITS = 2;

/** Some of a job's tasks, on a machine. */
export interface MachineTasks {
  readonly machine: number;
  readonly tasks: number;
}

/**
 * Where running jobs are: a chain of entries for each job, each with a machine and the number of the job's tasks there.
 * Entries are reused, so the store is as large as the most entries ever in use at one time.
 */
export class Placements {
  /** The fields of an entry lie together: it is out of the processor's cache when its job ends. */
  private rows = new Int32Array(1024 << ROW_BITS);
  private readonly handles = new Handles(1024);

  /** All entries are below this number. */
  get capacity(): number {
    return this.rows.length >> ROW_BITS;
  }

  machineOf(entry: number): number {
    return this.rows[(entry << ROW_BITS) + MACHINE];
  }

  tasksOf(entry: number): number {
    return this.rows[(entry << ROW_BITS) + TASKS];
  }

  /** The job's next entry, or `NONE`. */
  after(entry: number): number {
    return this.rows[(entry << ROW_BITS) + NEXT];
  }

  /** The list that preemption keeps the entry in while its job runs: see `MachineJobs`; `NONE` for none. */
  listOf(entry: number): number {
    return this.rows[(entry << ROW_BITS) + LIST];
  }

  setList(entry: number, list: number): void {
    this.rows[(entry << ROW_BITS) + LIST] = list;
  }

  /** Puts an entry before `rest` and returns it. */
  add(machine: number, tasks: number, rest: number): number {
    if (this.handles.isFull) {
      this.handles.double();
      this.rows = doubled(this.rows);
    }
    const entry = this.handles.take();
    const at = entry << ROW_BITS;
    this.rows[at + MACHINE] = machine;
    this.rows[at + TASKS] = tasks;
    this.rows[at + NEXT] = rest;
    this.rows[at + LIST] = NONE;
    return entry;
  }

  /** Frees one entry and returns the one after it. */
  remove(entry: number): number {
    this.handles.give(entry);
    return this.after(entry);
  }
}
