import { NONE } from "../../../../core/none.ts";
import type { OnlineState } from "../state.ts";

/**
 * Takes CPU back from nodes that would hand out more than they have: every task gets at least one percent, and with
 * many small tasks these sum up. The largest shares are reduced, a percent at a time. Memory limits a node to a
 * hundred tasks, and a slow one to as many as it has percents, so one percent for each is always possible.
 */
export function trimToNodes(state: OnlineState): void {
  const { jobs, nodes, placements } = state;
  const { plannedShare } = jobs;
  const load = new Int32Array(nodes.count);
  const on: number[][] = Array.from({ length: nodes.count }, () => []);
  for (let i = 0; i < jobs.activeCount; i++) {
    const job = jobs.active[i];
    for (let entry = jobs.planned[job]; entry !== NONE; entry = placements.after(entry)) {
      load[placements.machineOf(entry)] += plannedShare[job] * placements.tasksOf(entry);
      on[placements.machineOf(entry)].push(job);
    }
  }
  for (let node = 0; node < nodes.count; node++) {
    while (load[node] > nodes.capacity[node]) {
      const job = on[node].reduce((most, each) => (plannedShare[each] > plannedShare[most] ? each : most));
      plannedShare[job]--;
      for (let entry = jobs.planned[job]; entry !== NONE; entry = placements.after(entry))
        load[placements.machineOf(entry)] -= placements.tasksOf(entry);
    }
  }
}
