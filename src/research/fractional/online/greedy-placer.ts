import { NONE } from "../../../core/none.ts";
import { WHOLE_NODE } from "./nodes.ts";
import type { OnlineState } from "./state.ts";

/** Above every load. */
const HIGHEST = 2 ** 30;

/**
 * Places one job: each task goes to the node with the lowest CPU load, for its capacity, where its
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
    let room = 0;
    let level = HIGHEST;
    for (let node = 0; node < count; node++) {
      if (used[node] > most) continue;
      room += Math.floor((WHOLE_NODE - used[node]) / memory);
      if (load[node] < level) level = load[node];
    }
    if (room < toPlace) return false;

    let last = 0;
    if (!nodes.isUniform) {
      for (; toPlace > 0; toPlace--) last = Math.max(last, this.placeOne(most, cpuNeed, memory));
    }
    while (toPlace > 0) {
      let nextLevel = HIGHEST;
      for (let node = 0; node < count; node++) {
        if (used[node] > most) continue;
        if (load[node] === level) {
          tasksOn[node]++;
          if (node > last) last = node;
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
    for (let node = last; node >= 0; node--) {
      if (tasksOn[node] === 0) continue;
      first = placements.add(node, tasksOn[node], first);
      tasksOn[node] = 0;
    }
    this.state.plan(job, first);
    return true;
  }

  /** Of nodes of unequal speed: the one with the lowest load for its capacity. Some node has room. */
  private placeOne(most: number, cpuNeed: number, memory: number): number {
    const { count, capacity, cpuNeed: load, memory: used } = this.state.nodes;
    let best = NONE;
    for (let node = 0; node < count; node++) {
      if (used[node] > most) continue;
      // Products of whole numbers, so that equal loads are ties.
      if (best === NONE || load[node] * capacity[best] < load[best] * capacity[node]) best = node;
    }
    this.tasksOn[best]++;
    load[best] += cpuNeed;
    used[best] += memory;
    return best;
  }
}
