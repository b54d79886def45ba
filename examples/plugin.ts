/**
 * A heuristic, a policy, a routing and a strategy of one's own, on the command line:
 *
 *   croft simulate examples/data/synthetic-farm.parquet --machines examples/data/thirty-machines.csv \
 *     --plugin examples/plugin.ts --policy first-fit,most-headroom,pass-by/most-headroom --out report
 *
 * A plugin is a module whose default export lists what it adds. Node.js runs the TypeScript as it is.
 */
import type { Heuristic, Plugin, PolicyKind, Routing, Strategy } from "croft";

/** The machine whose scarcer resource, as a part of its capacity, is left the most plentiful. */
const mostHeadroom: Heuristic = {
  name: "most-headroom",
  summary: "the machine with the most left of whatever it has least of",
  needsMemory: true,
  keepsChoice: false,
  score: (machines, machine, cores, memory) =>
    -Math.min(
      (machines.freeCores[machine] - cores) / machines.capacityCores[machine],
      (machines.freeMemory[machine] - memory) / machines.capacityMemory[machine],
    ),
};

const NONE = -1;

/** In order of arrival; a job that does not fit is passed by, and keeps nothing free. */
const passBy: PolicyKind = {
  name: "pass-by",
  summary: "in order of arrival; a job that does not fit is passed by",
  takesHeuristic: true,
  needsEstimates: false,
  needsMemory: false,
  reactsToEvents: false,
  create(context, heuristic) {
    const { queue, placer } = context;
    const chooser = context.chooser(heuristic);
    return {
      cycle(_now, plan) {
        queue.begin();
        for (let job = queue.next(); job !== NONE; job = queue.next())
          if (placer.place(job, chooser, plan)) queue.placed(job);
      },
    };
  },
};

/** The first pool of the list that could hold the job: the others are for what it could not. */
const firstEligible: Routing = {
  name: "first-eligible",
  summary: "the first pool of the virtual pool that could hold the job",
  choose: (view) => view.pools.find((pool) => view.isEligible(pool)) ?? NONE,
};

/** A suspended job starts again at the next pool that could hold it. */
const nextPool: Strategy = {
  name: "next-pool",
  summary: "a suspended job starts again at the next eligible pool",
  onSuspension: {
    how: "restart",
    startsTimerAnew: false,
    isCommon: true,
    choose: (view, present) => {
      const at = view.pools.indexOf(present);
      const others = [...view.pools.slice(at + 1), ...view.pools.slice(0, at)];
      return others.find((pool) => view.isEligible(pool)) ?? present;
    },
  },
  onLongWait: null,
};

const plugin: Plugin = {
  heuristics: [mostHeadroom],
  policies: [passBy],
  routings: [firstEligible],
  strategies: [nextPool],
};
export default plugin;
