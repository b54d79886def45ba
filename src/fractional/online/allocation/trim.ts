import { NONE } from "../../../core/none.ts";
import { WHOLE_NODE } from "../nodes.ts";
import type { OnlineState } from "../state.ts";

/**
 * Takes CPU back where the one percent that every task gets at least is more
 * than its due: nodes of many small tasks would hand out more than they have.
 * The largest shares give way, a percent at a time. Memory leaves room for a
 * hundred tasks on a node, so a percent each there always is.
 */
export function trimToNodes(state: OnlineState): void {
  const { jobs, nodes, placements } = state;
  const { plannedShare } = jobs;
  const { machine, tasks, next } = placements;
  const load = new Int32Array(nodes.count);
  const on: number[][] = Array.from({ length: nodes.count }, () => []);
  for (let i = 0; i < jobs.activeCount; i++) {
    const job = jobs.active[i];
    for (let entry = jobs.planned[job]; entry !== NONE; entry = next[entry]) {
      load[machine[entry]] += plannedShare[job] * tasks[entry];
      on[machine[entry]].push(job);
    }
  }
  for (let node = 0; node < nodes.count; node++) {
    while (load[node] > WHOLE_NODE) {
      const job = on[node].reduce((most, each) => (plannedShare[each] > plannedShare[most] ? each : most));
      plannedShare[job]--;
      for (let entry = jobs.planned[job]; entry !== NONE; entry = next[entry])
        load[machine[entry]] -= tasks[entry];
    }
  }
}
