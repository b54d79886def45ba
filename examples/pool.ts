/**
 * The machines and the queue of one pool, driven by hand: what a simulator of your own needs of Croft.
 *
 * You report what happened and call `cycle` when it is time; the pool knows no clock. For a farm with priorities,
 * suspension and faults see live-engine.ts.
 */
import { findHeuristic, Jobs, matching, Pool, type JobRequest } from "croft/core";

/** Two machines with 4 cores and 8 GiB each. */
const heuristic = findHeuristic("best-fit-cores")!;
const pool = new Pool({
  capacities: {
    coresMilli: Int32Array.of(4000, 4000),
    memoryMiB: Int32Array.of(8192, 8192),
    gpuMilli: null,
  },
  jobs: new Jobs(),
  policy: matching(heuristic),
  heuristic,
});

/** A job joins the queue. Returns its handle, which is valid until the job is removed. */
function submit(cores: number, now: number): number | null {
  const request: JobRequest = {
    cores: cores * 1000,
    memory: 1024,
    gpu: 0,
    tasks: 1,
    project: 0,
    heuristic: -1, // the pool's
    estimateSeconds: 600,
  };
  const ineligible = pool.eligibility.reason(request);
  if (ineligible !== null) {
    console.log(`${now} s: no machine can hold ${cores} cores: ${ineligible.kind}`);
    return null;
  }
  const job = pool.jobs.add(request, now);
  pool.wait(job);
  return job;
}

/** Runs a cycle, and tells where jobs start. */
function cycle(now: number): void {
  pool.cycle(now);
  for (let i = 0; i < pool.startedCount; i++) {
    const job = pool.started[i];
    const machine = pool.placements.machineOf(pool.jobs.placement[job]);
    console.log(`${now} s: job ${job} starts on machine ${machine}; ${pool.waiting} wait`);
  }
}

/** A running job has ended. */
function end(job: number, now: number): void {
  pool.release(job, now);
  pool.jobs.remove(job);
}

const [first] = [submit(3, 0), submit(4, 0), submit(2, 0), submit(9, 0)];
cycle(0);
end(first!, 600);
cycle(600);
