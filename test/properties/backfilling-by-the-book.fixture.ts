import type { Workload } from "../../src/workload/index.ts";

export type Backfilling = "fcfs" | "easy" | "easy-sjbf";

/** A job of one machine of processors, as the textbooks have them. */
interface ProcessorJob {
  readonly row: number;
  readonly submit: number;
  readonly runtime: number;
  readonly estimate: number;
  readonly processors: number;
  start: number;
}

/**
 * When a running job is expected to end: by its estimate, and within a second
 * where it has outlived that.
 */
function expectedEnd(start: number, estimate: number, now: number): number {
  return start + estimate > now ? start + estimate : now + 1;
}

/**
 * Calls `pass` after every instant at which a job came or ended; it returns the jobs
 * that start. One that is turned away has not come.
 */
function replay<
  T extends { readonly row: number; readonly submit: number; readonly runtime: number; start: number },
>(
  jobs: readonly T[],
  isEligible: (job: T) => boolean,
  ended: (job: T) => void,
  pass: (waiting: readonly T[], running: readonly T[], now: number) => readonly T[],
): void {
  const unsubmitted = [...jobs];
  let waiting: T[] = [];
  let running: T[] = [];
  while (unsubmitted.length + running.length > 0) {
    const endOf = (job: T): number => job.start + job.runtime;
    const now = Math.min(unsubmitted[0]?.submit ?? Infinity, ...running.map(endOf));
    let isChanged = running.some((job) => endOf(job) <= now);
    running.filter((job) => endOf(job) <= now).forEach(ended);
    running = running.filter((job) => endOf(job) > now);
    while (unsubmitted.length > 0 && unsubmitted[0].submit <= now) {
      const job = unsubmitted.shift()!;
      if (!isEligible(job)) continue;
      waiting.push(job);
      isChanged = true;
    }
    if (!isChanged) continue;
    const started = pass(waiting, running, now);
    for (const job of started) job.start = now;
    waiting = waiting.filter((job) => !started.includes(job));
    running.push(...started);
  }
  if (waiting.length > 0) throw new Error("jobs wait for ever");
}

/** Start times on one machine of so many processors. */
export function startsOnProcessors(
  workload: Workload,
  processors: number,
  estimates: readonly number[],
  policy: Backfilling,
): number[] {
  const jobs = Array.from({ length: workload.count }, (_, row): ProcessorJob => ({
    row,
    submit: workload.submitSeconds[row],
    runtime: workload.runtimeSeconds[row],
    estimate: estimates[row],
    processors: (workload.coresMilli[row] / 1000) * (workload.tasks?.[row] ?? 1),
    start: NaN,
  }));
  const passes = { fcfs: fcfsPass, easy: easyPass, "easy-sjbf": easyPass };
  replay(
    jobs,
    (job) => job.processors <= processors,
    () => {},
    (waiting, running, now) => passes[policy](processors, waiting, running, now, policy === "easy-sjbf"),
  );
  return jobs.map((job) => job.start);
}

function fcfsPass(
  processors: number,
  waiting: readonly ProcessorJob[],
  running: readonly ProcessorJob[],
): ProcessorJob[] {
  let free = processors - sum(running);
  const started: ProcessorJob[] = [];
  for (const job of waiting) {
    if (job.processors > free) break;
    free -= job.processors;
    started.push(job);
  }
  return started;
}

/** Lifka 1995: the first job that does not fit is promised its time; whoever leaves it that may pass. */
function easyPass(
  processors: number,
  waiting: readonly ProcessorJob[],
  running: readonly ProcessorJob[],
  now: number,
  shortestFirst: boolean,
): ProcessorJob[] {
  const started = fcfsPass(processors, waiting, running);
  const [head, ...rest] = waiting.slice(started.length);
  if (head === undefined) return started;
  let free = processors - sum(running) - sum(started);
  const ends = [
    ...running.map((job) => ({ at: expectedEnd(job.start, job.estimate, now), processors: job.processors })),
    ...started.map((job) => ({ at: expectedEnd(now, job.estimate, now), processors: job.processors })),
  ].sort((a, b) => a.at - b.at);
  const freeAt = (time: number): number => free + sum(ends.filter((end) => end.at <= time));
  const shadow = ends.find((end) => freeAt(end.at) >= head.processors)!.at;
  let extra = freeAt(shadow) - head.processors;
  if (shortestFirst) rest.sort((a, b) => a.estimate - b.estimate);
  for (const job of rest) {
    if (job.processors > free) continue;
    const isDone = now + job.estimate <= shadow;
    if (!isDone && job.processors > extra) continue;
    if (!isDone) extra -= job.processors;
    free -= job.processors;
    started.push(job);
  }
  return started;
}

function sum(jobs: readonly { readonly processors: number }[]): number {
  return jobs.reduce((total, job) => total + job.processors, 0);
}
