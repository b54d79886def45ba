import type { Benchmark } from "../benchmark.ts";
import { onFullPool, runPool } from "../full-pool.ts";
import { below, peakMiB } from "../measure.ts";
import { measuredPolicies, poolMachines, somePoolJobs } from "../workloads.ts";

const LOAD = 1.1;
const QUEUE = 100_000;
/** Jobs that wait at the start: a few start at once, in the gaps. */
const BACKLOG = 120_000;
const JOBS = BACKLOG + 150_000;
const QUICK_JOBS = BACKLOG + 50_000;
/** Cycles before those that count: the first one fills the pool, and the code is not compiled yet. */
const WARM_UP = 50;
const TARGET = 20;

export const cycle: Benchmark = {
  name: "cycle",
  summary: "scheduling cycles with reservations, while 100,000 jobs or more wait and the load is 1.1",
  cases: () => measuredPolicies,
  async measure(name, { quick }) {
    const machines = poolMachines();
    const { workload } = onFullPool(somePoolJobs(quick ? QUICK_JOBS : JOBS), machines, LOAD, BACKLOG);
    const cycles: { queue: number; milliseconds: number; processorMilliseconds: number }[] = [];
    runPool(workload, machines, name, (runCycle, pool, driver) => {
      const queue = pool.waiting;
      // Of this thread alone: the collector and the compiler have theirs.
      const before = process.threadCpuUsage();
      const start = performance.now();
      runCycle();
      const milliseconds = performance.now() - start;
      const { user, system } = process.threadCpuUsage(before);
      const isLoaded = driver.nextRow < workload.count;
      if (queue < QUEUE || !isLoaded) return;
      cycles.push({ queue, milliseconds, processorMilliseconds: (user + system) / 1000 });
    });

    const counted = cycles.slice(WARM_UP);
    if (counted.length === 0) return [{ what: name, figure: "the queue fell below 100,000 too soon" }];
    const longest = Math.max(...counted.map((each) => each.processorMilliseconds));
    const byClock = Math.max(...counted.map((each) => each.milliseconds));
    const mean =
      counted.reduce((sum, { processorMilliseconds }) => sum + processorMilliseconds, 0) / counted.length;
    return [
      {
        what: `${name}, ${counted.length} cycles`,
        figure: `mean ${mean.toFixed(2)}, longest ${longest.toFixed(1)} ms (clock ${byClock.toFixed(1)})`,
        peakMiB: peakMiB(),
        target: below(TARGET, "ms longest", longest),
      },
    ];
  },
};
