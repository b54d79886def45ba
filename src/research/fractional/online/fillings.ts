import { doubled } from "../../../core/arrays.ts";

/**
 * How the nodes were filled, from the first on. Neighbouring nodes that are filled alike form a group, with an entry
 * for each size: how many tasks of it are on each node.
 */
export class Fillings {
  groups = 0;
  /** One more than the last node of each group; the next group begins there. */
  readonly groupEnd: Int32Array;
  /** Where each group's entries begin; one more than there are groups. */
  readonly groupStart: Int32Array;
  /** The size's place in the lists, the size itself, and how many tasks. */
  private place = new Int32Array(256);
  size = new Int32Array(256);
  tasks = new Int32Array(256);
  private count = 0;

  constructor(nodes: number) {
    this.groupEnd = new Int32Array(nodes);
    this.groupStart = new Int32Array(nodes + 1);
  }

  clear(): void {
    this.groups = this.count = 0;
  }

  /** Adds a task of a size to the group that is being filled. */
  add(place: number, size: number): void {
    for (let at = this.count - 1; at >= this.groupStart[this.groups]; at--) {
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

  /** How many of the next `nodes` nodes can be filled like the group's first, with what is left of each size. */
  maxRepeats(nodes: number, left: Int32Array): number {
    let most = nodes;
    for (let at = this.groupStart[this.groups]; at < this.count; at++)
      most = Math.min(most, Math.floor(left[this.place[at]] / this.tasks[at]));
    return most;
  }

  /** Ends the group and takes the tasks of its `further` nodes from what is left. Returns how many tasks that are. */
  end(node: number, further: number, left: Int32Array): number {
    let taken = 0;
    for (let at = this.groupStart[this.groups]; at < this.count; at++) {
      left[this.place[at]] -= further * this.tasks[at];
      taken += further * this.tasks[at];
    }
    this.groupEnd[this.groups++] = node;
    this.groupStart[this.groups] = this.count;
    return taken;
  }
}
