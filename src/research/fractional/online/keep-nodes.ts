import { NONE } from "../../../core/none.ts";
import type { OnlineState } from "./state.ts";

/** A packing, bin by bin: which jobs, by their place in a list, and how many tasks of each. */
export interface Dealt {
  /** Where each bin's entries begin in `job` and `tasks`; one more than there are bins. */
  readonly start: Int32Array;
  job: Int32Array;
  tasks: Int32Array;
}

/**
 * Decides which node takes which bin of a packing. Nodes are alike, so any node can take any bin. To move few tasks,
 * one node after the other takes the bin that has the most memory in common with what it runs now. A node with tasks
 * that stay keeps its own bin.
 */
export function keepNodes(
  state: OnlineState,
  job: readonly number[],
  stays: readonly boolean[],
  dealt: Dealt,
): Int32Array {
  const { jobs, nodes, placements } = state;
  const binOn = new Int32Array(nodes.count).fill(NONE);
  const isTaken = new Uint8Array(nodes.count);
  const take = (node: number, bin: number): void => {
    binOn[node] = bin;
    isTaken[bin] = 1;
  };
  for (let i = 0; i < job.length; i++) {
    if (!stays[i]) continue;
    for (let entry = jobs.planned[job[i]]; entry !== NONE; entry = placements.after(entry))
      take(placements.machineOf(entry), placements.machineOf(entry));
  }

  // The bins of each job, and the nodes' present jobs: chains through the entries.
  const firstBin = new Int32Array(job.length).fill(NONE);
  const entries = dealt.start[nodes.count];
  const nextBin = new Int32Array(entries);
  const binOf = new Int32Array(entries);
  for (let bin = nodes.count - 1; bin >= 0; bin--) {
    for (let at = dealt.start[bin]; at < dealt.start[bin + 1]; at++) {
      binOf[at] = bin;
      nextBin[at] = firstBin[dealt.job[at]];
      firstBin[dealt.job[at]] = at;
    }
  }
  const present: number[][] = Array.from({ length: nodes.count }, () => []);
  for (let i = 0; i < job.length; i++) {
    if (stays[i]) continue;
    for (let entry = jobs.placement[job[i]]; entry !== NONE; entry = placements.after(entry))
      present[placements.machineOf(entry)].push(i, placements.tasksOf(entry));
  }

  const common = new Int32Array(nodes.count);
  for (let node = 0; node < nodes.count; node++) {
    if (binOn[node] !== NONE || present[node].length === 0) continue;
    const here = present[node];
    common.fill(0);
    let most = 0;
    let best = NONE;
    for (let k = 0; k < here.length; k += 2) {
      const memory = jobs.memory[job[here[k]]];
      const tasksHere = here[k + 1];
      for (let at = firstBin[here[k]]; at !== NONE; at = nextBin[at]) {
        const bin = binOf[at];
        if (isTaken[bin] === 1) continue;
        const inBin = dealt.tasks[at];
        const shared = (common[bin] += memory * (inBin < tasksHere ? inBin : tasksHere));
        if (shared > most || (shared === most && bin < best)) {
          most = shared;
          best = bin;
        }
      }
    }
    if (best !== NONE) take(node, best);
  }
  let bin = 0;
  for (let node = 0; node < nodes.count; node++) {
    if (binOn[node] !== NONE) continue;
    while (isTaken[bin] === 1) bin++;
    take(node, bin);
  }
  return binOn;
}
