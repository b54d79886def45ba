import { simulate } from "../../src/simulation/index.ts";
import type { Benchmark, Row } from "../benchmark.ts";
import { syntheticFarm, syntheticFarmJobs, type FarmShape } from "../farms.ts";
import { atLeast, below, peakMiB, speedOf, timed } from "../measure.ts";

const WEEK_SECONDS = 7 * 86_400;
/** The paper's week (Zhang 2010, section 3.1): its jobs and pools, on machines enough for them. */
const week: FarmShape = {
  pools: 20,
  machines: 20_000,
  jobs: 248_000,
  spanSeconds: WEEK_SECONDS,
  load: 0.4,
  intervalSeconds: 30,
};
const large: FarmShape = {
  pools: 100,
  machines: 100_000,
  jobs: 10_000_000,
  spanSeconds: 18 * 3600,
  load: 0.7,
  intervalSeconds: 30,
};
const QUICK_PART = 10;
const strategies = ["NoRes", "ResSusUtil", "ResSusRand", "ResSusWaitUtil", "ResSusWaitRand"];
const scenarios = [
  { name: "load 0.4", load: 0.4 },
  { name: "load 0.8", load: 0.8 },
  { name: "load 1.0", load: 1 },
];

export const farm: Benchmark = {
  name: "farm",
  summary: "a farm of many pools with suspension and rescheduling, on synthetic jobs",
  cases: () => ["30 runs of a week", "100 pools"],
  async measure(name, { quick }): Promise<readonly Row[]> {
    if (name === "30 runs of a week") return [await thirtyRuns(quick)];
    const shape = quick ? { ...large, jobs: large.jobs / QUICK_PART } : large;
    const machines = syntheticFarm(shape);
    const jobs = syntheticFarmJobs(shape, machines);
    const { result, ...took } = await timed(() => simulate(jobs, machines).result);
    const speed = speedOf(shape.jobs, took);
    return [
      {
        what: `${shape.jobs.toLocaleString("en")} jobs, 100 pools, 100,000 machines, NoRes`,
        speed,
        figure: `${(100 * result.suspendRate).toFixed(2)} % suspended`,
        target: atLeast(150_000, "jobs/s", speed.perProcessorSecond),
      },
      {
        what: "the same, memory",
        peakMiB: peakMiB(),
        target: below(8192, "MiB", peakMiB()),
      },
    ];
  },
};

/** Five strategies, two routings, three loads, one after the other on one core. */
async function thirtyRuns(quick: boolean): Promise<Row> {
  const jobs = quick ? week.jobs / QUICK_PART : week.jobs;
  let processorSeconds = 0;
  let longest = 0;
  for (const { load } of scenarios) {
    const shape = { ...week, jobs, load };
    const machines = syntheticFarm(shape);
    const workload = syntheticFarmJobs(shape, machines);
    for (const routing of ["round-robin", "utilization"]) {
      for (const strategy of strategies) {
        const took = await timed(() => simulate(workload, machines, { strategy, routing }));
        processorSeconds += took.processorSeconds;
        longest = Math.max(longest, took.processorSeconds);
      }
    }
  }
  return {
    what: `30 runs of ${jobs.toLocaleString("en")} jobs on 20 pools`,
    figure: `${processorSeconds.toFixed(1)} s of processor time, the longest run ${longest.toFixed(1)} s`,
    target: below(120, "s, 60 s on two cores", processorSeconds),
  };
}
