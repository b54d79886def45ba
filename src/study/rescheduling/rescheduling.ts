import {
  simulateAll,
  type FarmRunResult,
  type SimulateAllOptions,
  type SimulationProgress,
} from "../../simulation/index.ts";
import { farmGenerator, type Farm, type MachineGroup } from "../../workload/index.ts";

/** The strategies of Zhang 2010, section 3, in its order. */
export const rescheduled = ["NoRes", "ResSusUtil", "ResSusRand", "ResSusWaitUtil", "ResSusWaitRand"] as const;
export const routings = ["round-robin", "utilization"] as const;
export const scenarios = ["normal", "high-load", "high-suspension"] as const;
export type Scenario = (typeof scenarios)[number];

/** One line of the tables: what a strategy did in a scenario. Null where no job was suspended. */
export interface ReschedulingRow {
  readonly scenario: Scenario;
  readonly routing: string;
  readonly strategy: string;
  readonly suspendRate: number;
  readonly completionMeanSuspendedMinutes: number | null;
  readonly completionMeanMinutes: number | null;
  readonly suspendedMeanMinutes: number | null;
  readonly wastedMeanMinutes: number | null;
  readonly wastedWaitMinutes: number | null;
  readonly wastedSuspendMinutes: number | null;
  readonly wastedRestartMinutes: number | null;
}

/** A run of the year under NoRes: what Figures 2 and 4 show. */
export interface ReschedulingYear {
  readonly jobs: number;
  readonly suspendRate: number;
  readonly suspendedMeanMinutes: number | null;
  readonly suspensionMinutes: FarmRunResult["suspensionMinutes"];
  readonly series: FarmRunResult["farmSeries"];
}

export interface ReschedulingResult {
  readonly jobs: number;
  readonly rows: readonly ReschedulingRow[];
  /** The farm over the normal week, by strategy under round-robin. */
  readonly weekSeries: Readonly<Record<string, FarmRunResult["farmSeries"]>>;
  /** Null where it was left out. */
  readonly year: ReschedulingYear | null;
}

export interface ReschedulingOptions extends Pick<SimulateAllOptions, "threads" | "signal" | "onProgress"> {
  /** Jobs of a week; with fewer the farm is smaller and as busy. */
  readonly jobs?: number;
  /** Of the workloads, and of what strategies draw. */
  readonly seed?: number;
  readonly year?: boolean;
}

/** A year has this many times the jobs of the week, on a smaller farm. */
const yearJobs = 4;

/**
 * The experiments of Zhang 2010, section 3, on synthetic weeks: every strategy under both
 * routings, under normal load, on half the cores, and with many suspensions.
 *
 * @throws InputError where the number of jobs or the seed cannot be used
 */
export async function studyRescheduling(options: ReschedulingOptions = {}): Promise<ReschedulingResult> {
  const { jobs = farmGenerator("netbatch-week").defaultJobs, seed = 1, year = true, onProgress } = options;
  const settings = routings.flatMap((routing) =>
    rescheduled.map((strategy) => ({ routing, strategy, seed })),
  );
  const rows: ReschedulingRow[] = [];
  const weekSeries: Record<string, FarmRunResult["farmSeries"]> = {};
  const runsInAll = scenarios.length * settings.length + (year ? 1 : 0);
  let runsBefore = 0;
  const common = {
    ...options,
    onProgress: (now: SimulationProgress): void =>
      onProgress?.({
        jobsSubmitted: runsBefore * jobs + now.jobsSubmitted,
        jobs: runsInAll * jobs,
        runsDone: runsBefore + now.runsDone,
        runs: runsInAll,
      }),
  };
  for (const scenario of scenarios) {
    const generator = farmGenerator(
      scenario === "high-suspension" ? "netbatch-week-suspended" : "netbatch-week",
    );
    const workload = generator.generate({ jobs, seed });
    const whole = generator.farm(jobs);
    const farm = scenario === "high-load" ? halfOf(whole) : whole;
    const runs = await simulateAll(workload, farm, settings, common);
    runsBefore += runs.length;
    for (const run of runs) {
      rows.push(rowOf(scenario, run));
      if (scenario === "normal" && run.routing === "round-robin") weekSeries[run.strategy] = run.farmSeries;
    }
  }
  return { jobs, rows, weekSeries, year: year ? await runYear(jobs * yearJobs, seed, common) : null };
}

async function runYear(jobs: number, seed: number, options: ReschedulingOptions): Promise<ReschedulingYear> {
  const generator = farmGenerator("netbatch-year");
  const [run] = await simulateAll(
    generator.generate({ jobs, seed }),
    generator.farm(jobs),
    [{ strategy: "NoRes", routing: "round-robin", seed }],
    options,
  );
  const { suspendRate, suspendedMeanMinutes, suspensionMinutes, farmSeries } = run!;
  return { jobs, suspendRate, suspendedMeanMinutes, suspensionMinutes, series: farmSeries };
}

/** Half the machines of every group: half the cores of every pool, and every job still fits somewhere. */
export function halfOf(farm: Farm): Farm {
  const half = (group: MachineGroup): MachineGroup => ({ ...group, count: Math.max(1, group.count >> 1) });
  return {
    ...farm,
    name: `half of ${farm.name}`,
    pools: farm.pools.map((pool) => ({ ...pool, groups: pool.groups.map(half) })),
  };
}

function rowOf(scenario: Scenario, run: FarmRunResult): ReschedulingRow {
  return {
    scenario,
    routing: run.routing,
    strategy: run.strategy,
    suspendRate: run.suspendRate,
    completionMeanSuspendedMinutes: run.completionMeanSuspendedMinutes,
    completionMeanMinutes: run.completionMeanMinutes,
    suspendedMeanMinutes: run.suspendedMeanMinutes,
    wastedMeanMinutes: run.wastedMeanMinutes,
    wastedWaitMinutes: run.wastedWaitMinutes,
    wastedSuspendMinutes: run.wastedSuspendMinutes,
    wastedRestartMinutes: run.wastedRestartMinutes,
  };
}
