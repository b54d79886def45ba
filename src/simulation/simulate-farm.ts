import type { View } from "../core/index.ts";
import { InputError, type Farm, type Machines, type Workload } from "../workload/index.ts";
import { breakdown } from "./figures/breakdown.ts";
import { buildEngine, type BuiltEngine } from "./build/build-engine.ts";
import { runCycles } from "./clocks/cycles.ts";
import { runInstants } from "./clocks/instants.ts";
import { checkSlotFarm, runOrder } from "./clocks/order.ts";
import { runSingleEvents } from "./clocks/single-events.ts";
import { estimatesOfLog } from "./settings/estimates.ts";
import { poolFigures, timeFigures, type FarmFigures, type TimeFigures } from "./figures/farm-figures.ts";
import { fairness, lastStart, scheduleMetrics } from "./figures/metrics.ts";
import { betaFor, offeredLoad, stretched, typicalTask } from "./figures/offered-load.ts";
import { PackingObserver } from "./packing/observer.ts";
import { packingResult } from "./packing/result.ts";
import type { RunResult } from "./result.ts";
import { Predictions } from "./run/predictions.ts";
import { Driver } from "./run/driver.ts";
import { Failures } from "./run/failures.ts";
import { Ledger } from "./run/ledger.ts";
import { Sampler } from "./figures/sampler.ts";
import { PlacementLog, type Schedule } from "./schedule.ts";
import type { SimulationSettings } from "./settings/settings.ts";
import type { Simulation, SimulationExtras } from "./simulation.ts";
import { RunTimes } from "./figures/time-sums.ts";
import { waitsByPart } from "./figures/waits-by-part.ts";

/**
 * One run on the pools of a farm: the engine, driven through virtual time by a clock.
 *
 * @param machines all machines of the farm, pool by pool
 * @param isOnePool whether the farm is just a list of machines: the figures of farms are left out then
 */
