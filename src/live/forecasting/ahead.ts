import { IN_TRANSFER, UNASSIGNED, WAITING, type Port } from "../../core/index.ts";

/** A job that waits, with what comes before it in its queue. */
export interface InQueue {
  readonly job: number;
  readonly handle: number;
  /** What it is expected to take. */
  readonly coreSeconds: number;
  readonly jobsAhead: number;
  readonly coreSecondsAhead: number;
}

/**
 * All jobs that wait to be started, pool by pool in the order of their queues; then those that wait for their time.
 *
 * @param timed numbers of those
 * @param secondsOf how long a job is expected to run
 */
export function inQueues(
  port: Port,
  secondsOf: (job: number) => number,
  timed: Iterable<number> = [],
): InQueue[] {
  const { jobs, pools } = port.view;
  const waiting: InQueue[] = [];
  const seen = new Set<number>();
  const add = (handles: Iterable<number>): void => {
    let [jobsAhead, coreSecondsAhead] = [0, 0];
    for (const handle of handles) {
      const job = port.numberOf(handle);
      // A second attempt is one at a job that is told of.
      if (job < 0 || seen.has(handle)) continue;
      seen.add(handle);
      const coreSeconds = (jobs.coresOf(handle) / 1000) * jobs.tasksOf(handle) * secondsOf(job);
      waiting.push({ job, handle, coreSeconds, jobsAhead, coreSecondsAhead });
      jobsAhead++;
      coreSecondsAhead += coreSeconds;
    }
  };
  for (const pool of pools) add(pool.queue());
  // On their way, or at their virtual pool: by the order of their submission.
  const others = Array.from(jobs).filter((handle) =>
    [WAITING, IN_TRANSFER, UNASSIGNED].includes(jobs.stateOf(handle)),
  );
  add(others.sort((a, b) => jobs.arrivalOf(a) - jobs.arrivalOf(b)));
  // Nobody knows what will be ahead of them then.
  for (const job of timed) add([port.handleOf(job)]);
  return waiting;
}
