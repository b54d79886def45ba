import { NONE } from "../../../../core/none.ts";
import { WHOLE_NODE } from "../nodes.ts";
import type { OnlineState } from "../state.ts";
import { trimToNodes } from "./trim.ts";
import type { Allocation } from "./allocation.ts";

/**
 * A high average yield: all get the highest minimum there is, and what is left
 * goes to the jobs whose yield costs the least CPU, as much as they can use.
 *
 * That is the highest average where no job spans several contended nodes; else it
 * is close to what a linear program finds.
 */
export const averageYield: Allocation = {
  name: "AVG",
  isTimeless: true,
  create(state) {
    const load = new Int32Array(state.nodes.count);
    return () => {
      const minimum = minimumYield(state);
      const { jobs, placements } = state;
      const { capacity } = state.nodes;
      const { plannedShare, planned, cpuNeed, tasks: tasksOf } = jobs;
      const left: number[] = [];
      for (let i = 0; i < jobs.activeCount; i++) {
        const job = jobs.active[i];
        if (planned[job] === NONE) continue;
        left.push(job);
        plannedShare[job] = Math.max(1, Math.floor(minimum * cpuNeed[job]));
      }
      trimToNodes(state);
      load.fill(0);
      for (const job of left) {
        for (let entry = planned[job]; entry !== NONE; entry = placements.after(entry))
          load[placements.machineOf(entry)] += plannedShare[job] * placements.tasksOf(entry);
      }
      const cost = (job: number): number => cpuNeed[job] * tasksOf[job];
      left.sort((a, b) => cost(a) - cost(b) || jobs.arrival[a] - jobs.arrival[b]);
      for (const job of left) {
        let more = cpuNeed[job] - plannedShare[job];
        for (let entry = planned[job]; entry !== NONE; entry = placements.after(entry))
          more = Math.min(
            more,
            Math.floor((capacity[placements.machineOf(entry)] * cpuNeed[job]) / WHOLE_NODE) -
              plannedShare[job],
          );
        for (let entry = planned[job]; entry !== NONE && more > 0; entry = placements.after(entry))
          more = Math.min(
            more,
            Math.floor(
              (capacity[placements.machineOf(entry)] - load[placements.machineOf(entry)]) /
                placements.tasksOf(entry),
            ),
          );
        if (more <= 0) continue;
        plannedShare[job] += more;
        for (let entry = planned[job]; entry !== NONE; entry = placements.after(entry))
          load[placements.machineOf(entry)] += more * placements.tasksOf(entry);
      }
    };
  },
};

/** What the node with the least CPU for its jobs' needs can give them all. */
function minimumYield({ nodes }: OnlineState): number {
  let least = 1;
  for (let node = 0; node < nodes.count; node++) {
    if (nodes.cpuNeed[node] === 0) continue;
    least = Math.min(least, nodes.capacity[node] / Math.max(WHOLE_NODE, nodes.cpuNeed[node]));
  }
  return least;
}
