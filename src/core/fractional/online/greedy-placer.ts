import { NONE } from "../../none.ts";
import { WHOLE_NODE } from "./nodes.ts";
import type { OnlineState } from "./state.ts";

/**
 * Places one job: each task goes to the node with the lowest CPU load where its
 * memory fits, the first of equals. All tasks or none.
 *
 * As every task adds the same load, the nodes are gone through level by level:
 * all that have the lowest load take a task each, then those of the next.
 */
export class GreedyPlacer {
  private readonly state: OnlineState;
  private readonly tasksOn: Int32Array;

  constructor(state: OnlineState) {
    this.state = state;
    this.tasksOn = new Int32Array(state.nodes.count);
  }

  place(job: number): boolean {
    const { jobs, nodes, placements } = this.state;
    const { count, cpuNeed: load, memory: used } = nodes;
    const { tasksOn } = this;
    const memory = jobs.memory[job];
    const cpuNeed = jobs.cpuNeed[job];
    const most = WHOLE_NODE - memory;
    let toPlace = jobs.tasks[job];
    if (!this.hasRoom(toPlace, memory)) return false;

    let level = Infinity;
    for (let node = 0; node < count; node++) {
      if (used[node] <= most && load[node] < level) level = load[node];
    }
    while (toPlace > 0) {
      let nextLevel = Infinity;
      for (let node = 0; node < count; node++) {
        if (used[node] > most) continue;
        if (load[node] === level) {
          tasksOn[node]++;
          load[node] += cpuNeed;
          used[node] += memory;
          if (--toPlace === 0) break;
          if (used[node] > most) continue;
        }
        if (load[node] < nextLevel) nextLevel = load[node];
      }
      level = nextLevel;
    }
    let first = NONE;
    for (let node = count - 1; node >= 0; node--) {
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
}
