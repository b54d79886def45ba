import type { Machines, Workload } from "../workload/index.ts";
import { dueParts, shareTree, type Share } from "../core/index.ts";
import { quantiles } from "./quantiles.ts";
import type { Fairness, RunResult } from "./result.ts";
import type { Schedule } from "./schedule.ts";

const DAY_SECONDS = 86_400;
/** The projects that a report names; the others are in the indices all the same. */
const PROJECTS_NAMED = 20;

/** The figures that follow from when each job was submitted and started. */
export type ScheduleMetrics = Pick<
  RunResult,
  | "jobs"
  | "started"
  | "rejected"
  | "waitMeanSeconds"
  | "waitMedianSeconds"
  | "waitP90Seconds"
  | "waitP95Seconds"
  | "waitP99Seconds"
  | "waitMaxSeconds"
  | "slowdownMean"
  | "slowdownMedian"
  | "slowdownP95"
  | "boundedSlowdownMean"
  | "boundedSlowdownP95"
  | "queueLengthMean"
  | "coreUtilizationMean"
  | "memoryUtilizationMean"
  | "makespanSeconds"
  | "days"
>;

/**
 * @param from, until seconds of submission, in the run's time: jobs outside are not counted
 */
export function scheduleMetrics(
  workload: Workload,
  machines: Machines,
  schedule: Schedule,
  from: number,
  until: number,
): ScheduleMetrics {
  const { submitSeconds, startSeconds, endSeconds } = schedule;
  const { count, runtimeSeconds, coresMilli, memoryMiB, tasks } = workload;
  const first = count === 0 ? 0 : submitSeconds[0];
  const waits = new Float64Array(count);
  const slowdowns = new Float64Array(count);
  const bounded = new Float64Array(count);
  const days: { day: number; jobs: number; waitSumSeconds: number }[] = [];
  let jobs = 0;
  let started = 0;
  let last = first;
  let waitSum = 0;
  let waitSumAll = 0;
  let slowdownSum = 0;
  let boundedSum = 0;
  let coreSeconds = 0;
  let memorySeconds = 0;
  for (let row = 0; row < count; row++) {
    const submit = submitSeconds[row];
    const start = startSeconds[row];
    const isCounted = submit >= from && submit <= until;
    if (isCounted) jobs++;
    if (submit > last) last = submit;
    if (Number.isNaN(start)) continue;
    const runtime = runtimeSeconds[row];
    const wait = start - submit;
    const end = endSeconds === undefined ? start + runtime : endSeconds[row];
    if (end > last) last = end;
    const n = tasks === null ? 1 : tasks[row];
    coreSeconds += coresMilli[row] * n * runtime;
    if (memoryMiB !== null) memorySeconds += memoryMiB[row] * n * runtime;
    waitSumAll += wait;
    if (!isCounted) continue;
    const flow = endSeconds === undefined ? wait + runtime : end - submit;
    const slowdown = flow / Math.max(runtime, 1);
    const boundedSlowdown = Math.max(1, flow / Math.max(runtime, 10));
    waits[started] = wait;
    slowdowns[started] = slowdown;
    bounded[started] = boundedSlowdown;
    started++;
    waitSum += wait;
    slowdownSum += slowdown;
    boundedSum += boundedSlowdown;
    const day = Math.floor((submit - first) / DAY_SECONDS);
    let ofDay = days.at(-1);
    // Submissions come in order, so a day's jobs come together.
    if (ofDay === undefined || ofDay.day !== day) days.push((ofDay = { day, jobs: 0, waitSumSeconds: 0 }));
    ofDay.jobs++;
    ofDay.waitSumSeconds += wait;
  }

  const span = last - first;
  const sum = (column: Int32Array): number => column.reduce((total, amount) => total + amount, 0);
  const capacity = sum(machines.coresMilli) * span;
  const memory = machines.memoryMiB === null ? 0 : sum(machines.memoryMiB) * span;
  const mean = (total: number): number => (started === 0 ? 0 : total / started);
  const [median, p90, p95, p99, max] = quantiles(waits.subarray(0, started), [0.5, 0.9, 0.95, 0.99, 1]);
  const [slowdownMedian, slowdownP95] = quantiles(slowdowns.subarray(0, started), [0.5, 0.95]);
  const [boundedP95] = quantiles(bounded.subarray(0, started), [0.95]);
  return {
    jobs,
    started,
    rejected: jobs - started,
    waitMeanSeconds: mean(waitSum),
    waitMedianSeconds: median,
    waitP90Seconds: p90,
    waitP95Seconds: p95,
    waitP99Seconds: p99,
    waitMaxSeconds: max,
    slowdownMean: mean(slowdownSum),
    slowdownMedian,
    slowdownP95,
    boundedSlowdownMean: mean(boundedSum),
    boundedSlowdownP95: boundedP95,
    // Jobs waiting summed over time are waits summed over jobs.
    queueLengthMean: span === 0 ? 0 : waitSumAll / span,
    coreUtilizationMean: capacity === 0 ? 0 : coreSeconds / capacity,
    memoryUtilizationMean: memory === 0 || memoryMiB === null ? null : memorySeconds / memory,
    makespanSeconds: span,
    days,
  };
}

/** How evenly projects were served: Jain's index over core-seconds ÷ share, and how far each is from its due part. */
export function fairness(
  workload: Workload,
  schedule: Schedule,
  shares: readonly Share[],
): Fairness | undefined {
  const { project, count } = workload;
  if (project === null) return undefined;
  const size = project.names.length;
  const coreSeconds = new Float64Array(size);
  const jobs = new Float64Array(size);
  const waits = new Float64Array(size);
  for (let row = 0; row < count; row++) {
    const start = schedule.startSeconds[row];
    if (Number.isNaN(start)) continue;
    const code = project.codes[row];
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
    jainIndex: squares === 0 ? 1 : (sum * sum) / (rows.length * squares),
    shareErrorMean: rows.reduce((errors, row) => errors + error(row), 0) / rows.length,
    projects: rows
      .sort((a, b) => b.coreSeconds - a.coreSeconds || (a.project < b.project ? -1 : 1))
      .slice(0, PROJECTS_NAMED),
  };
}
