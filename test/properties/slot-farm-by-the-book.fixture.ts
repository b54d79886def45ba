/** One job of the paper's log: how long it ran, and its family; 0 is ordinary. */
export interface SlotJob {
  readonly runtime: number;
  readonly family: number;
}

export interface SlotFarmSettings {
  readonly nodes: number;
  readonly slots: number;
  readonly families: number;
  readonly policy: "relaxed" | "exclusive" | "none";
  readonly ttlSeconds: number;
  /** Jobs in the queues at a time. */
  readonly queued: number;
}

export interface SlotFarmRun {
  readonly start: number[];
  readonly node: number[];
}

/**
 * The farm of Dal Pra 2014, sections 3.1 and 3.2, with nothing but its tables: one
 * job a step, every table looked through from end to end. Where the paper slips
 * (f > Ts in step 1, min(F) over free slots) it has what is meant.
 *
 * @param see is shown F (slot by node), L (family by node, row 0 all) and to whom each node is reserved, at every step
 */
export function runSlotFarm(
  jobs: readonly SlotJob[],
  { nodes, slots, families, policy, ttlSeconds, queued }: SlotFarmSettings,
  see: (F: readonly number[][], L: readonly number[][], reservedTo: readonly number[]) => void = () =>
    undefined,
): SlotFarmRun {
  const F = Array.from({ length: slots }, () => Array<number>(nodes).fill(0));
  const owner = Array.from({ length: slots }, () => Array<number>(nodes).fill(-1));
  const reached = Array.from({ length: nodes }, () => ({ family: 0, time: -Infinity }));
  const V: number[][] = Array.from({ length: families + 1 }, () => []);
  const start = jobs.map(() => NaN);
  const node = jobs.map(() => NaN);
  let next = 0;
  let clock = 0;

  const allNodes = [...Array(nodes).keys()];
  const jobsOn = (n: number): number[] => F.flatMap((row, s) => (row[n] > 0 ? [owner[s][n]] : []));
  const load = (family: number, n: number): number =>
    jobsOn(n).filter((job) => family === 0 || jobs[job].family === family).length;
  const reservedTo = (n: number): number => {
    const { family, time } = reached[n];
    const isLocked = policy === "exclusive" && family > 0 && load(family, n) > 0 && clock < time + ttlSeconds;
    return isLocked ? family : 0;
  };
  const place = (family: number): number | undefined => {
    const isPreferred = (n: number): boolean =>
      family === 0 || (policy === "none" ? load(family, n) === 0 : load(family, n) > 0);
    return allNodes
      .filter((n) => load(0, n) < slots && [0, family].includes(reservedTo(n)))
      .sort((a, b) => Number(isPreferred(b)) - Number(isPreferred(a)) || load(0, a) - load(0, b) || a - b)[0];
  };

  for (;;) {
    // 1. What has ended is free.
    for (const row of F) for (const n of allNodes) if (row[n] <= clock) row[n] = 0;
    const L = V.map((_, family) => allNodes.map((n) => load(family, n)));
    see(F, L, allNodes.map(reservedTo));
    // 2. The queue whose first job comes first in the log.
    while (V.flat().length < queued && next < jobs.length) V[jobs[next].family].push(next++);
    if (V.flat().length === 0) return { start, node };
    const heads = V.filter((queue) => queue.length > 0).sort((a, b) => a[0] - b[0]);
    // 3. Its place; if the policy has none, that of another queue's.
    const queue = heads.find((queue) => place(jobs[queue[0]].family) !== undefined);
    if (queue === undefined) {
      const ends = F.flat().filter((end) => end > 0);
      const expiries = allNodes.filter((n) => reservedTo(n) > 0).map((n) => reached[n].time + ttlSeconds);
      clock = Math.min(Math.min(...ends) + 1, ...expiries);
      continue;
    }
    // 4. It is dispatched. (A run time of 0 ends in the same second, and frees the slot a step later.)
    const job = queue.shift()!;
    const { family, runtime } = jobs[job];
    const n = place(family)!;
    const s = F.findIndex((row) => row[n] === 0);
    F[s][n] = clock + runtime;
    owner[s][n] = job;
    if (family > 0) reached[n] = { family, time: clock };
    start[job] = clock;
    node[job] = n;
  }
}
