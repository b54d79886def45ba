import { OnlineScheduler, WHOLE_NODE, type OnlinePolicy } from "../fractional/index.ts";
import type { Machines, Workload } from "../../workload/index.ts";
import { lastStart, scheduleMetrics } from "../../simulation/figures/metrics.ts";
import { asNodes } from "../../simulation/node-units.ts";
import { coresOf, inNodes } from "./node-units.ts";
import { betaFor, offeredLoad, stretched } from "../../simulation/figures/offered-load.ts";
import type { RunResult } from "../../simulation/result.ts";
import { Samples } from "../../simulation/figures/samples.ts";
import { Ledger } from "../../simulation/run/ledger.ts";
import type { Schedule } from "../../simulation/schedule.ts";
import type { SimulationSettings } from "../../simulation/settings/settings.ts";
import type { Simulation, SimulationExtras } from "../../simulation/simulation.ts";
import { nodeNeeds } from "./node-needs.ts";
import { speedsOf } from "./node-speeds.ts";
import { runOnline } from "./online-loop.ts";
import { stretchFigures } from "./stretch-figures.ts";

/** A node's memory if neither the settings nor the machines give it: that of the cluster in Stillwell 2014. */
const USUAL_MEMORY_GIB = 8;

/** One run of a policy that shares the CPU of equal nodes in parts. */
export function simulateOnline(
  workload: Workload,
  machines: Machines,
  policy: OnlinePolicy,
  settings: SimulationSettings,
  extras: SimulationExtras,
): Simulation {
  const needs = nodeNeeds(workload, machines);
  const speedPercent = speedsOf(settings.nodeSpeeds, machines, policy, needs);
  const alike = asNodes(machines);
  const nodes = speedPercent === undefined ? alike : { ...alike, coresMilli: coresOf(speedPercent) };
  const jobs = inNodes(workload, needs.tasks, needs.cpu);
  // Slow nodes can hold every task: what they lack is CPU, not room.
  const capacity = nodes.coresMilli.reduce((sum, each) => sum + each, 0);
  const baseLoad =
    offeredLoad(jobs, alike) * (alike.coresMilli.reduce((sum, each) => sum + each, 0) / capacity);
  const beta = betaFor(settings, baseLoad);
  // The clock of this kind of run counts whole seconds.
  const submitSeconds = stretched(workload, beta).map(Math.round);
  const ledger = new Ledger(submitSeconds, workload.runtimeSeconds, 1);
  const { startSeconds } = ledger;
  const endSeconds = new Float64Array(workload.count).fill(NaN);
  const first = submitSeconds[0] ?? 0;
  const last = submitSeconds[workload.count - 1] ?? 0;
  const samples = new Samples(first, last - first);
  const startedAt = performance.now();
  const scheduler = new OnlineScheduler({
    policy,
    nodes: machines.count,
    penaltySeconds: settings.penaltySeconds,
    minimumVirtualSeconds: settings.minimumVirtualSeconds,
    minimumFlowSeconds: settings.minimumFlowSeconds,
    ...(speedPercent === undefined ? {} : { speedPercent }),
  });
  const costs = runOnline({
    scheduler,
    submitSeconds,
    runtimeSeconds: workload.runtimeSeconds,
    needs,
    isRejected: (row) => Math.floor(WHOLE_NODE / needs.memory[row]) * machines.count < needs.tasks[row],
    periodSeconds: policy.periodic === null ? Infinity : settings.periodSeconds,
    startSeconds,
    endSeconds,
    progress: extras.progress ?? null,
    samples,
  });
  const simulationSeconds = (performance.now() - startedAt) / 1000;

  const from = first + settings.warmupSeconds;
  const until = last - settings.cooldownSeconds;
  const schedule: Schedule = {
    submitSeconds,
    startSeconds,
    endSeconds,
    counted: { fromSeconds: from, untilSeconds: until },
    machines: null,
  };
  endSeconds.forEach((end, row) => {
    if (Number.isNaN(end)) return;
    ledger.setEnd(row, end);
    ledger.coreSeconds[0] += jobs.coresMilli[row] * jobs.tasks![row] * workload.runtimeSeconds[row];
  });
  const firstStarted = startSeconds.findIndex((start) => !Number.isNaN(start));
  if (firstStarted >= 0) ledger.openedSeconds = submitSeconds[firstStarted];
  const metrics = scheduleMetrics(jobs, nodes, ledger, from, until, beta);
  // What is sampled before the first job or after the last start, where others are rejected, is no part of the run.
  if (metrics.rejected > 0) samples.limit(ledger.openedSeconds, lastStart(ledger));
  const nodeMemoryGiB =
    settings.nodeMemoryGiB ?? (machines.memoryMiB === null ? USUAL_MEMORY_GIB : machines.memoryMiB[0] / 1024);
  const gibibytes = (percents: number): number => (nodeMemoryGiB * percents) / WHOLE_NODE;
  const perSecond = (amount: number): number =>
    metrics.makespanSeconds === 0 ? 0 : amount / metrics.makespanSeconds;
  const result: RunResult = {
    policy: policy.name,
    beta,
    offeredLoad: baseLoad / beta,
    intervalSeconds: policy.periodic === null ? 0 : settings.periodSeconds,
    ...metrics,
    rejections:
      metrics.rejected === 0
        ? []
        : [{ reason: "its tasks need more memory than all nodes have together", jobs: metrics.rejected }],
    queueLengthMax: costs.waitingMax,
    strandedCoresMean: null,
    strandedMemoryMean: null,
    cycles: costs.decisions,
    matchingCycles: costs.startingDecisions,
    series: {
      timeSeconds: samples.times(),
      coreUtilization: samples.column(0),
      memoryUtilization: samples.column(1),
      strandedCores: samples.times().map(() => 0),
      strandedMemory: samples.times().map(() => 0),
      queueLength: samples.column(2),
    },
    simulationSeconds,
    simulatedJobsPerSecond: simulationSeconds > 0 ? workload.count / simulationSeconds : 0,
    ...stretchFigures(workload, schedule, needs, scheduler.state.nodes.totalCapacity / WHOLE_NODE),
    needs: needs.source,
    pauses: costs.pauses,
    migrations: costs.migrations,
    pauseGBPerSecondMean: perSecond(gibibytes(costs.memoryPaused)),
    migrationGBPerSecondMean: perSecond(gibibytes(costs.memoryMigrated)),
  };
  return { result, schedule };
}