export function simulateFarm(
  workload: Workload,
  farm: Farm,
  machines: Machines,
  isOnePool: boolean,
  settings: SimulationSettings,
  extras: SimulationExtras,
): Simulation {
  const startedAt = performance.now();
  const { count, runtimeSeconds } = workload;
  const isOrdered = settings.clock === "order";
  if (isOrdered) checkSlotFarm(workload, machines);
  if (isOrdered || settings.eventOrder === "single") checkNoQueues(farm);
  const built = buildEngine(workload, farm, settings);
  const { port } = built;
  const { jobs, pools } = port.view;
  const doesPredict = predictsRunTimes(built, settings);
  const needsEstimates = built.policies.some(({ kind }) => kind.needsEstimates);

  // 1. When jobs come, and which of them count.
  const baseLoad = offeredLoad(workload, machines);
  const beta = betaFor(settings, baseLoad);
  const doReact = workload.follows !== undefined;
  // Where users react, it is known only in the run when they come.
  const ofLog = isOrdered ? new Float64Array(count) : stretched(workload, beta);
  const submitSeconds = doReact ? ofLog.slice() : ofLog;
  const first = count === 0 ? 0 : (isOrdered ? workload : { submitSeconds }).submitSeconds[0];
  const span =
    count === 0 ? 0 : isOrdered ? saturatedSpan(workload, machines) : submitSeconds[count - 1] - first;
  const from = first + settings.warmupSeconds;
  const isToTheEnd = isOrdered || (doReact && settings.cooldownSeconds === 0);
  const until = isToTheEnd ? Infinity : first + span - settings.cooldownSeconds;

  // 2. The driver, its ledger and its observers.
  const ledger = new Ledger(submitSeconds, runtimeSeconds, farm.pools.length);
  const placements = extras.keepMachines === true ? new PlacementLog(count) : null;
  const promisedSeconds = extras.keepMachines === true ? new Float64Array(count).fill(NaN) : null;
  const estimateSeconds =
    needsEstimates || !isOnePool ? expectedRuntimes(workload, settings) : runtimeSeconds;
  const driver = new Driver({
    built,
    workload,
    ledger,
    estimateSeconds,
    predictions: doesPredict ? new Predictions(port, workload, estimatesOfLog(workload)) : null,
    checkpointSeconds: farm.rescheduling.checkpointSeconds,
    placements,
    promisedSeconds,
    progress: extras.progress ?? null,
    runsToTheEnd:
      extras.observe !== undefined || settings.failures !== null || workload.cancelAfterSeconds !== undefined,
  });
  const measuredUntil = settings.cooldownSeconds > 0 ? until : Infinity;
  const observer =
    settings.packing === null
      ? null
      : new PackingObserver(port.view, first, span, from, measuredUntil, settings.pictures);
  if (observer !== null) driver.observers.push(observer);
  const asked = extras.observe?.(driver, built);
  if (asked !== undefined) driver.observers.push(asked);
  const sampler = new Sampler(pools, first, span, typicalTask(workload), observer?.meter);
  const failures =
    settings.failures === null ? null : new Failures(settings.failures, built, settings.seed, first);

  // 3. The run.
  if (count > 0) {
    const isQuiet =
      !doReact && failures === null && driver.cancellations === null && asked === undefined && !doesPredict;
    if (isOrdered) runOrder(driver, sampler, first, settings.queuedJobs);
    else if (settings.eventOrder === "single") runSingleEvents(driver, sampler);
    else if (isQuiet && isPlainCycling(built)) runCycles(driver, sampler);
    else runInstants(driver, sampler, failures);
    if (observer !== null) driver.finishInTurn(observer.unmeasured);
    if (!driver.isStopped) driver.runs.endRest();
  }

  // 4. What came of it.
  const frames = observer?.frames() ?? null;
  const metrics = scheduleMetrics(workload, machines, ledger, from, until, isOrdered ? 1 : beta);
  const endSeconds = ledger.endSeconds();
  const schedule: Schedule = {
    submitSeconds,
    startSeconds: ledger.startSeconds,
    ...(endSeconds === undefined ? {} : { endSeconds }),
    ...(promisedSeconds === null ? {} : { promisedSeconds }),
    counted: { fromSeconds: from, untilSeconds: until },
    machines: placements,
  };
  const fair = fairness(workload, schedule, settings.fairShare ?? []);
  if (driver.rejections.size > 0) sampler.limit(ledger.openedSeconds, lastStart(ledger));
  const series = sampler.series();
  const isMemoryKnown = machines.memoryMiB !== null;
  const matchingCycles = pools.reduce((sum, pool) => sum + pool.matchingCycles, 0);
  const coresOf = (row: number): number =>
    (workload.coresMilli[row] / 1000) * (workload.tasks === null ? 1 : workload.tasks[row]);
  // In one pool without priorities, whose machines do not fail, jobs wait, run and end: the other figures tell all.
  const isPlain = isOnePool && failures === null && !pools[0].isPreemptive;
  const runTimes = isPlain ? null : new RunTimes(workload, ledger, farm.pools.length).addAll(from, until);
  const times: TimeFigures | undefined =
    runTimes === null
      ? undefined
      : {
          ...timeFigures(runTimes, ledger),
          ...breakdown(runTimes, workload, farm, ledger),
          farmSeries: sampler.farmSeries(settings.poolDetail),
        };
  const figures: TimeFigures | FarmFigures | undefined =
    isOnePool || times === undefined
      ? times
      : {
          farm: farm.name,
          strategy: built.strategy,
          routing: built.routing,
          ...times,
          ...(settings.poolDetail ? { pools: poolFigures(farm, ledger, metrics.makespanSeconds) } : {}),
        };
  const simulationSeconds = (performance.now() - startedAt) / 1000;
  const result: RunResult = {
    policy: [...new Set(built.policies.map(({ name }) => name))].join(", "),
    beta,
    offeredLoad: baseLoad / beta,
    intervalSeconds:
      settings.eventOrder === "single" ? 0 : Math.max(...pools.map(({ intervalSeconds }) => intervalSeconds)),
    ...(needsEstimates ? { estimates: doesPredict ? "predicted" : String(settings.estimates) } : {}),
    ...figures,
    ...metrics,
    rejections: [...driver.rejections]
      .map(([reason, jobs]) => ({ reason, jobs }))
      .sort((a, b) => b.jobs - a.jobs || (a.reason < b.reason ? -1 : 1)),
    queueLengthMax: jobs.waitingMax,
    strandedCoresMean: isMemoryKnown ? average(series.strandedCores) : null,
    strandedMemoryMean: isMemoryKnown ? average(series.strandedMemory) : null,
    cycles: pools.reduce((sum, pool) => sum + pool.cycles, 0),
    matchingCycles,
    ...brokenPromises(port.view, driver),
    ...winsOf(built, matchingCycles),
    ...(fair === undefined ? {} : { fairness: fair }),
    waitsBy: waitsByPart(workload, (row) => ledger.waitOf(row), submitSeconds, from, until),
    ...(settings.packing === null || built.rows.family === null || observer === null
      ? {}
      : packingResult(
          settings.packing,
          observer.meter.figures(),
          workload,
          ledger,
          built.rows.family,
          machines.count,
          settings.power,
          { from, until },
        )),
    ...(frames === null ? {} : { farmFrames: frames }),
    ...(failures === null
      ? {}
      : failures.figures(ledger, coresOf, ledger.openedSeconds + metrics.makespanSeconds)),
    series,
    simulationSeconds,
    simulatedJobsPerSecond: simulationSeconds > 0 ? count / simulationSeconds : 0,
  };
  return { result, schedule, ledger };
}

