import { NONE } from "../../../none.ts";
import { WHOLE_NODE } from "../nodes.ts";
import type { OnlineState } from "../state.ts";
import { trimToNodes } from "./trim.ts";
import type { Allocation } from "./allocation.ts";

/**
 * The minimum yield as high as can be; that held, the next lowest, and so on:
 * the nodes with the least CPU for what their jobs need are shared out first.
 */
export const maxMinYield: Allocation = {
  name: "MIN",
  create(state) {
    const filler = new Filler(state);
    return () => filler.fill();
  },
};

class Filler {
  private readonly state: OnlineState;
  private readonly load: Int32Array;
  private readonly need: Int32Array;
  private readonly yieldPercent: Int32Array;

  constructor(state: OnlineState) {
    this.state = state;
    this.load = new Int32Array(state.nodes.count);
    this.need = new Int32Array(state.nodes.count);
    this.yieldPercent = new Int32Array(state.nodes.count);
  }

  fill(): void {
    const { load, need, yieldPercent, state } = this;
    const { jobs, nodes, placements } = state;
    const { machine, tasks, next } = placements;
    load.fill(0);
    need.set(nodes.cpuNeed);
    const left: number[] = [];
    for (let i = 0; i < jobs.activeCount; i++) {
      const job = jobs.active[i];
      if (jobs.planned[job] !== NONE) left.push(job);
    }
    let isForced = false;
    while (left.length > 0) {
      let lowest = 100;
      for (let node = 0; node < nodes.count; node++) {
        if (need[node] === 0) continue;
        const free = WHOLE_NODE - load[node];
        const percent = free >= need[node] ? 100 : Math.floor((100 * free) / need[node]);
        yieldPercent[node] = percent;
        if (percent < lowest) lowest = percent;
      }
      const minimum = lowest / 100;
      let kept = 0;
      for (const job of left) {
        let isBound = lowest === 100;
        for (let entry = jobs.planned[job]; entry !== NONE && !isBound; entry = next[entry])
          isBound = yieldPercent[machine[entry]] === lowest;
        if (!isBound) {
          left[kept++] = job;
          continue;
        }
        const due = Math.floor(minimum * jobs.cpuNeed[job]);
        const share = Math.max(1, due);
        if (due < 1) isForced = true;
        jobs.plannedShare[job] = share;
        for (let entry = jobs.planned[job]; entry !== NONE; entry = next[entry]) {
          load[machine[entry]] += share * tasks[entry];
          need[machine[entry]] -= jobs.cpuNeed[job] * tasks[entry];
        }
      }
      left.length = kept;
    }
    if (isForced) trimToNodes(state);
  }
}
