import { NONE } from "../../../../core/none.ts";
import { WHOLE_NODE } from "../nodes.ts";
import type { OnlineState } from "../state.ts";
import type { Allocation } from "./allocation.ts";

/** Halvings in the search for a node's level: closer than shares of whole percents can tell. */
const HALVINGS = 20;

/**
 * The maximum stretch that jobs are estimated to have at the next period as low
 * as can be; that held, the next highest, and so on.
 *
 * A job that keeps a yield y until then has the stretch (flow + T) ÷ (virtual + y·T); its inverse is called the
 * level. The node that can only reach the lowest level is shared out first. What rounding leaves over goes, step by
 * step, to the job that is worst off and can use it.
 */
export const minMaxStretch: Allocation = {
  name: "MAX",
  isTimeless: false,
  create(state) {
    const filler = new StretchFiller(state);
    return (now, aheadSeconds) => filler.fill(now, aheadSeconds);
  },
};

class StretchFiller {
  private readonly state: OnlineState;
  /** What each node's jobs take, once their shares are known. */
  private readonly load: Int32Array;
  /** The level that a contended node can reach; `Infinity` where it is done, or has enough for all. */
  private readonly level: Float64Array;
  /** Planned jobs: percents per level, percents at level 0, and whether the share is known. */
  private readonly jobs: number[] = [];
  private readonly slope: number[] = [];
  private readonly offset: number[] = [];
  private readonly isKnown: boolean[] = [];
  /** The jobs of each node, by their place in `jobs`, and how many tasks of each. */
  private readonly onNode: number[][];
  private readonly tasksOn: number[][];

  constructor(state: OnlineState) {
    const { count } = state.nodes;
    this.state = state;
    this.load = new Int32Array(count);
    this.level = new Float64Array(count);
    this.onNode = Array.from({ length: count }, () => []);
    this.tasksOn = Array.from({ length: count }, () => []);
  }

  fill(now: number, aheadSeconds: number): void {
    const contended = this.begin(now, aheadSeconds);
    const { level, onNode, state } = this;
    const { placements } = state;
    for (const node of contended) level[node] = this.reachableLevel(node);
    for (;;) {
      let lowest = NONE;
      let least = Infinity;
      for (const node of contended) {
        if (level[node] < least) {
          least = level[node];
          lowest = node;
        }
      }
      if (lowest === NONE) break;
      level[lowest] = Infinity;
      for (const i of onNode[lowest]) {
        if (this.isKnown[i]) continue;
        this.setShare(i, this.shareAt(i, least));
        for (let entry = state.jobs.planned[this.jobs[i]]; entry !== NONE; entry = placements.after(entry)) {
          // Marked for another look; 0 is below every level that a node can reach.
          if (level[placements.machineOf(entry)] !== Infinity) level[placements.machineOf(entry)] = 0;
        }
      }
      for (const node of contended) if (level[node] === 0) level[node] = this.reachableLevel(node);
    }
    this.giveRest();
  }

  /**
   * Computes what the jobs of each node need; jobs without contention get all of it. Returns the nodes with too
   * little CPU for all.
   */
  private begin(now: number, aheadSeconds: number): number[] {
    const { state, jobs, slope, offset, isKnown, onNode, tasksOn, load, level } = this;
    const { nodes, placements } = state;
    const { active, activeCount, planned, cpuNeed, submitSeconds } = state.jobs;
    const ahead = 1000 * aheadSeconds;
    const contended: number[] = [];
    load.fill(0);
    for (let node = 0; node < nodes.count; node++) {
      onNode[node].length = tasksOn[node].length = 0;
      level[node] = Infinity;
      if (nodes.cpuNeed[node] > WHOLE_NODE) contended.push(node);
    }
    jobs.length = slope.length = offset.length = isKnown.length = 0;
    for (let a = 0; a < activeCount; a++) {
      const job = active[a];
      if (planned[job] === NONE) continue;
      let isContended = false;
      for (let entry = planned[job]; entry !== NONE; entry = placements.after(entry))
        if (nodes.cpuNeed[placements.machineOf(entry)] > WHOLE_NODE) isContended = true;
      if (!isContended) {
        state.jobs.plannedShare[job] = cpuNeed[job];
        continue;
      }
      const i = jobs.push(job) - 1;
      const flow = 1000 * (now - submitSeconds[job]);
      slope.push((cpuNeed[job] * (flow + ahead)) / ahead);
      offset.push((cpuNeed[job] * state.jobs.virtualMilliseconds(job, now)) / ahead);
      isKnown.push(false);
      for (let entry = planned[job]; entry !== NONE; entry = placements.after(entry)) {
        onNode[placements.machineOf(entry)].push(i);
        tasksOn[placements.machineOf(entry)].push(placements.tasksOf(entry));
      }
    }
    return contended;
  }

