import type { Machines, Workload } from "../../src/workload/index.ts";
import { jobsOf, machinesOf, release, timesWithin, type Job, type Machine } from "./book-machines.fixture.ts";
import { tasksNotPlaced } from "./pool-by-the-book.fixture.ts";

export type Backfilling = "fcfs" | "easy" | "easy-sjbf" | "conservative";

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
  const passes = { fcfs: fcfsPass, easy: easyPass, "easy-sjbf": easyPass, conservative: conservativePass };
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

/** Mu'alem and Feitelson 2001: everyone is promised the earliest time that disturbs no earlier promise. */
function conservativePass(
  processors: number,
  waiting: readonly ProcessorJob[],
  running: readonly ProcessorJob[],
  now: number,
): ProcessorJob[] {
  const taken = running.map((job) => ({
    from: now,
    until: expectedEnd(job.start, job.estimate, now),
    processors: job.processors,
  }));
  let free = processors - sum(running);
  const started: ProcessorJob[] = [];
  for (const job of waiting) {
    const from = earliest(taken, processors, job.processors, job.estimate, now);
    taken.push({ from, until: from + job.estimate, processors: job.processors });
    if (from > now || job.processors > free) continue;
    free -= job.processors;
    started.push(job);
  }
  return started;
}

interface Taken {
  readonly from: number;
  readonly until: number;
  readonly processors: number;
}

/** The first time, now or an end of something, from which so many processors are free for so long. */
function earliest(
  taken: readonly Taken[],
  all: number,
  processors: number,
  seconds: number,
  now: number,
): number {
  const freeAt = (time: number): number =>
    all - sum(taken.filter(({ from, until }) => from <= time && time < until));
  const times = [now, ...taken.map(({ until }) => until)].filter((time) => time >= now).sort((a, b) => a - b);
  return times.find((time) => {
    const within = taken.map(({ from }) => from).filter((from) => from > time && from < time + seconds);
    return [time, ...within].every((each) => freeAt(each) >= processors);
  })!;
}

function sum(jobs: readonly { readonly processors: number }[]): number {
  return jobs.reduce((total, job) => total + job.processors, 0);
}

/**
 * EASY on a pool of machines, start times and machines: the first job is promised
 * the time at which the machines together are expected to have room for all its
 * tasks; a later job is tried on its machines, and may stay if it will have ended
 * by then or if the room is there without its machines' share.
 */
export function easyOnMachines(
  workload: Workload,
  farm: Machines,
  estimates: readonly number[],
  heuristic: string,
  shortestFirst: boolean,
): { startSeconds: number[]; machines: number[][] } {
  const machines = machinesOf(farm);
  const jobs = jobsOf(workload, farm).map((job) => ({ ...job, estimate: estimates[job.row], start: NaN }));
  const isEligible = (job: Job): boolean =>
    machines.reduce((held, machine) => held + timesWithin(machine.capacity, job), 0) >= job.tasks;
  replay(
    jobs,
    isEligible,
    (job) => release(machines, job),
    (waiting, running, now) => {
      const started: typeof jobs = [];
      const left = [...waiting];
      while (left.length > 0 && tasksNotPlaced(heuristic, machines, left[0]) === 0)
        started.push(left.shift()!);
      const head = left.shift();
      if (head === undefined) return started;
      const ends = [
        ...running.map((job) => ({ job, at: expectedEnd(job.start, job.estimate, now) })),
        ...started.map((job) => ({ job, at: expectedEnd(now, job.estimate, now) })),
      ];
      const hasRoomAt = (time: number): boolean => {
        const gone = ends.filter((end) => end.at <= time).map((end) => end.job);
        return (
          machines.reduce((room, machine, i) => room + roomWithout(machine, i, gone, head), 0) >= head.tasks
        );
      };
      const shadow = ends
        .map((end) => end.at)
        .sort((a, b) => a - b)
        .find(hasRoomAt)!;
      if (shortestFirst) left.sort((a, b) => a.estimate - b.estimate);
      for (const job of left) {
        if (tasksNotPlaced(heuristic, machines, job) > 0) continue;
        ends.push({ job, at: now + job.estimate });
        if (now + job.estimate <= shadow || hasRoomAt(shadow)) started.push(job);
        else {
          ends.pop();
          release(machines, job);
        }
      }
      return started;
    },
  );
  return {
    startSeconds: jobs.map((job) => job.start),
    machines: jobs.map((job) => (Number.isNaN(job.start) ? [] : [...new Set(job.ranOn)])),
  };
}

/** Tasks of a job that a machine has room for once others are gone from it. */
function roomWithout(machine: Machine, number: number, gone: readonly Job[], job: Job): number {
  const have = { ...machine.free };
  for (const each of gone) {
    for (const ranOn of each.ranOn) {
      if (ranOn !== number) continue;
      have.cores += each.cores;
      have.memory += each.memory;
      have.gpu += each.gpu;
    }
  }
  return timesWithin(have, job);
}
