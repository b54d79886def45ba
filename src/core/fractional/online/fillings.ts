import { doubled } from "../../jobs/jobs.ts";
import { NONE } from "../../none.ts";

/** How the nodes were filled: those filled alike are a group, which has entries of size and tasks. */
export class Fillings {
  /** The group of each node, or `NONE`: nothing was put there. */
  readonly groupOf: Int32Array;
  /** Where each group's entries begin; one more than there are groups. */
  readonly groupStart: Int32Array;
  groups = 0;
  /** The size's place in the lists, the size itself, and how many tasks. */
  private place = new Int32Array(256);
  size = new Int32Array(256);
  tasks = new Int32Array(256);
  /** Of the last group: what stayed on its nodes, and its tasks on one node. */
  cpuBefore = 0;
  memoryBefore = 0;
  groupTasks = 0;
  private count = 0;

  constructor(nodes: number) {
    this.groupOf = new Int32Array(nodes);
    this.groupStart = new Int32Array(nodes + 1);
  }

  clear(): void {
    this.groupOf.fill(NONE);
    this.groups = this.count = this.groupTasks = 0;
    this.cpuBefore = -1;
  }

  /** Starts a group at a node. */
  begin(node: number, cpuBefore: number, memoryBefore: number): void {
    this.groupOf[node] = this.groups;
    this.groupStart[this.groups++] = this.count;
    this.groupTasks = 0;
    this.cpuBefore = cpuBefore;
    this.memoryBefore = memoryBefore;
  }

  end(): void {
    this.groupStart[this.groups] = this.count;
  }

  /** A task more of a size, in the last group. */
  add(place: number, size: number): void {
    this.groupTasks++;
    for (let at = this.count - 1; at >= this.groupStart[this.groups - 1]; at--) {
      if (this.place[at] === place) {
        this.tasks[at]++;
        return;
      }
    }
    if (this.count === this.place.length) {
      this.place = doubled(this.place);
      this.size = doubled(this.size);
      this.tasks = doubled(this.tasks);
    }
    this.place[this.count] = place;
    this.size[this.count] = size;
    this.tasks[this.count++] = 1;
  }

  /** Takes from what is left what the last group took of it, once more; false where there is not as much. */
  repeats(left: Int32Array): boolean {
    if (this.groupTasks === 0) return false;
    const { place, tasks, count } = this;
    const start = this.groupStart[this.groups - 1];
    for (let at = start; at < count; at++) if (left[place[at]] < tasks[at]) return false;
    for (let at = start; at < count; at++) left[place[at]] -= tasks[at];
    return true;
  }
}
