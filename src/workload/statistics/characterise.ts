import type { CodedColumn, Workload } from "../workload.ts";
import { arrivalCycle, arrivalRate, type ArrivalCycle, type ArrivalRate } from "./arrivals.ts";
import { concentration, largestShare, type Concentration } from "./concentration.ts";
import { bucketAverages, demand, type BucketAverages, type Demand } from "./demand.ts";
import { machineUse, type MachineUse } from "./machine-use.ts";
import { summarise, type Summary } from "./quantiles.ts";

/**
 * The characteristics of a workload: those of Shai 2014 (sections 2 and 3.2), and others that are usually given for a
 * log. Demands are those of whole jobs, all tasks together. What the log does not tell is null.
 */
export interface WorkloadStatistics {
  readonly name: string;
  readonly synthetic: boolean;
  readonly jobs: number;
  readonly firstSubmitSeconds: number;
  /** From the first submission to the last. */
  readonly spanSeconds: number;
  /** Jobs with one task on one core or a part of one, as a part of all jobs. */
  readonly serialShare: number;
  readonly cores: Demand;
  readonly memoryGiB: Demand | null;
  readonly buckets: BucketAverages;
  readonly runtime: RuntimeStatistics;
  readonly arrivalsPerHour: ArrivalRate;
  readonly arrivalsPerMinute: ArrivalRate;
  readonly cycle: ArrivalCycle;
  readonly users: Concentration | null;
  readonly projects: Concentration | null;
  readonly queues: Concentration | null;
  /** What jobs ask of a farm. Null if no job does; the empty name stands for those that do not. */
  readonly requires: Concentration | null;
  readonly pools: Concentration | null;
  readonly sites: Concentration | null;
  readonly groups: Concentration | null;
  readonly licences: Concentration | null;
  readonly priorities: Concentration | null;
  /** How jobs ended, in the words of their batch system. */
  readonly states: Concentration | null;
  /** Where jobs ran; null if the log does not tell. */
  readonly machineUse: MachineUse | null;
  readonly estimates: EstimateAccuracy | null;
  /** The wait on the real farm. */
  readonly recordedWaitSeconds: Summary | null;
}

interface RuntimeStatistics {
  /** Of all jobs, including those of 0 s. */
  readonly seconds: Summary;
  /** The part of all jobs that ran for 0 s. */
  readonly zeroShare: number;
  /** The work: cores × run time of all jobs. */
  readonly coreSeconds: number;
  /** The parts of the work that belong to the 1 % and the 10 % of jobs with the most. */
  readonly workOfTop1Percent: number;
  readonly workOfTop10Percent: number;
}

/** How well users estimate run times. */
interface EstimateAccuracy {
  /** The part of all jobs that have an estimate. */
  readonly share: number;
  /** Run time over estimate, for jobs whose estimate is above 0. */
  readonly accuracy: Summary;
  /** The part of the jobs with an estimate that ran longer. */
  readonly overrunShare: number;
}

/** @returns NaN for the shares and means of a workload without jobs */
export function characterise(workload: Workload): WorkloadStatistics {
  const { count, submitSeconds, coresMilli, memoryMiB, tasks, estimateSeconds, recordedWaitSeconds } =
    workload;
  return {
    name: workload.name,
    synthetic: workload.synthetic,
    jobs: count,
    firstSubmitSeconds: submitSeconds[0] ?? Number.NaN,
    spanSeconds: (submitSeconds[count - 1] ?? Number.NaN) - (submitSeconds[0] ?? Number.NaN),
    serialShare: serialShare(workload),
    cores: demand(coresMilli, tasks, 1000),
    memoryGiB: memoryMiB === null ? null : demand(memoryMiB, tasks, 1024),
    buckets: bucketAverages(workload),
    runtime: runtimeStatistics(workload),
    arrivalsPerHour: arrivalRate(workload, 3600),
    arrivalsPerMinute: arrivalRate(workload, 60),
    cycle: arrivalCycle(workload),
    users: concentrationOf(workload.user),
    projects: concentrationOf(workload.project),
    queues: concentrationOf(workload.queue),
    requires: concentrationOf(workload.requires),
    pools: concentrationOf(workload.pools),
    sites: concentrationOf(workload.site),
    groups: concentrationOf(workload.group),
    licences: concentrationOf(workload.licences ?? null),
    priorities: workload.priority === null ? null : concentration(codedNumbers(workload.priority)),
    states: concentrationOf(workload.state ?? null),
    machineUse: machineUse(workload),
    estimates: estimateSeconds === null ? null : estimateAccuracy(workload.runtimeSeconds, estimateSeconds),
    recordedWaitSeconds: recordedWaitSeconds === null ? null : summarise(recordedWaitSeconds),
  };
}

/**
 * The load offered to a farm of that many cores, as a part of its capacity: core-seconds over cores × arrival span
 * (Shai 2014, section 6). Infinite if all jobs arrive at once.
 */
export function offeredLoad({ runtime, spanSeconds }: WorkloadStatistics, farmCores: number): number {
  return runtime.coreSeconds / (farmCores * spanSeconds);
}

function serialShare({ count, coresMilli, tasks }: Workload): number {
  let serial = 0;
  for (let row = 0; row < count; row++) {
    if (coresMilli[row]! <= 1000 && (tasks === null || tasks[row] === 1)) serial++;
  }
  return serial / count;
}

function runtimeStatistics({ count, runtimeSeconds, coresMilli, tasks }: Workload): RuntimeStatistics {
  const work = new Float64Array(count);
  let coreSeconds = 0;
  let zero = 0;
  for (let row = 0; row < count; row++) {
    const cores = (coresMilli[row]! / 1000) * (tasks === null ? 1 : tasks[row]!);
    work[row] = cores * runtimeSeconds[row]!;
    coreSeconds += work[row]!;
    if (runtimeSeconds[row] === 0) zero++;
  }
  work.sort();
  return {
    seconds: summarise(runtimeSeconds),
    zeroShare: zero / count,
    coreSeconds,
    workOfTop1Percent: largestShare(work, 0.01),
    workOfTop10Percent: largestShare(work, 0.1),
  };
}

function estimateAccuracy(runtimeSeconds: Float64Array, estimateSeconds: Float64Array): EstimateAccuracy {
  const count = runtimeSeconds.length;
  const accuracy = new Float64Array(count);
  let estimated = 0;
  let overrun = 0;
  for (let row = 0; row < count; row++) {
    const estimate = estimateSeconds[row]!;
    accuracy[row] = estimate > 0 ? runtimeSeconds[row]! / estimate : Number.NaN;
    if (!Number.isNaN(estimate)) estimated++;
    if (runtimeSeconds[row]! > estimate) overrun++;
  }
  return { share: estimated / count, accuracy: summarise(accuracy), overrunShare: overrun / estimated };
}

/** Numbers as names, the lowest first. */
function codedNumbers(numbers: Int32Array): CodedColumn {
  const distinct = [...new Set(numbers)].sort((a, b) => a - b);
  const code = new Map(distinct.map((number, at) => [number, at]));
  return { codes: numbers.map((number) => code.get(number)!), names: distinct.map(String) };
}

function concentrationOf(column: CodedColumn | null): Concentration | null {
  return column === null ? null : concentration(column);
}
