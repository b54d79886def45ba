import type { Machines, Workload } from "../../workload/index.ts";
import { dueParts, shareTree, type Share } from "../../core/index.ts";
import { JobCount, type JobFigures } from "./job-figures.ts";
import type { Fairness, RunResult } from "../result.ts";
import type { Ledger } from "../run/ledger.ts";
import type { Schedule } from "../schedule.ts";

/** The largest number of projects that are listed; the indices are over all projects. */
const PROJECTS_NAMED = 20;

/** The figures that follow from when each job was submitted and started. */
type ScheduleMetrics = JobFigures &
  Pick<RunResult, "queueLengthMean" | "coreUtilizationMean" | "memoryUtilizationMean" | "makespanSeconds">;

/**
 * @param from, until only jobs submitted between these times are counted; seconds of the run's time
 * @param beta arrival times were multiplied by this
 */
export function scheduleMetrics(
  workload: Workload,
  machines: Machines,
  ledger: Ledger,
  from: number,
  until: number,
  beta: number,
): ScheduleMetrics {
  const { submitSeconds, startSeconds, isRegular } = ledger;
  const { count, runtimeSeconds, memoryMiB, cancelAfterSeconds: cancelled } = workload;
  const first = count === 0 ? 0 : submitSeconds[0];
  const counted = new JobCount(count, first, beta);
  const opened = Number.isNaN(ledger.openedSeconds) ? first : ledger.openedSeconds;
  let last = opened;
  let queuedSumAll = 0;
  // Where users react, rows come in another order than the log's.
  const order = workload.follows === undefined ? null : inOrder(submitSeconds);
  for (let at = 0; at < count; at++) {
    const row = order === null ? at : order[at];
    const submit = submitSeconds[row];
    const start = startSeconds[row];
    const isCounted = submit >= from && submit <= until;
    // A rejected job completes nothing: the run begins and ends with the others.
    if (Number.isNaN(start)) {
      // One that was cancelled before it started is none of either.
      if (isCounted && !(cancelled !== undefined && !Number.isNaN(cancelled[row]))) counted.reject();
      continue;
    }
    const runtime = runtimeSeconds[row];
    const end = isRegular ? start + runtime : ledger.endOf(row);
    const times = isRegular ? undefined : ledger.timesOf(row);
    const queued = times === undefined ? start - submit : times.waiting;
    const wait = times === undefined ? queued : queued + times.transfer;
    const flow = isRegular ? wait + runtime : end - submit;
    if (end > last) last = end;
    queuedSumAll += queued;
    if (isCounted)
      counted.add(
        submit,
        wait,
        flow,
        runtime,
        times === undefined ? wait : wait + times.suspended + times.lost,
      );
  }

  const span = last - opened;
  const sum = (column: ArrayLike<number>): number => {
    let total = 0;
    for (let i = 0; i < column.length; i++) total += column[i];
    return total;
  };
  const capacity = sum(machines.coresMilli) * span;
  const memory = machines.memoryMiB === null ? 0 : sum(machines.memoryMiB) * span;
  return {
    ...counted.figures(),
    // Jobs waiting summed over time are waits summed over jobs.
    queueLengthMean: span === 0 ? 0 : queuedSumAll / span,
    coreUtilizationMean: capacity === 0 ? 0 : sum(ledger.coreSeconds) / capacity,
    memoryUtilizationMean: memory === 0 || memoryMiB === null ? null : sum(ledger.memorySeconds) / memory,
    makespanSeconds: span,
  };
}

function inOrder(submitSeconds: Float64Array): Uint32Array {
  return Uint32Array.from(submitSeconds.keys()).sort((a, b) => submitSeconds[a] - submitSeconds[b] || a - b);
}

/** When the last job started; -Infinity where no job started. */
export function lastStart({ startSeconds }: Pick<Ledger, "startSeconds">): number {
  return startSeconds.reduce((last, start) => (start > last ? start : last), -Infinity);
}

/**
 * How evenly projects were served: Jain's index over core-seconds ÷ share, and how far each is from its due part. Over
 * the projects of which a job started: what others would have got is not known.
 */
export function fairness(
  workload: Workload,
  schedule: Pick<Schedule, "startSeconds" | "submitSeconds">,
  shares: readonly Share[],
): Fairness | undefined {
  const { project, count } = workload;
  if (project === null) return undefined;
  const size = project.names.length;
  const coreSeconds = new Float64Array(size);
  const jobs = new Float64Array(size);
  const hasJobs = new Uint8Array(size);
  const waits = new Float64Array(size);
  for (let row = 0; row < count; row++) {
    const start = schedule.startSeconds[row];
    const code = project.codes[row];
    hasJobs[code] = 1;
    if (Number.isNaN(start)) continue;
    const n = workload.tasks === null ? 1 : workload.tasks[row];
    coreSeconds[code] += (workload.coresMilli[row] / 1000) * n * workload.runtimeSeconds[row];
    jobs[code]++;
    waits[code] += start - schedule.submitSeconds[row];
  }
  const due = dueParts(shareTree(project.names, shares));
  const rows = project.names
    .map((name, code) => ({
      project: name,
      jobs: jobs[code],
      coreSeconds: coreSeconds[code],
      waitMeanSeconds: jobs[code] === 0 ? 0 : waits[code] / jobs[code],
      share: due[code],
    }))
    .filter((row) => row.jobs > 0);
  if (rows.length === 0) return undefined;
  let sum = 0;
  let squares = 0;
  let total = 0;
  let shareTotal = 0;
  for (const row of rows) {
    const ratio = row.coreSeconds / row.share;
    sum += ratio;
    squares += ratio * ratio;
    total += row.coreSeconds;
    shareTotal += row.share;
  }
  const error = (row: (typeof rows)[number]): number =>
    Math.abs((total === 0 ? 0 : row.coreSeconds / total) - row.share / shareTotal);
  return {
    projectsWithoutStart: hasJobs.reduce((all, has) => all + has, 0) - rows.length,
    jainIndex: squares === 0 ? 1 : (sum * sum) / (rows.length * squares),
    shareErrorMean: rows.reduce((errors, row) => errors + error(row), 0) / rows.length,
    projects: rows
      .sort((a, b) => b.coreSeconds - a.coreSeconds || (a.project < b.project ? -1 : 1))
      .slice(0, PROJECTS_NAMED),
  };
}
