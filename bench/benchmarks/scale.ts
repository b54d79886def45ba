import type { Benchmark, Row } from "../benchmark.ts";
import { onFullPool, runPool } from "../full-pool.ts";
import { CYCLE_SECONDS } from "../../src/simulation/index.ts";
import { peakMiB, speedOf, type Took } from "../measure.ts";
import { measuredPolicies, poolMachines, somePoolJobs } from "../workloads.ts";

const LOAD = 0.9;
const FEW_MACHINES = 3115;
const MANY_MACHINES = 100_000;
const JOBS = 1_000_000;
const QUICK_JOBS = 200_000;
const MAX_TIMES = 3;

export const scale: Benchmark = {
  name: "scale",
  summary:
    "the cost of a job at 100,000 machines against that at 3,115, on pools that are full at load 0.9, with as many jobs a cycle",
  cases: () => measuredPolicies,
  async measure(policy, { quick }): Promise<readonly Row[]> {
    const jobs = quick ? QUICK_JOBS : JOBS;
    const few = run(policy, FEW_MACHINES, jobs);
    const many = run(policy, MANY_MACHINES, jobs);
    const times = many.took.processorSeconds / few.took.processorSeconds;
    return [
      {
        what: `${policy}, 3,115 machines`,
        speed: speedOf(jobs, few.took),
        figure: `${few.percentFull} % full`,
      },
      {
        what: `${policy}, 100,000 machines`,
        speed: speedOf(jobs, many.took),
        figure: `${times.toFixed(1)} × the cost, ${many.percentFull} % full`,
        peakMiB: peakMiB(),
        target: { text: `≤ ${MAX_TIMES} × the cost`, isMet: times <= MAX_TIMES },
      },
    ];
  },
};

/** The cost of jobs that come to a full pool, from the first cycle, which fills it, to the last arrival. */
function run(
  policy: string,
  machineCount: number,
  jobs: number,
): { readonly took: Took; readonly percentFull: number } {
  const machines = poolMachines(machineCount);
  const { workload } = onFullPool(somePoolJobs(jobs), machines, LOAD);
  const capacity = machines.coresMilli.reduce((sum, cores) => sum + cores, 0);
  let start: { readonly clock: number; readonly usage: NodeJS.CpuUsage } | undefined;
  let took: Took = { seconds: 0, processorSeconds: 0 };
  let percentFull = 0;
  // Jobs come faster to more machines at the same load. Cycles follow, so that as many jobs share the cost of one.
  const interval = (CYCLE_SECONDS * FEW_MACHINES) / machineCount;
  const observe: Parameters<typeof runPool>[3] = (runCycle, pool, driver) => {
    runCycle();
    start ??= { clock: performance.now(), usage: process.cpuUsage() };
    if (driver.nextRow < workload.count || percentFull > 0) return;
    const { user, system } = process.cpuUsage(start.usage);
    took = { seconds: (performance.now() - start.clock) / 1000, processorSeconds: (user + system) / 1e6 };
    percentFull = Math.round(100 * (1 - pool.machines.totalFreeCores / capacity));
  };
  runPool(workload, machines, policy, observe, interval);
  return { took, percentFull };
}
