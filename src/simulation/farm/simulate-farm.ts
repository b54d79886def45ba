import type { Farm } from "../../workload/index.ts";
import { InputError, type Workload } from "../../workload/index.ts";
import { runFarm } from "../loops/farm-events.ts";
import { estimatesOfLog } from "../estimates.ts";
import { JobCount, type JobFigures } from "../job-figures.ts";
import type { RunResult } from "../result.ts";
import { buildFarm } from "./build-farm.ts";
import { FarmDriver, type FarmObserver } from "./farm-driver.ts";
import { farmFigures, poolFigures, type FarmFigures } from "./farm-figures.ts";
import { machinesOfFarm } from "./farm-machines.ts";
import { FarmSampler } from "./farm-sampler.ts";
import { defaultFarmSettings, type FarmRunSettings } from "./farm-settings.ts";
import { Ledger, type JobAccount } from "./ledger.ts";
import { offeredLoad } from "../offered-load.ts";

export interface FarmSimulationExtras {
  /** Whether to keep where each job's time went. */
  readonly keepAccounts?: boolean;
  /** Its first element is set to the number of jobs submitted so far, now and then. */
  readonly progress?: Int32Array;
  /** Is told what happens; given the driver before anything does. */
  readonly observe?: (driver: FarmDriver) => FarmObserver;
}

export interface FarmSimulation {
  readonly result: FarmRunResult;
  /** By row: when each job was submitted in the run, when it first started, and when it was done; NaN where it was rejected. */
  readonly submitSeconds: Float64Array;
  readonly startSeconds: Float64Array;
  readonly completedSeconds: Float64Array;
  /** In the order in which the jobs were done; null unless asked for. */
  readonly accounts: readonly JobAccount[] | null;
}

/** The figures of a run on a farm: those of any run, with waits and slowdowns over all attempts, and the farm's own. */
export type FarmRunResult = RunResult & FarmFigures;

/**
 * Replays a workload on a farm of several pools, with priorities, suspension and
 * rescheduling (Zhang 2010).
 *
 * The same workload, farm and settings give the same result, to the byte, on any
 * machine. Memory grows with the jobs of the workload and with those in the farm at
 * one time; not with jobs times pools.
 *
 * @throws InputError where workload, farm and settings do not go together
 */
export function simulateFarm(
  workload: Workload,
  farm: Farm,
  settings: Partial<FarmRunSettings> = {},
  extras: FarmSimulationExtras = {},
): FarmSimulation {
  const given: FarmRunSettings = { ...defaultFarmSettings, ...settings };
  const startedAt = performance.now();
  const built = buildFarm(workload, farm, given);
  const baseLoad = offeredLoad(workload, machinesOfFarm(farm));
  const beta = given.load === null ? given.beta : baseLoad / given.load;
  if (!(beta > 0 && Number.isFinite(beta))) throw new InputError(`beta is ${beta}: it must be more than 0`);
  const submitSeconds =
    beta === 1 ? workload.submitSeconds : workload.submitSeconds.map((time) => time * beta);
  const { count } = workload;
  const first = count === 0 ? 0 : submitSeconds[0];
  const span = count === 0 ? 0 : submitSeconds[count - 1] - first;
  const { core } = built;
  const ledger = new Ledger(count, farm.pools.length, extras.keepAccounts === true);
  const estimates = estimatesOfLog(workload);
  const { checkpointSeconds, checkSeconds } = farm.rescheduling;
  const driver = new FarmDriver(
    built,
    workload,
    submitSeconds,
    estimates,
    ledger,
    checkpointSeconds,
    extras.progress ?? null,
  );
  driver.observer = extras.observe?.(driver) ?? null;
  const sampler = new FarmSampler(core.pools, first, span, given.poolDetail);
  runFarm(driver, sampler, built.intervalSeconds, checkSeconds);

  const from = first + given.warmupSeconds;
  const until = first + span - given.cooldownSeconds;
  const makespanSeconds = Math.max(first + span, ledger.lastEvent) - first;
  const series = sampler.series();
  const figures: FarmFigures = {
    farm: farm.name,
    strategy: built.strategy,
    routing: built.routing,
    ...farmFigures(ledger, submitSeconds, from, until),
    farmSeries: series,
    ...(given.poolDetail ? { pools: poolFigures(farm, ledger, makespanSeconds) } : {}),
  };
  const simulationSeconds = (performance.now() - startedAt) / 1000;
  const result: FarmRunResult = {
    policy: [...new Set(farm.pools.map(({ policy }) => policy))].join(", "),
    beta,
    offeredLoad: baseLoad / beta,
    intervalSeconds: Math.max(...built.intervalSeconds),
    ...figures,
    ...jobFigures(workload, submitSeconds, ledger, from, until),
    ...useFigures(farm, ledger, makespanSeconds),
    queueLengthMax: driver.queueLengthMax,
    queueLengthMean:
      makespanSeconds === 0
        ? 0
        : ledger.waitingSeconds.reduce((sum, each) => sum + each, 0) / makespanSeconds,
    rejections: [...driver.rejections]
      .map(([reason, jobs]) => ({ reason, jobs }))
      .sort((a, b) => b.jobs - a.jobs || (a.reason < b.reason ? -1 : 1)),
    strandedCoresMean: null,
    strandedMemoryMean: null,
    makespanSeconds,
    cycles: driver.cycles,
    matchingCycles: driver.matchingCycles,
    series: {
      timeSeconds: series.timeSeconds,
      coreUtilization: series.coreUtilization,
      memoryUtilization: [],
      strandedCores: [],
      strandedMemory: [],
      queueLength: series.waitingJobs,
    },
    simulationSeconds,
    simulatedJobsPerSecond: simulationSeconds > 0 ? count / simulationSeconds : 0,
  };
  const { startSeconds, completedSeconds, accounts } = ledger;
  return { result, submitSeconds, startSeconds, completedSeconds, accounts };
}

function jobFigures(
  { count, runtimeSeconds }: Workload,
  submitSeconds: Float64Array,
  { completedSeconds, waitingSeconds }: Ledger,
  from: number,
  until: number,
): JobFigures {
  const counted = new JobCount(count, submitSeconds[0]);
  for (let row = 0; row < count; row++) {
    const submit = submitSeconds[row];
    if (submit < from || submit > until) continue;
    const completed = completedSeconds[row];
    if (Number.isNaN(completed)) counted.reject();
    else counted.add(submit, waitingSeconds[row], completed - submit, runtimeSeconds[row]);
  }
  return counted.figures();
}

function useFigures(
  farm: Farm,
  ledger: Ledger,
  spanSeconds: number,
): Pick<RunResult, "coreUtilizationMean" | "memoryUtilizationMean"> {
  let cores = 0;
  let memory = 0;
  let isKnown = true;
  for (const { groups } of farm.pools) {
    for (const { count, coresMilli, memoryMiB } of groups) {
      cores += count * coresMilli;
      memory += count * (memoryMiB ?? 0);
      if (memoryMiB === null) isKnown = false;
    }
  }
  const used = (amounts: Float64Array, of: number): number =>
    spanSeconds === 0 || of === 0 ? 0 : amounts.reduce((sum, each) => sum + each, 0) / (of * spanSeconds);
  return {
    coreUtilizationMean: used(ledger.coreSeconds, cores),
    memoryUtilizationMean: isKnown ? used(ledger.memorySeconds, memory) : null,
  };
}
