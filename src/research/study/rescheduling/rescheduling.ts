import {
  simulateAll,
  type FarmRunResult,
  type SimulateAllOptions,
  type SimulationProgress,
} from "../../../simulation/index.ts";
import {
  farmGenerator,
  InputError,
  type Farm,
  type MachineGroup,
  type Workload,
} from "../../../workload/index.ts";

/** The strategies of Zhang 2010, section 3, in its order. */
export const rescheduled = ["NoRes", "ResSusUtil", "ResSusRand", "ResSusWaitUtil", "ResSusWaitRand"] as const;
export const routings = ["round-robin", "utilization"] as const;
export const scenarios = ["normal", "high-load", "high-suspension"] as const;
export type Scenario = (typeof scenarios)[number];

/** One line of the tables: what a strategy did in a scenario. Null where no job was suspended. */
export interface ReschedulingRow extends Pick<
  FarmRunResult,
  | "routing"
  | "strategy"
  | "suspendRate"
  | "completionMeanSuspendedMinutes"
  | "completionMeanMinutes"
  | "suspendedMeanMinutes"
  | "wastedMeanMinutes"
  | "wastedWaitMinutes"
  | "wastedSuspendMinutes"
  | "wastedRestartMinutes"
> {
  readonly scenario: Scenario;
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
  /** Only where a log and its farm were studied. */
  readonly ofLog?: OfLog;
}

/** What a log's own figures have to be read with. */
interface OfLog {
  /** Jobs that no pool can ever run; they are in no figure. */
  readonly rejected: { readonly normal: number; readonly highLoad: number };
  /** The cores of the farm under high load, as a part of all. */
  readonly highLoadCores: number;
}

export interface ReschedulingOptions extends Pick<SimulateAllOptions, "threads" | "signal" | "onProgress"> {
  /** Jobs of a week; with fewer the farm is smaller and as busy. */
  readonly jobs?: number;
  /** Of the workloads, and of what strategies draw. */
  readonly seed?: number;
  readonly year?: boolean;
}

/** What a study of a log takes. */
export type LogReschedulingOptions = Omit<ReschedulingOptions, "jobs" | "year">;

const settingsOf = (seed: number) =>
  routings.flatMap((routing) => rescheduled.map((strategy) => ({ routing, strategy, seed })));

/**
 * A year has four times the jobs of the week, on a smaller farm. It has at least so many that the smallest pools are not
 * single machines.
 */
const jobsOfYear = (jobs: number): number => Math.max(400_000, 4 * jobs);

/**
 * The experiments of Zhang 2010, section 3, on synthetic weeks: every strategy under both
 * routings, under normal load, on half the cores, and with many suspensions.
 *
 * @throws InputError where the number of jobs or the seed cannot be used
 */
export async function studyRescheduling(options: ReschedulingOptions = {}): Promise<ReschedulingResult> {
  const { jobs = farmGenerator("netbatch-week").defaultJobs, seed = 1, year = true, onProgress } = options;
  const settings = settingsOf(seed);
  const rows: ReschedulingRow[] = [];
  const weekSeries: Record<string, FarmRunResult["farmSeries"]> = {};
  const weekRuns = scenarios.length * settings.length;
  const jobsInAll = weekRuns * jobs + (year ? jobsOfYear(jobs) : 0);
  let runsBefore = 0;
  const common = {
    ...options,
    onProgress: (now: SimulationProgress): void =>
      onProgress?.({
        jobsSubmitted: runsBefore * jobs + now.jobsSubmitted,
        jobs: jobsInAll,
        runsDone: runsBefore + now.runsDone,
        runs: weekRuns + (year ? 1 : 0),
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
  return { jobs, rows, weekSeries, year: year ? await runYear(jobsOfYear(jobs), seed, common) : null };
}

/**
 * The same on a log and its farm, under normal load and on half the machines. What the farm file says of preemption,
 * transfers and when waiting jobs are moved holds.
 *
 * @throws InputError where the farm has one pool
 */
export async function studyReschedulingOf(
  workload: Workload,
  farm: Farm,
  { seed = 1, ...options }: LogReschedulingOptions = {},
): Promise<ReschedulingResult> {
  if (farm.pools.length < 2)
    throw new InputError(`farm ${farm.name} has one pool: to study rescheduling it needs several`);
  const half = halfOf(farm);
  const jobs = workload.count;
  const settings = settingsOf(seed);
  const run = (place: Farm, runsBefore: number): Promise<FarmRunResult[]> =>
    simulateAll(workload, place, settings, {
      ...options,
      onProgress: (now) =>
        options.onProgress?.({
          jobsSubmitted: runsBefore * jobs + now.jobsSubmitted,
          jobs: 2 * settings.length * jobs,
          runsDone: runsBefore + now.runsDone,
          runs: 2 * settings.length,
        }),
    });
  const normal = await run(farm, 0);
  const highLoad = await run(half, settings.length);
  return {
    jobs,
    rows: [
      ...normal.map((each) => rowOf("normal", each)),
      ...highLoad.map((each) => rowOf("high-load", each)),
    ],
    weekSeries: Object.fromEntries(
      normal
        .filter(({ routing }) => routing === "round-robin")
        .map(({ strategy, farmSeries }) => [strategy, farmSeries]),
    ),
    year: null,
    ofLog: {
      rejected: { normal: normal[0]!.rejected, highLoad: highLoad[0]!.rejected },
      highLoadCores: coresMilliOf(half) / coresMilliOf(farm),
    },
  };
}

function coresMilliOf({ pools }: Farm): number {
  return pools
    .flatMap(({ groups }) => groups)
    .reduce((sum, { count, coresMilli }) => sum + count * coresMilli, 0);
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

/** Half the machines of every group, at least one, so that every job of one task still fits somewhere. */
export function halfOf(farm: Farm): Farm {
  const half = (group: MachineGroup): MachineGroup => ({ ...group, count: Math.max(1, group.count >> 1) });
  return {
    ...farm,
    name: `half of ${farm.name}`,
    pools: farm.pools.map((pool) => ({ ...pool, groups: pool.groups.map(half) })),
  };
}

export function rowOf(scenario: Scenario, run: FarmRunResult): ReschedulingRow {
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
