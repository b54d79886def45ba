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

interface Load {
  jobs: number;
  coreSeconds: number;
}

/**
 * All waiting jobs: each pool's queue in order, then jobs at virtual pools and on their way to a pool, then jobs that are
 * held and released by themselves.
 *
 * @param secondsOf how long a job is expected to run
 * @param held numbers of those
 */
export function inQueues(
  { port, now }: { readonly port: Port; readonly now: number },
  secondsOf: (job: number) => number,
  held: Iterable<number> = [],
): InQueue[] {
  const { jobs, pools } = port.view;
  const waiting: InQueue[] = [];
  const seen = new Set<number>();
  /** @param among of the jobs before it these are ahead */
  const add = (handle: number, among: readonly Load[], own: Load | undefined = among[0]): void => {
    const job = port.numberOf(handle);
    // A second attempt is one at a job that is told of.
    if (job < 0 || seen.has(handle)) return;
    seen.add(handle);
    const coreSeconds = (jobs.coresOf(handle) / 1000) * jobs.tasksOf(handle) * secondsOf(job);
    let [jobsAhead, coreSecondsAhead] = [0, 0];
    for (const load of among) {
      jobsAhead += load.jobs;
      coreSecondsAhead += load.coreSeconds;
    }
    waiting.push({ job, handle, coreSeconds, jobsAhead, coreSecondsAhead });
    if (own === undefined) return;
    own.jobs++;
    own.coreSeconds += coreSeconds;
  };
  for (const pool of pools) {
    const before = [{ jobs: 0, coreSeconds: 0 }];
    for (const handle of pool.queue(now)) add(handle, before);
  }
  const inState = (...states: number[]): number[] =>
    Array.from(jobs).filter((handle) => states.includes(jobs.stateOf(handle)));
  // At virtual pools, as they are offered to pools: behind those that may be sent to a pool of theirs as well.
  const loads = new Map<string, Load & { readonly pools: readonly number[] }>();
  for (const handle of inState(UNASSIGNED).sort(
    (a, b) => jobs.priorityOf(b) - jobs.priorityOf(a) || jobs.arrivalOf(a) - jobs.arrivalOf(b),
  )) {
    const among = port.view.poolsFor(handle);
    const key = among.join(" ");
    const own = loads.get(key) ?? { pools: among, jobs: 0, coreSeconds: 0 };
    loads.set(key, own);
    add(
      handle,
      [...loads.values()].filter((load) => load.pools.some((pool) => among.includes(pool))),
      own,
    );
  }
  // On their way: by the order of their submission.
  const before = [{ jobs: 0, coreSeconds: 0 }];
  const others = inState(WAITING, IN_TRANSFER).sort((a, b) => jobs.arrivalOf(a) - jobs.arrivalOf(b));
  for (const handle of others) add(handle, before);
  // Nobody knows what will be ahead of them then.
  for (const job of held) add(port.handleOf(job), []);
  return waiting;
}