  private shareAt(i: number, level: number): number {
    const wanted = Math.floor(level * this.slope[i] - this.offset[i]);
    return Math.min(this.state.jobs.cpuNeed[this.jobs[i]], Math.max(1, wanted));
  }

  private setShare(i: number, share: number): void {
    const { state, load } = this;
    const job = this.jobs[i];
    const { placements } = state;
    this.isKnown[i] = true;
    state.jobs.plannedShare[job] = share;
    for (let entry = state.jobs.planned[job]; entry !== NONE; entry = placements.after(entry))
      load[placements.machineOf(entry)] += share * placements.tasksOf(entry);
  }

  /** The highest level at which the node's jobs of unknown share fit beside the others; `Infinity` without any. */
  private reachableLevel(node: number): number {
    const { slope, offset, isKnown, jobs, state } = this;
    const on = this.onNode[node];
    const tasks = this.tasksOn[node];
    const { cpuNeed } = state.jobs;
    const free = WHOLE_NODE - this.load[node];
    let isOpen = false;
    for (const i of on) if (!isKnown[i]) isOpen = true;
    if (!isOpen) return Infinity;
    let low = 0;
    let high = 1;
    for (let step = 0; step < HALVINGS; step++) {
      const level = (low + high) / 2;
      let used = 0;
      for (let at = 0; at < on.length; at++) {
        const i = on[at];
        if (isKnown[i]) continue;
        const wanted = level * slope[i] - offset[i];
        const most = cpuNeed[jobs[i]];
        used += tasks[at] * (wanted < 1 ? 1 : wanted > most ? most : wanted);
      }
      if (used <= free) low = level;
      else high = level;
    }
    // The search went all the way up: nothing limits these jobs.
    return Math.max(low, Number.MIN_VALUE);
  }

  /**
   * Gives what is left on the nodes, a percent at a time, to the job that is worst off among those that can use it on
   * all of their nodes.
   */
  private giveRest(): void {
    const { state, jobs, slope, offset, load } = this;
    const { plannedShare, planned, cpuNeed } = state.jobs;
    const { placements } = state;
    const left = jobs.map((_, i) => i);
    while (left.length > 0) {
      let worst = 0;
      let least = Infinity;
      for (let at = 0; at < left.length; at++) {
        const i = left[at];
        const level = (plannedShare[jobs[i]] + offset[i]) / slope[i];
        if (level < least) {
          least = level;
          worst = at;
        }
      }
      const job = jobs[left[worst]];
      let isPossible = plannedShare[job] < cpuNeed[job];
      for (let entry = planned[job]; entry !== NONE && isPossible; entry = placements.after(entry))
        isPossible = load[placements.machineOf(entry)] + placements.tasksOf(entry) <= WHOLE_NODE;
      if (isPossible) {
        plannedShare[job]++;
        for (let entry = planned[job]; entry !== NONE; entry = placements.after(entry))
          load[placements.machineOf(entry)] += placements.tasksOf(entry);
      } else left.splice(worst, 1);
    }
  }
}