/**
 * Whether the run has one pool, whose only decisions are those of cycles at an interval, and no job is suspended or
 * moved.
 */
function isPlainCycling({ port, speeds, policies }: BuiltEngine): boolean {
  const { pools } = port.view;
  const [pool] = pools;
  return (
    pools.length === 1 &&
    // Backfilling gives back what ended jobs leave in the order of their ends, among the submissions between two cycles.
    !policies.some(({ kind }) => kind.reactsToEvents) &&
    pool.intervalSeconds > 0 &&
    !pool.isPreemptive &&
    port.isStatic &&
    speeds[0].every((speed) => speed === 1)
  );
}

function winsOf({ port }: BuiltEngine, matchingCycles: number): Pick<RunResult, "wins" | "soleWins"> {
  const wins = new Map<string, number>();
  const soleWins = new Map<string, number>();
  for (const { wins: won } of port.view.pools) {
    won.names.forEach((name, i) => {
      wins.set(name, (wins.get(name) ?? 0) + won.all[i]);
      soleWins.set(name, (soleWins.get(name) ?? 0) + won.sole[i]);
    });
  }
  if (wins.size === 0) return {};
  const shares = (counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> =>
    Object.fromEntries([...counts].map(([name, count]) => [name, count / Math.max(1, matchingCycles)]));
  return { wins: shares(wins), soleWins: shares(soleWins) };
}

/** How long a farm takes for a workload if all its cores are always busy. */
function saturatedSpan(workload: Workload, machines: Machines): number {
  const cores = machines.coresMilli.reduce((sum, each) => sum + each, 0);
  return (
    workload.runtimeSeconds.reduce((sum, runtime, row) => sum + runtime * workload.coresMilli[row], 0) / cores
  );
}

/**
 * Whether run times are predicted: asked for, or for a policy that plans on predictions.
 *
 * @throws InputError where some pools would plan on predictions and others on estimates
 */
function predictsRunTimes({ policies }: BuiltEngine, { estimates }: SimulationSettings): boolean {
  if (estimates === "predicted") return true;
  const predicting = policies.find(({ kind }) => kind.plansOnPredictions === true);
  if (predicting === undefined) return false;
  const other = policies.find(({ kind }) => kind.needsEstimates && kind.plansOnPredictions !== true);
  if (other === undefined) return true;
  throw new InputError(
    `policy ${predicting.name} plans on predicted run times, and policy ${other.name} of another pool on estimates: all pools of a run plan on the same; give --estimates predicted, or one policy`,
  );
}

/** The run times that backfilling and routing expect. */
function expectedRuntimes(workload: Workload, { estimates }: SimulationSettings): Float64Array {
  if (estimates === "log" || estimates === "predicted") return estimatesOfLog(workload);
  if (estimates === "exact") return workload.runtimeSeconds;
  return workload.runtimeSeconds.map((runtime) => runtime * estimates);
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function checkNoQueues({ virtualPools }: Farm): void {
  const queueing = virtualPools.find(({ hasQueue }) => hasQueue);
  if (queueing === undefined) return;
  throw new InputError(
    `jobs wait at virtual pool ${queueing.name} until a pool has room (queue: true): only the time-driven clock, with all events of an instant at once, can do this`,
  );
}

/**
 * The jobs that started later than first promised, by what moved them, of how many, and by how much; nothing if no
 * pool's policy counts them.
 */
function brokenPromises(
  { pools }: View,
  { promised, promiseDelayMaxSeconds }: Driver,
): Pick<RunResult, "promisesBroken" | "promised" | "promiseDelayMaxSeconds"> {
  const counts = pools.flatMap(({ promises }) => promises?.broken() ?? []);
  if (counts.length === 0) return {};
  const sums: Record<string, number> = {};
  for (const broken of counts)
    for (const [reason, jobs] of broken) if (jobs > 0) sums[reason] = (sums[reason] ?? 0) + jobs;
  return { promisesBroken: sums, promised, promiseDelayMaxSeconds };
}
