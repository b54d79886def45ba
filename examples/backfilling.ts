/**
 * A backfilling policy of one's own, on the command line:
 *
 *   croft simulate examples/data/synthetic-farm.parquet --machines examples/data/thirty-machines.csv \
 *     --plugin examples/backfilling.ts --policy easy,easy-sjbf,easy-lxf --load 0.6 --out report
 *
 * It is EASY backfilling (Lifka 1995), but of the jobs that may pass, the one that has waited longest for its length is
 * tried first: by the expansion factor of Chiang and Vernon 2001, (wait + estimate) ÷ estimate. It is written plainly,
 * from what a policy may ask (docs/own-policies.md), and finds its promise anew in each cycle.
 */
import type { Heuristic, Jobs, PlacementGuard, Plan, Plugin, Policy, PolicyContext, PolicyKind } from "croft";

const NONE = -1;

/** Which of two jobs is tried first: below 0 for the first one. */
type Order = (jobs: Jobs, now: number) => (a: number, b: number) => number;

/** EASY backfilling that tries the jobs that may pass in an order. */
export function backfilling(name: string, summary: string, order: Order): PolicyKind {
  return {
    name,
    summary,
    takesHeuristic: true,
    needsEstimates: true,
    needsMemory: false,
    reactsToEvents: true,
    // It looks at the whole queue, and knows nothing of when licences will be free.
    heedsLimits: false,
    heedsLicences: false,
    create: (context, heuristic) => backfillingOf(context, heuristic, order),
  };
}

function backfillingOf(context: PolicyContext, heuristic: Heuristic, order: Order): Policy {
  const { allowed, jobs, machines, placements, placer, queue } = context;
  const chooser = context.chooser(heuristic);
  /** When each running job is expected to end. */
  const ends = new Map<number, number>();
  /** When each job was first promised to start. */
  const promises = new Map<number, number>();
  /** How many jobs started later than that. As long as no job runs for longer than estimated, none does. */
  let late = 0;
  /** What each machine will have free at the promised time beside what is free now. */
  let cores: Int32Array;
  let memory: Int32Array;
  let gpu: Int32Array;

  /** Counts what a job holds on a machine as free at the promised time. */
  function giveBack(job: number, machine: number, tasks: number): void {
    cores[machine] += jobs.coresOf(job) * tasks;
    memory[machine] += jobs.memoryOf(job) * tasks;
    gpu[machine] += jobs.gpuOf(job) * tasks;
  }

  /** A job has its machines from `placements` once it runs, and from the plan in the cycle that starts it. */
  function giveBackAll(job: number, plan: Plan): void {
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
      giveBack(job, placements.machineOf(entry), placements.tasksOf(entry));
    for (let entry = 0; entry < plan.length; entry++)
      if (plan.job[entry] === job) giveBack(job, plan.machine[entry], plan.tasks[entry]);
  }

  /** Whether all tasks of a job fit at the promised time. */
  function willFit(job: number): boolean {
    let room = 0;
    for (let machine = 0; machine < machines.count; machine++) {
      if (!allowed.allows(job, machine)) continue;
      const byCores = (machines.freeCores[machine] + cores[machine]) / jobs.coresOf(job);
      const byMemory = (machines.freeMemory[machine] + memory[machine]) / jobs.memoryOf(job);
      const byGpu = (machines.freeGpu[machine] + gpu[machine]) / jobs.gpuOf(job);
      // What a job asks nothing of limits nothing.
      const limits = [
        byCores,
        jobs.memoryOf(job) > 0 ? byMemory : Infinity,
        jobs.gpuOf(job) > 0 ? byGpu : Infinity,
      ];
      room += Math.max(0, Math.floor(Math.min(...limits)));
    }
    return room >= jobs.tasksOf(job);
  }

  /** Lets a job that runs beyond the promised time have only what leaves room for the head then. */
  function keepsPromiseTo(head: number): PlacementGuard {
    return {
      mayPut(machine, job, tasks) {
        for (let n = tasks; n > 0; n--) {
          giveBack(job, machine, -n);
          const isKept = willFit(head);
          giveBack(job, machine, n);
          if (isKept) return n;
        }
        return 0;
      },
      put() {},
    };
  }

  /** The earliest time at which a job will fit, as running jobs end; Infinity if that is not known. */
  function promise(head: number, now: number, plan: Plan): number {
    cores = new Int32Array(machines.count);
    memory = new Int32Array(machines.count);
    gpu = new Int32Array(machines.count);
    // A job that runs beyond its estimate is expected to end in a second.
    const expected = [...ends].map(([job, end]) => ({ job, end: Math.max(end, now + 1) }));
    expected.sort((a, b) => a.end - b.end);
    for (const [i, { job, end }] of expected.entries()) {
      if (end === Infinity) break;
      giveBackAll(job, plan);
      const isLastOfThisTime = expected[i + 1]?.end !== end;
      if (isLastOfThisTime && willFit(head)) return end;
    }
    return Infinity;
  }

  function starts(job: number, now: number): void {
    queue.placed(job);
    if (now > (promises.get(job) ?? Infinity)) late++;
    ends.set(job, now + jobs.estimateSeconds[job]);
  }

  return {
    cycle(now, plan) {
      queue.begin();
      let head = queue.next();
      for (; head !== NONE && placer.place(head, chooser, plan); head = queue.next()) starts(head, now);
      if (head === NONE) return;

      const promised = promise(head, now, plan);
      if (promised < Infinity && !promises.has(head)) promises.set(head, promised);
      const candidates: number[] = [];
      for (let job = queue.next(); job !== NONE; job = queue.next()) candidates.push(job);
      candidates.sort(order(jobs, now));
      for (const job of candidates) {
        const end = now + jobs.estimateSeconds[job];
        const isOverByThen = end <= promised && end < Infinity;
        if (!placer.place(job, chooser, plan, isOverByThen ? undefined : keepsPromiseTo(head))) continue;
        if (isOverByThen) giveBackAll(job, plan);
        starts(job, now);
      }
    },
    waits: (job) => void promises.delete(job),
    finished: (job) => void ends.delete(job),
    // It runs again after a suspension, or is expected to run for longer: its estimate counts from now.
    joined: (job, now) => void ends.set(job, now + jobs.estimateSeconds[job]),
    // The column `promised` of the schedule file, and what the run tells of broken promises.
    promised: {
      firstSeconds: (job) => promises.get(job) ?? NaN,
      broken: () => new Map(late > 0 ? [["overrun", late]] : []),
    },
  };
}

function expansion(jobs: Jobs, job: number, now: number): number {
  const estimate = Math.max(1, jobs.estimateSeconds[job]);
  return (now - jobs.submittedAt[job] + estimate) / estimate;
}

const easyLxf = backfilling(
  "easy-lxf",
  "EASY backfilling that tries first the jobs that have waited longest for their length",
  (jobs, now) => (a, b) => expansion(jobs, b, now) - expansion(jobs, a, now),
);

export default { policies: [easyLxf] } satisfies Plugin;
