import { simulate } from "../../src/simulation/index.ts";
import { readWorkload } from "../../src/workload/index.ts";
import type { Benchmark } from "../benchmark.ts";
import { atLeast, peakMiB, speedOf, timed } from "../measure.ts";
import { firstJobs, makePoolFile, measuredPolicies, poolFile, poolMachines } from "../workloads.ts";

const LOAD = 0.9;
/** The number of jobs that the plain scan replays as well. It would take minutes for the whole month. */
const COMPARED_JOBS = 200_000;
const targets: Readonly<Record<string, number>> = { "mix-fit": 400_000, "max-jobs": 120_000 };
const TARGET = 600_000;

export const pool: Benchmark = {
  name: "pool",
  summary:
    "pool B for a month at load 0.9, from Parquet to the figures; × plain scan: its first 200,000 jobs",
  cases: () => measuredPolicies,
  prepare: makePoolFile,
  async measure(policy, options) {
    const run = await timed(async () => {
      const workload = await readWorkload(poolFile(options));
      return { workload, ...simulate(workload, poolMachines(), { policy, load: LOAD }) };
    });
    const { workload } = run.result;
    const peak = peakMiB();
    const few = firstJobs(workload, COMPARED_JOBS);
    const indexed = await timed(() => simulate(few, poolMachines(), { policy, load: LOAD }));
    const plain = await timed(() => simulate(few, poolMachines(), { policy, load: LOAD, plainScan: true }));
    const speed = speedOf(workload.count, run);
    return [
      {
        what: policy,
        speed,
        timesPlainScan: plain.processorSeconds / indexed.processorSeconds,
        figure: `${workload.count.toLocaleString("en")} jobs`,
        peakMiB: peak,
        target: atLeast(targets[policy] ?? TARGET, "jobs/s", speed.perProcessorSecond),
      },
    ];
  },
};
