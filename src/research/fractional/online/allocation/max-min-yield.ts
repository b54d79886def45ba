import { doubled } from "../../../../core/arrays.ts";
import { NONE } from "../../../../core/none.ts";
import { WHOLE_NODE } from "../nodes.ts";
import type { OnlineState } from "../state.ts";
import { trimToNodes } from "./trim.ts";
import type { Allocation } from "./allocation.ts";

/** In percents: all that the jobs of a node need. */
const ENOUGH = 100;

/**
 * The minimum yield as high as can be; that held, the next lowest, and so on:
 * the nodes with the least CPU for what their jobs need are shared out first.
 */
export const maxMinYield: Allocation = {
  name: "MIN",
  isTimeless: true,
  create(state) {
    const filler = new Filler(state);
    return () => filler.fill();
  },
};

class Filler {
  private readonly state: OnlineState;
  /** The nodes with too little CPU for all, or too slow a one for each. */
  private readonly contended: Int32Array;
  private contendedCount = 0;
  /** The jobs whose share is not decided yet. */
  private left = new Int32Array(256);
  private leftCount = 0;
  /**
   * By node: the CPU given away, the CPU that the remaining jobs need, and the yield that they can get, in percents.
   */
  private readonly load: Int32Array;
  private readonly need: Int32Array;
  private readonly yieldPercent: Int32Array;

  constructor(state: OnlineState) {
    this.state = state;
    this.contended = new Int32Array(state.nodes.count);
    this.load = new Int32Array(state.nodes.count);
    this.need = new Int32Array(state.nodes.count);
    this.yieldPercent = new Int32Array(state.nodes.count);
  }

  fill(): void {
    this.begin();
    const { contended, load, need, yieldPercent } = this;
    const { capacity } = this.state.nodes;
    if (this.contendedCount === 0) return;
    let isForced = false;
    while (this.leftCount > 0) {
      let lowest = ENOUGH;
      let kept = 0;
      for (let i = 0; i < this.contendedCount; i++) {
        const node = contended[i];
        if (need[node] === 0) continue;
        contended[kept++] = node;
        const free = capacity[node] - load[node];
        // On a slow node nobody gets more than its speed, even alone.
        const percent =
          free >= need[node]
            ? capacity[node]
            : Math.min(capacity[node], Math.floor((100 * free) / need[node]));
        yieldPercent[node] = percent;
        if (percent < lowest) lowest = percent;
      }
      this.contendedCount = kept;
      if (lowest === ENOUGH) break;
      if (this.share(lowest)) isForced = true;
    }
    if (isForced) trimToNodes(this.state);
  }

  /** Gives every job what it needs, and finds the nodes that have not enough for that. */
  private begin(): void {
    const { contended, state } = this;
    const { active, activeCount, planned, plannedShare, cpuNeed } = state.jobs;
    const wanted = state.nodes.cpuNeed;
    while (this.left.length < activeCount) this.left = doubled(this.left);
    this.contendedCount = this.leftCount = 0;
    for (let i = 0; i < activeCount; i++) {
      const job = active[i];
      if (planned[job] === NONE) continue;
      plannedShare[job] = cpuNeed[job];
      this.left[this.leftCount++] = job;
    }
    const { count, capacity } = state.nodes;
    for (let node = 0; node < count; node++)
      if (wanted[node] > capacity[node] || (wanted[node] > 0 && capacity[node] < WHOLE_NODE))
        contended[this.contendedCount++] = node;
    if (this.contendedCount === 0) return;
    this.load.fill(0);
    this.need.set(wanted);
    this.yieldPercent.fill(ENOUGH);
  }

  /** Gives the jobs on the nodes with the lowest yield their share. Whether one got more than its due. */
  private share(lowest: number): boolean {
    const { left, load, need, yieldPercent, state } = this;
    const { planned, plannedShare, cpuNeed } = state.jobs;
    const { placements } = state;
    const minimum = lowest / 100;
    let isForced = false;
    let kept = 0;
    for (let i = 0; i < this.leftCount; i++) {
      const job = left[i];
      let isBound = false;
      for (let entry = planned[job]; entry !== NONE && !isBound; entry = placements.after(entry))
        isBound = yieldPercent[placements.machineOf(entry)] === lowest;
      if (!isBound) {
        left[kept++] = job;
        continue;
      }
      const due = Math.floor(minimum * cpuNeed[job]);
      const share = Math.max(1, due);
      if (due < 1) isForced = true;
      plannedShare[job] = share;
      for (let entry = planned[job]; entry !== NONE; entry = placements.after(entry)) {
        const node = placements.machineOf(entry);
        load[node] += share * placements.tasksOf(entry);
        need[node] -= cpuNeed[job] * placements.tasksOf(entry);
      }
    }
    this.leftCount = kept;
    return isForced;
  }
}
