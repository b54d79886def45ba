import { NONE } from "../../none.ts";
import type { OnlineState } from "./state.ts";

/** A packing, bin by bin: which jobs, by their place in a list, and how many tasks of each. */
export interface Dealt {
  /** Where each bin's entries begin in `job` and `tasks`; one more than there are bins. */
  readonly start: Int32Array;
  readonly job: number[];
  readonly tasks: number[];
}

/**
 * Which bin of a packing each node is to be. Nodes are alike, so bins may be
 * dealt out at will: those that share the most memory with what a node runs now
 * come first, and fewer tasks move. A node with tasks that stay is its own bin.
 */
export function keepNodes(
  state: OnlineState,
  job: readonly number[],
  stays: readonly boolean[],
  dealt: Dealt,
): Int32Array {
  const { jobs, nodes, placements } = state;
  const { machine, tasks, next } = placements;
  const binOn = new Int32Array(nodes.count).fill(NONE);
  const isTaken = new Uint8Array(nodes.count);
  const take = (node: number, bin: number): void => {
    binOn[node] = bin;
    isTaken[bin] = 1;
  };
  for (let i = 0; i < job.length; i++) {
    if (!stays[i]) continue;
    for (let entry = jobs.planned[job[i]]; entry !== NONE; entry = next[entry])
      take(machine[entry], machine[entry]);
  }
  // What each bin and each node have in common, for the pairs that have something.
  const bins: { bin: number; tasks: number }[][] = job.map(() => []);
  for (let bin = 0; bin < nodes.count; bin++) {
    if (isTaken[bin] === 1) continue;
    for (let at = dealt.start[bin]; at < dealt.start[bin + 1]; at++)
      bins[dealt.job[at]].push({ bin, tasks: dealt.tasks[at] });
  }
  const common = new Map<number, number>();
  for (let i = 0; i < job.length; i++) {
    if (stays[i]) continue;
    const memory = jobs.memory[job[i]];
    for (let entry = jobs.placement[job[i]]; entry !== NONE; entry = next[entry]) {
      const node = machine[entry];
      if (binOn[node] !== NONE) continue;
      for (const { bin, tasks: inBin } of bins[i]) {
        const pair = bin * nodes.count + node;
        common.set(pair, (common.get(pair) ?? 0) + memory * Math.min(tasks[entry], inBin));
      }
    }
  }
  const pairs = [...common].sort(([a, most], [b, more]) => more - most || a - b);
  for (const [pair] of pairs) {
    const bin = Math.floor(pair / nodes.count);
    const node = pair % nodes.count;
    if (binOn[node] === NONE && isTaken[bin] === 0) take(node, bin);
  }
  let bin = 0;
  for (let node = 0; node < nodes.count; node++) {
    if (binOn[node] !== NONE) continue;
    while (isTaken[bin] === 1) bin++;
    take(node, bin);
  }
  return binOn;
}
