import type { Machines, Workload } from "../../workload/index.ts";
import { JobCount, type JobFigures } from "../figures/job-figures.ts";
import type { Series } from "../result.ts";
import { waitsByPart, type WaitsByPart } from "../figures/waits-by-part.ts";
import { mostCoresInUse } from "./most-in-use.ts";
import { useOverTime } from "./use-over-time.ts";
import { findOutages, type Outages } from "./outages.ts";

/** The samples of a record's course over time. */
const SAMPLES = 256;

/**
 * The farm as it was: the figures of a run that the record in a log can have, under the same names.
 *
 * They are of the log's own pace: nothing is known of what would have been recorded at another load.
 */
export interface RecordedRun extends Omit<JobFigures, "started" | "rejected"> {
  /** Jobs whose wait the log does not tell: they are in no figure here. */
  readonly jobsWithoutWait: number;
  readonly queueLengthMean: number;
  readonly coreUtilizationMean: number;
  /** The most cores in use at once ÷ cores; above 1 the log is of a larger farm than the one given. */
  readonly coreUtilizationMax: number;
  /** The part of the time in which that was above 1. */
  readonly coresExceededShare: number;
  /** Null where memory is not considered. */
  readonly memoryUtilizationMean: number | null;
  /** From the first submission to the last completion, of jobs whose wait is known. */
  readonly makespanSeconds: number;
  readonly outages: Outages;
  readonly waitsBy: WaitsByPart;
  readonly series: Pick<Series, "timeSeconds" | "coreUtilization" | "queueLength">;
}

/**
 * The record of a log; null where it tells no waits, or counts in parts of nodes.
 *
 * @param warmupSeconds jobs submitted in the first so many seconds are not counted
 * @param cooldownSeconds nor are those of the last so many
 */
export function recordedRun(
  workload: Workload,
  machines: Machines,
  { warmupSeconds, cooldownSeconds }: { warmupSeconds: number; cooldownSeconds: number },
): RecordedRun | null {
  const { count, submitSeconds, runtimeSeconds, coresMilli, memoryMiB, tasks, recordedWaitSeconds } =
    workload;
  if (recordedWaitSeconds === null || workload.nodeCpu !== undefined || count === 0) return null;
  const first = submitSeconds[0];
  const from = first + warmupSeconds;
  const until = submitSeconds[count - 1] - cooldownSeconds;
  const counted = new JobCount(count, first, 1);
  let jobsWithoutWait = 0;
  // Jobs of unknown wait are in no figure: the others begin and end the record.
  let opened = NaN;
  let last = first;
  let waitSum = 0;
  let coreSeconds = 0;
  let memorySeconds = 0;
  for (let row = 0; row < count; row++) {
    const submit = submitSeconds[row];
    const wait = recordedWaitSeconds[row];
    const isCounted = submit >= from && submit <= until;
    if (Number.isNaN(wait)) {
      if (isCounted) jobsWithoutWait++;
      continue;
    }
    const runtime = runtimeSeconds[row];
    const size = tasks === null ? 1 : tasks[row];
    if (Number.isNaN(opened)) opened = submit;
    last = Math.max(last, submit + wait + runtime);
    waitSum += wait;
    coreSeconds += size * coresMilli[row] * runtime;
    if (memoryMiB !== null) memorySeconds += size * memoryMiB[row] * runtime;
    if (isCounted) counted.add(submit, wait, wait + runtime, runtime);
  }
  const { started, rejected: _, ...figures } = counted.figures();
  if (started === 0) return null;
  const span = last - opened;
  const coresAll = sum(machines.coresMilli);
  const memoryAll = machines.memoryMiB === null ? 0 : sum(machines.memoryMiB);
  const { mostMilli, secondsAbove } = mostCoresInUse(workload, coresAll);
  const step = span / SAMPLES;
  const timeSeconds = Array.from({ length: SAMPLES }, (_, i) => opened - first + i * step);
  const use = useOverTime(workload, machines, timeSeconds);
  return {
    ...figures,
    jobs: started,
    jobsWithoutWait,
    queueLengthMean: span === 0 ? 0 : waitSum / span,
    coreUtilizationMean: span === 0 ? 0 : coreSeconds / (coresAll * span),
    coreUtilizationMax: coresAll === 0 ? 0 : mostMilli / coresAll,
    coresExceededShare: span === 0 ? 0 : secondsAbove / span,
    memoryUtilizationMean:
      memoryMiB === null || memoryAll === 0 || span === 0 ? null : memorySeconds / (memoryAll * span),
    makespanSeconds: span,
    outages: findOutages(workload),
    waitsBy: waitsByPart(workload, (row) => recordedWaitSeconds[row], submitSeconds, from, until),
    series: { timeSeconds, coreUtilization: use.coreUtilization, queueLength: use.queueLength },
  };
}

function sum(amounts: Int32Array): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
