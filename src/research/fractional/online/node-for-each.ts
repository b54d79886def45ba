import { NONE } from "../../../core/none.ts";
import type { OnlineState } from "./state.ts";

/**
 * Whether there is a node without tasks that stay for every task that is to be packed: then they fit with any shares,
 * as no node is passed over that could take one. Packing can wait until it is known with which. Not where nodes are of
 * unequal speed: not every one can then take every share.
 */
export function hasNodeForEach(
  { jobs, nodes, placements }: OnlineState,
  job: readonly number[],
  stays: readonly boolean[],
): boolean {
  if (!nodes.isUniform) return false;
  let spare = nodes.count;
  for (let i = 0; i < job.length; i++) if (!stays[i]) spare -= jobs.tasks[job[i]];
  if (spare < 0) return false;
  const isTaken = new Uint8Array(nodes.count);
  for (let i = 0; i < job.length; i++) {
    if (!stays[i]) continue;
    for (let entry = jobs.planned[job[i]]; entry !== NONE; entry = placements.after(entry)) {
      if (isTaken[placements.machineOf(entry)] === 1) continue;
      isTaken[placements.machineOf(entry)] = 1;
      spare--;
    }
  }
  return spare >= 0;
}
