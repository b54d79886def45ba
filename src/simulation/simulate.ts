import {
  findHeuristic,
  heuristics as allHeuristics,
  NONE,
  Pool,
  shareTree,
  type Heuristic,
  type NamedPolicy,
} from "../core/index.ts";
import { InputError, nearest, type Machines, type Workload } from "../workload/index.ts";
import { Driver } from "./driver.ts";
import { estimatesOfLog } from "./estimates.ts";
import { isFractional, simulateFractional } from "./fractional/simulate.ts";
import { runCycles } from "./loops/cycles.ts";
import { runInstants } from "./loops/instants.ts";
import { checkSlotFarm, runOrder } from "./loops/order.ts";
import { runSingleEvents } from "./loops/single-events.ts";
import { fairness, scheduleMetrics } from "./metrics.ts";
import { betaFor, offeredLoad, typicalTask } from "./offered-load.ts";
import { familyOfRows } from "./packing/families.ts";
import { PackingObserver } from "./packing/observer.ts";
import { packingResult } from "./packing/result.ts";
import { resolvePolicy } from "./policy-names.ts";
import type { RunResult } from "./result.ts";
import { Sampler } from "./sampler.ts";
import type { Schedule } from "./schedule.ts";
import { CYCLE_SECONDS, defaultSettings, type SimulationSettings } from "./settings.ts";

export interface SimulationExtras {
  /** Whether the schedule tells each job's machines. */
  readonly keepMachines?: boolean;
  /** Its first element is set to the number of jobs submitted so far, now and then. */
  readonly progress?: Int32Array;
}

export interface Simulation {
  readonly result: RunResult;
  readonly schedule: Schedule;
}

/**
 * Replays a workload on a farm of one pool under one policy.
 *
 * The same workload, machines and settings give the same schedule, to the byte,
 * on any machine.
 *
 * @throws InputError where the settings do not fit the workload or the machines
 */
export function simulate(
  workload: Workload,
  machines: Machines,
  settings: Partial<SimulationSettings> & Pick<SimulationSettings, "policy">,
  extras: SimulationExtras = {},
): Simulation {
  const given: SimulationSettings = { ...defaultSettings, ...settings };
  const startedAt = performance.now();
  checkSettings(given);
  if (isFractional(given.policy, workload)) {
    if (given.packing !== null || given.clock === "order")
      throw new InputError(
        `policy ${given.policy} shares nodes in parts: it packs no families, and has no order-driven clock`,
      );
    return simulateFractional(workload, machines, given, extras, simulate);
  }
  const policy = resolvePolicy(given.policy, given.maxJobsList);
  checkMemory(policy, workload, machines);

  const baseLoad = offeredLoad(workload, machines);
  const beta = betaFor(given, baseLoad);
  const isOrdered = given.clock === "order";
  if (isOrdered) checkSlotFarm(workload, machines);
  const submitSeconds = isOrdered
    ? new Float64Array(workload.count)
    : beta === 1
      ? workload.submitSeconds
      : workload.submitSeconds.map((time) => time * beta);
  const familyOf = given.packing === null ? null : familyOfRows(workload, given.packing.families);
  const intervalSeconds = given.intervalSeconds ?? (policy.kind.reactsToEvents ? 0 : CYCLE_SECONDS);
  const names = workload.policy === null ? null : namedHeuristics(workload);
  const pool = new Pool({
    capacities: machines,
    policy: policy.kind,
    heuristic: policy.heuristic,
    named: names?.heuristics ?? [],
    ...(given.fairShare === null || workload.project === null
      ? {}
      : { shares: shareTree(workload.project.names, given.fairShare) }),
    examined: given.examined,
    reserving: given.reserving,
    leastFree: given.leastFree,
    ...(given.packing === null
      ? {}
      : { packing: { ...given.packing, families: given.packing.families.length } }),
    plainScan: given.plainScan,
  });
  const estimates = policy.kind.needsEstimates ? expectedRuntimes(workload, given) : workload.runtimeSeconds;
  const driver = new Driver(
    pool,
    workload,
    submitSeconds,
    estimates,
    names?.heuristicOf ?? null,
    extras.keepMachines === true,
    extras.progress ?? null,
  );
  const first = workload.count === 0 ? 0 : (isOrdered ? workload : { submitSeconds }).submitSeconds[0];
  const span = isOrdered
    ? saturatedSpan(workload, machines)
    : workload.count === 0
      ? 0
      : submitSeconds[workload.count - 1] - first;
  const from = first + given.warmupSeconds;
  const until = isOrdered ? Infinity : first + span - given.cooldownSeconds;
  driver.familyOf = familyOf;
  const { packing } = pool;
  const observer =
    packing !== null
      ? new PackingObserver(
          pool,
          packing,
          first,
          span,
          from,
          given.cooldownSeconds > 0 ? until : Infinity,
          given.pictures,
        )
      : null;
  driver.observer = observer;
  const sampler = new Sampler(pool.machines, first, span, typicalTask(workload), observer?.meter);
  if (workload.count > 0) {
    if (isOrdered) runOrder(driver, sampler, first);
    else if (given.eventOrder === "single") runSingleEvents(driver, sampler);
    else if (intervalSeconds === 0) runInstants(driver, sampler);
    else runCycles(driver, sampler, intervalSeconds);
    if (observer !== null) driver.finishInTurn(observer.unmeasured);
  }

  const frames = observer?.frames() ?? null;
  const metrics = scheduleMetrics(workload, machines, driver.schedule, from, until);
  const fair = fairness(workload, driver.schedule, given.fairShare ?? []);
  const series = sampler.series();
  const average = (values: readonly number[]): number =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
  const { winners } = pool.policy;
  const simulationSeconds = (performance.now() - startedAt) / 1000;
  const result: RunResult = {
    policy: policy.name,
    beta,
    offeredLoad: baseLoad / beta,
    intervalSeconds: given.eventOrder === "single" ? 0 : intervalSeconds,
    ...(policy.kind.needsEstimates ? { estimates: String(given.estimates) } : {}),
    ...metrics,
    rejections: [...driver.rejections]
      .map(([reason, jobs]) => ({ reason, jobs }))
      .sort((a, b) => b.jobs - a.jobs || (a.reason < b.reason ? -1 : 1)),
    queueLengthMax: driver.queueLengthMax,
    strandedCoresMean: machines.memoryMiB === null ? null : average(series.strandedCores),
    strandedMemoryMean: machines.memoryMiB === null ? null : average(series.strandedMemory),
    cycles: driver.cycles,
    matchingCycles: driver.matchingCycles,
    ...(winners === undefined
      ? {}
      : {
          wins: Object.fromEntries(
            winners.names.map((name, i) => [name, driver.wins[i] / Math.max(1, driver.matchingCycles)]),
          ),
        }),
    ...(fair === undefined ? {} : { fairness: fair }),
    ...(given.packing === null || familyOf === null || observer === null
      ? {}
      : packingResult(
          given.packing,
          observer.meter.figures(),
          workload,
          driver.schedule,
          familyOf,
          pool,
          given.power,
          { from, until },
        )),
    ...(frames === null ? {} : { farmFrames: frames }),
    series,
    simulationSeconds,
    simulatedJobsPerSecond: simulationSeconds > 0 ? workload.count / simulationSeconds : 0,
  };
  return { result, schedule: driver.schedule };
}

