import { WHOLE_NODE, type OnlineScheduler } from "../fractional/index.ts";
import type { NodeNeeds } from "./synthetic-needs.ts";
import type { Samples } from "../../simulation/figures/samples.ts";

/** What a loop is told, and what it fills in; rows are the workload's, times whole seconds. */
interface OnlineRun {
  readonly scheduler: OnlineScheduler;
  readonly submitSeconds: Float64Array;
  readonly runtimeSeconds: Float64Array;
  readonly needs: NodeNeeds;
  /** Rows that no cluster of this size can hold. */
  readonly isRejected: (row: number) => boolean;
  /** `Infinity` where nothing happens periodically. */
  readonly periodSeconds: number;
  /** When each row first ran, and when it ended. */
  readonly startSeconds: Float64Array;
  readonly endSeconds: Float64Array;
  readonly progress: Int32Array | null;
  /** Gets use of CPU and memory, and the jobs that wait or are paused. */
  readonly samples: Samples;
}

/** What was moved, in percents of a node's memory, and how often; what was decided. */
interface OnlineCosts {
  pauses: number;
  migrations: number;
  memoryPaused: number;
  memoryMigrated: number;
  decisions: number;
  /** Decisions that started a job for the first time. */
  startingDecisions: number;
  /** Jobs that had not started yet when a decision was made, at most. */
  waitingMax: number;
}

/**
 * A decision after every instant at which something was submitted or finished,
 * and at every multiple of the period, on the log's clock, while jobs are there.
 */
export function runOnline(run: OnlineRun): OnlineCosts {
  const {
    scheduler,
    submitSeconds,
    runtimeSeconds,
    needs,
    periodSeconds,
    startSeconds,
    endSeconds,
    samples,
  } = run;
  const { jobs } = scheduler.state;
  const costs: OnlineCosts = {
    pauses: 0,
    migrations: 0,
    memoryPaused: 0,
    memoryMigrated: 0,
    decisions: 0,
    startingDecisions: 0,
    waitingMax: 0,
  };
  const count = submitSeconds.length;
  const rowOf: number[] = [];
  /** By handle; Infinity where the job does not run. */
  const ends: number[] = [];
  let row = 0;
  let waiting = 0;
  let nextPeriod = periodSeconds === Infinity ? Infinity : 0;
  for (;;) {
    while (row < count && run.isRejected(row)) row++;
    let firstEnd = Infinity;
    for (let i = 0; i < jobs.activeCount; i++) firstEnd = Math.min(firstEnd, ends[jobs.active[i]]);
    let now = Math.min(firstEnd, row < count ? submitSeconds[row] : Infinity);
    if (now === Infinity && jobs.activeCount === 0) return costs;
    if (jobs.activeCount === 0 && nextPeriod < now)
      nextPeriod = Math.ceil(now / periodSeconds) * periodSeconds;
    now = Math.min(now, nextPeriod);
    if (now >= samples.nextTime) samples.take(now, sampleOf(scheduler));

    const ending = firstEnd <= now ? jobs.activeCount : 0;
    for (let i = ending - 1; i >= 0; i--) {
      const job = jobs.active[i];
      if (ends[job] > now) continue;
      endSeconds[rowOf[job]] = now;
      scheduler.finish(job);
    }
    for (; row < count && submitSeconds[row] === now; row++) {
      if (run.progress !== null) run.progress[0] = row;
      if (run.isRejected(row)) continue;
      const request = { tasks: needs.tasks[row], cpuNeed: needs.cpu[row], memory: needs.memory[row] };
      const job = scheduler.submit(request, now);
      rowOf[job] = row;
      ends[job] = Infinity;
      waiting++;
    }
    if (waiting > costs.waitingMax) costs.waitingMax = waiting;
    const isPeriod = now === nextPeriod;
    if (isPeriod) nextPeriod += periodSeconds;
    scheduler.decide(now, isPeriod, nextPeriod - now);
    costs.decisions++;

    const waited = waiting;
    for (let i = 0; i < scheduler.decisions.length; i++) {
      const { kind, job, tasks } = scheduler.decisions[i];
      const row = rowOf[job];
      if (kind === "start") {
        startSeconds[row] = now;
        waiting--;
      } else if (kind === "pause" || kind === "resume") {
        if (kind === "pause") costs.pauses++;
        costs.memoryPaused += needs.memory[row] * tasks;
      } else if (kind === "move") {
        costs.migrations++;
        costs.memoryMigrated += needs.memory[row] * tasks;
      }
      ends[job] = jobs.reachesAt(job, Math.round(1000 * runtimeSeconds[row]));
    }
    if (waiting < waited) costs.startingDecisions++;
  }
}

/** A sample: the parts of CPU and memory in use, and how many jobs wait or are paused. */
function sampleOf({ state }: OnlineScheduler): number[] {
  const { jobs, nodes } = state;
  let cpu = 0;
  let memory = 0;
  let waiting = 0;
  for (let i = 0; i < jobs.activeCount; i++) {
    const job = jobs.active[i];
    if (jobs.share[job] === 0) {
      waiting++;
      continue;
    }
    cpu += jobs.share[job] * jobs.tasks[job];
    memory += jobs.memory[job] * jobs.tasks[job];
  }
  return [cpu / nodes.totalCapacity, memory / (WHOLE_NODE * nodes.count), waiting];
}
