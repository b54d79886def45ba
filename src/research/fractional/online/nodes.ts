import { NONE } from "../../../core/none.ts";
import type { Placements } from "../../../core/jobs/placements.ts";
import type { OnlineJobs } from "./jobs.ts";

/** A node's CPU and its memory. Shares, needs and requirements are whole percents of it, so that sums are exact. */
export const WHOLE_NODE = 100;

/**
 * What the placed jobs need of each node, in percents: CPU may add up to more than there is, memory never.
 *
 * Percents of CPU are of the fastest kind of node. A slower one has fewer, and each of its cores is as much slower: a
 * task gets at most that part of its need there, even alone.
 */
export class Nodes {
  readonly count: number;
  /** The CPU that each node has: 100, or its speed in percents of the fastest kind. */
  readonly capacity: Int32Array;
  readonly totalCapacity: number;
  /** Whether all are of the fastest kind. */
  readonly isUniform: boolean;
  readonly cpuNeed: Int32Array;
  readonly memory: Int32Array;

  constructor(count: number, speedPercent?: Int32Array) {
    this.count = count;
    this.capacity = speedPercent ?? new Int32Array(count).fill(WHOLE_NODE);
    this.totalCapacity = this.capacity.reduce((sum, each) => sum + each, 0);
    this.isUniform = this.capacity.every((each) => each === WHOLE_NODE);
    this.cpuNeed = new Int32Array(count);
    this.memory = new Int32Array(count);
  }

  clear(): void {
    this.cpuNeed.fill(0);
    this.memory.fill(0);
  }

  add(job: number, first: number, jobs: OnlineJobs, placements: Placements): void {
    this.change(job, first, jobs, placements, 1);
  }

  remove(job: number, first: number, jobs: OnlineJobs, placements: Placements): void {
    this.change(job, first, jobs, placements, -1);
  }

  /** Whether a job's tasks fit, for memory, exactly where its chain from `first` has them. */
  haveRoom(job: number, first: number, jobs: OnlineJobs, placements: Placements): boolean {
    const memory = jobs.memory[job];
    for (let entry = first; entry !== NONE; entry = placements.after(entry)) {
      if (this.memory[placements.machineOf(entry)] + memory * placements.tasksOf(entry) > WHOLE_NODE)
        return false;
    }
    return true;
  }

  private change(job: number, first: number, jobs: OnlineJobs, placements: Placements, sign: 1 | -1): void {
    const cpu = jobs.cpuNeed[job] * sign;
    const memory = jobs.memory[job] * sign;
    for (let entry = first; entry !== NONE; entry = placements.after(entry)) {
      this.cpuNeed[placements.machineOf(entry)] += cpu * placements.tasksOf(entry);
      this.memory[placements.machineOf(entry)] += memory * placements.tasksOf(entry);
    }
  }
}
