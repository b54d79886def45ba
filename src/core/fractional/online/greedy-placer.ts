import { NONE } from "../../none.ts";
import { WHOLE_NODE } from "./nodes.ts";
import type { OnlineState } from "./state.ts";

/**
 * Places one job: each task goes to the node with the lowest CPU load where its
 * memory fits, the first of equals. All tasks or none.
 */
export class GreedyPlacer {
  private readonly state: OnlineState;
  /** Nodes where a further task fits, a heap by load, then number. */
  private readonly heap: Int32Array;
  private readonly tasksOn: Int32Array;

  constructor(state: OnlineState) {
    this.state = state;
    this.heap = new Int32Array(state.nodes.count);
    this.tasksOn = new Int32Array(state.nodes.count);
  }

  place(job: number): boolean {
    const { jobs, nodes, placements } = this.state;
    const { heap, tasksOn } = this;
    const wanted = jobs.tasks[job];
    const memory = jobs.memory[job];
    const cpuNeed = jobs.cpuNeed[job];
    if (!this.hasRoom(wanted, memory)) return false;

    let size = 0;
    const most = WHOLE_NODE - memory;
    for (let node = 0; node < nodes.count; node++) {
      if (nodes.memory[node] <= most) heap[size++] = node;
    }
    for (let at = (size >> 1) - 1; at >= 0; at--) this.sink(at, size);
    for (let placed = 0; placed < wanted; placed++) {
      const node = heap[0];
      tasksOn[node]++;
      nodes.cpuNeed[node] += cpuNeed;
      nodes.memory[node] += memory;
      if (nodes.memory[node] > most) heap[0] = heap[--size];
      this.sink(0, size);
    }
    let first = NONE;
    for (let node = nodes.count - 1; node >= 0; node--) {
      if (tasksOn[node] === 0) continue;
      first = placements.add(node, tasksOn[node], first);
      tasksOn[node] = 0;
    }
    this.state.plan(job, first);
    return true;
  }

  private hasRoom(wanted: number, memory: number): boolean {
    const { nodes } = this.state;
    const used = nodes.memory;
    let left = wanted;
    for (let node = 0; node < nodes.count; node++) {
      const free = WHOLE_NODE - used[node];
      if (free < memory) continue;
      left -= free < 2 * memory ? 1 : Math.floor(free / memory);
      if (left <= 0) return true;
    }
    return false;
  }

  private sink(at: number, size: number): void {
    const { heap } = this;
    const { cpuNeed } = this.state.nodes;
    const node = heap[at];
    const load = cpuNeed[node];
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      let least = heap[child];
      if (child + 1 < size) {
        const other = heap[child + 1];
        if (cpuNeed[other] < cpuNeed[least] || (cpuNeed[other] === cpuNeed[least] && other < least)) {
          least = other;
          child++;
        }
      }
      if (cpuNeed[least] > load || (cpuNeed[least] === load && least > node)) break;
      heap[at] = least;
      at = child;
    }
    heap[at] = node;
  }
}
