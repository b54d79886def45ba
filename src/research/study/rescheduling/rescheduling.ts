import { simulateAll, type FarmRunResult, type SimulateAllOptions } from "../../../simulation/index.ts";
import {
  farmGenerator,
  InputError,
  type Farm,
  type MachineGroup,
  type Workload,
} from "../../../workload/index.ts";
import { makeHere, type StudyRuns } from "../runs.ts";

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

/** Which weeks are studied. */
export interface WeekChoice {
  /** Jobs of a week; with fewer the farm is smaller and as busy. */
  readonly jobs?: number;
  /** Of the workloads, and of what strategies draw. */
  readonly seed?: number;
  readonly year?: boolean;
}

type MakingOptions = Pick<SimulateAllOptions, "threads" | "signal" | "onProgress">;
export type ReschedulingOptions = WeekChoice & MakingOptions;

/** What a study of a log takes. */
export type LogReschedulingOptions = Pick<WeekChoice, "seed"> & MakingOptions;

/** All runs of a scenario, or the one of the year. */
export interface ScenarioRuns extends StudyRuns<Farm> {
  readonly scenario: Scenario | "year";
}

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
  const lists = weekRuns(options);
  return reschedulingOf(lists, await makeHere({ lists, make: makeScenario }, options));
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
  options: LogReschedulingOptions = {},
): Promise<ReschedulingResult> {
  const lists = logRuns(workload, farm, options);
  return reschedulingOf(lists, await makeHere({ lists, make: makeScenario }, options));
}

/** What `studyRescheduling` runs. */
export function weekRuns({
  jobs = farmGenerator("netbatch-week").defaultJobs,
  seed = 1,
  year = true,
}: WeekChoice): ScenarioRuns[] {
  const generated = (scenario: ScenarioRuns["scenario"], name: string, jobCount: number): ScenarioRuns => {
    const generator = farmGenerator(name);
    const whole = generator.farm(jobCount);
    return {
      scenario,
      jobCount,
      jobs: () => generator.generate({ jobs: jobCount, seed }),
      generated: [name, jobCount, seed],
      on: scenario === "high-load" ? halfOf(whole) : whole,
      settings:
        scenario === "year" ? [{ strategy: "NoRes", routing: "round-robin", seed }] : settingsOf(seed),
    };
  };
  return [
    ...scenarios.map((scenario) =>
      generated(scenario, scenario === "high-suspension" ? "netbatch-week-suspended" : "netbatch-week", jobs),
    ),
    ...(year ? [generated("year", "netbatch-year", jobsOfYear(jobs))] : []),
  ];
}

/**
 * What `studyReschedulingOf` runs.
 *
 * @throws InputError where the farm has one pool
 */
export function logRuns(
  workload: Workload,
  farm: Farm,
  { seed = 1 }: Pick<WeekChoice, "seed">,
): ScenarioRuns[] {
  if (farm.pools.length < 2)
    throw new InputError(`farm ${farm.name} has one pool: to study rescheduling it needs several`);
  return (["normal", "high-load"] as const).map((scenario) => ({
    scenario,
    jobCount: workload.count,
    jobs: () => workload,
    generated: null,
    on: scenario === "high-load" ? halfOf(farm) : farm,
    settings: settingsOf(seed),
  }));
}

/** In the order of the settings. */
export function makeScenario(
  { jobs, on, settings }: ScenarioRuns,
  options: MakingOptions,
): Promise<FarmRunResult[]> {
  return simulateAll(jobs(), on, settings, options);
}

/** What the runs show together, scenario by scenario. */
export function reschedulingOf(
  all: readonly ScenarioRuns[],
  made: readonly (readonly FarmRunResult[])[],
): ReschedulingResult {
  const normal = all.findIndex(({ scenario }) => scenario === "normal");
  const year = all.findIndex(({ scenario }) => scenario === "year");
  const result = {
    jobs: all[normal]!.jobCount,
    rows: all.flatMap(({ scenario }, i) =>
      scenario === "year" ? [] : made[i]!.map((run) => rowOf(scenario, run)),
    ),
    weekSeries: Object.fromEntries(
      made[normal]!.filter(({ routing }) => routing === "round-robin").map(({ strategy, farmSeries }) => [
        strategy,
        farmSeries,
      ]),
    ),
    year: year === -1 ? null : yearOf(all[year]!.jobCount, made[year]![0]!),
  };
  if (all[normal]!.generated !== null) return result;
  const highLoad = all.findIndex(({ scenario }) => scenario === "high-load");
  const rejected = (at: number): number => made[at]![0]!.rejected;
  return {
    ...result,
    ofLog: {
      rejected: { normal: rejected(normal), highLoad: rejected(highLoad) },
      highLoadCores: coresMilliOf(all[highLoad]!.on) / coresMilliOf(all[normal]!.on),
    },
  };
}

function coresMilliOf({ pools }: Farm): number {
  return pools
    .flatMap(({ groups }) => groups)
    .reduce((sum, { count, coresMilli }) => sum + count * coresMilli, 0);
}

function yearOf(jobs: number, run: FarmRunResult): ReschedulingYear {
  const { suspendRate, suspendedMeanMinutes, suspensionMinutes, farmSeries } = run;
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