/** How long a farm takes over a workload that keeps all its cores busy. */
function saturatedSpan(workload: Workload, machines: Machines): number {
  const cores = machines.coresMilli.reduce((sum, each) => sum + each, 0);
  return (
    workload.runtimeSeconds.reduce((sum, runtime, row) => sum + runtime * workload.coresMilli[row], 0) / cores
  );
}

/**
 * Refuses, before several runs begin, one whose policy needs what the workload or the machines do not tell.
 *
 * @throws InputError where that is so
 */
export function checkPolicy(
  workload: Workload,
  machines: Machines,
  settings: Partial<SimulationSettings> & Pick<SimulationSettings, "policy">,
): void {
  const { policy, maxJobsList } = { ...defaultSettings, ...settings };
  if (!isFractional(policy, workload)) checkMemory(resolvePolicy(policy, maxJobsList), workload, machines);
}

/** What would make a run meaningless, or endless. */
function checkSettings({
  beta,
  load,
  intervalSeconds,
  examined,
  reserving,
  estimates,
  packing,
}: SimulationSettings): void {
  const checks: [boolean, string][] = [
    [beta > 0 && Number.isFinite(beta), `beta is ${beta}: it must be more than 0`],
    [load === null || (load > 0 && Number.isFinite(load)), `load is ${load}: it must be more than 0`],
    [
      intervalSeconds === null || (intervalSeconds >= 0 && Number.isFinite(intervalSeconds)),
      `the interval is ${intervalSeconds}: it must be 0 or more seconds`,
    ],
    [examined >= 1, `${examined} jobs are examined in a cycle: it must be 1 or more`],
    [
      packing === null || packing.ttlSeconds >= 0,
      `the time to live is ${packing?.ttlSeconds}: it must be 0 or more seconds`,
    ],
    [reserving >= 0, `${reserving} jobs may reserve in a cycle: it must be 0 or more`],
    [
      typeof estimates !== "number" || (estimates > 0 && Number.isFinite(estimates)),
      `estimates are the run times times ${estimates}: the factor must be more than 0`,
    ],
  ];
  for (const [isRight, problem] of checks) if (!isRight) throw new InputError(problem);
}

function checkMemory(policy: NamedPolicy, workload: Workload, machines: Machines): void {
  if (!policy.kind.needsMemory && !policy.heuristic.needsMemory) return;
  if (workload.memoryMiB === null) {
    throw new InputError(
      `policy ${policy.name} decides by memory, but workload ${workload.name} does not say how much memory its jobs ask for; ` +
        "choose a policy that needs none (first-fit, best-fit-cores, worse-fit-cores), or a log with memory",
    );
  }
  if (machines.memoryMiB === null) {
    throw new InputError(
      `policy ${policy.name} decides by memory, but machines ${machines.name} have none; give their memory, as in 64x8c64g`,
    );
  }
}

/** The heuristics that the workload's jobs name, numbered, and each row's number. */
function namedHeuristics(workload: Workload): { heuristics: Heuristic[]; heuristicOf: Int32Array } {
  const heuristics: Heuristic[] = [];
  const known = allHeuristics.map((each) => each.name);
  const numberOf = workload.policy!.names.map((name) => {
    if (name === "") return NONE;
    const heuristic = findHeuristic(name);
    if (heuristic === undefined) {
      throw new InputError(
        `workload ${workload.name}: a job names the heuristic "${name}", which is not known; did you mean ${nearest(name, known).join(", ")}?`,
      );
    }
    return heuristics.push(heuristic) - 1;
  });
  return { heuristics, heuristicOf: workload.policy!.codes.map((code) => numberOf[code]) };
}

/** What backfilling believes that jobs will run. */
function expectedRuntimes(workload: Workload, { estimates }: SimulationSettings): Float64Array {
  if (estimates === "log") return estimatesOfLog(workload);
  if (estimates === "exact") return workload.runtimeSeconds;
  return workload.runtimeSeconds.map((runtime) => runtime * estimates);
}
