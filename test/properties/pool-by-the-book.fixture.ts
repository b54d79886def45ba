import type { Share, UsageSettings } from "../../src/core/index.ts";
import type { Machines, Workload } from "../../src/workload/index.ts";
import {
  jobsOf,
  machinesOf,
  release,
  take,
  timesWithin,
  unplace,
  type Job,
  type Machine,
} from "./book-machines.fixture.ts";

/** How the pool is run; the names are those of `SimulationSettings`. */
export interface BookSettings {
  /** A heuristic, or `max-jobs` over `maxJobsList`. */
  readonly policy: string;
  readonly maxJobsList: readonly string[];
  /** 0: a cycle after every instant at which something happened. */
  readonly intervalSeconds: number;
  readonly fairShare: readonly Share[] | null;
  /** Fair share by what was used; absent or null: by the cores in use. */
  readonly usage?: UsageSettings | null;
  readonly examined: number;
  readonly reserving: number;
  readonly leastFree: { readonly cores: number; readonly memory: number };
  /** Queues whose jobs are kept together. */
  readonly packed?: BookPacking | null;
  /**
   * The queue's order, or the smallest first after the first job where that starts more; only the first job reserves.
   */
  readonly isEitherOrder?: boolean;
  /** How many there are of each; absent: no job asks for any. */
  readonly licences?: Readonly<Record<string, number>>;
}

export interface BookPacking {
  readonly policy: "relaxed" | "exclusive" | "none";
  readonly queues: readonly string[];
  readonly ttlSeconds: number;
}

/** When and where each row's job started; NaN and no machines where it was rejected. */
export interface BookSchedule {
  readonly startSeconds: number[];
  /** Distinct, in order of placement. */
  readonly machines: number[][];
}

/**
 * The pool of Shai 2014 as the text has it, in as few ideas as it takes: every
 * search looks at every machine, every reservation is made on the spot, fair
 * share is summed up anew for every job.
 */
export function simulateByTheBook(workload: Workload, farm: Machines, settings: BookSettings): BookSchedule {
  const machines = machinesOf(farm);
  const unsubmitted = jobsOf(workload, farm, settings.packed?.queues);
  const waiting: Job[] = [];
  let running: Job[] = [];
  const ended: Job[] = [];
  const startSeconds = Array<number>(workload.count).fill(NaN);
  const ranOn = Array.from({ length: workload.count }, (): number[] => []);

  const { intervalSeconds } = settings;
  for (let now = -Infinity, guard = 0; unsubmitted.length + waiting.length > 0; guard++) {
    if (guard > 100_000) throw new Error("the pool stands still");
    const nextSubmit = unsubmitted[0]?.submit ?? Infinity;
    // A reserved machine that becomes free by itself is something that happens, if anybody waits.
    const expiries = waiting.length === 0 ? [] : expiriesOf(machines, settings).filter((time) => time > now);
    if (intervalSeconds === 0) now = Math.min(nextSubmit, ...running.map((job) => job.end), ...expiries);
    else if (waiting.length > 0) now += intervalSeconds;
    else now = Math.max(now + intervalSeconds, Math.ceil(nextSubmit / intervalSeconds) * intervalSeconds);

    // With no interval a cycle follows what came or ended; one that is turned away has not come.
    let isDue = intervalSeconds !== 0 || running.some((job) => job.end <= now) || expiries.includes(now);
    for (const job of running.filter((job) => job.end <= now)) release(machines, job);
    ended.push(...running.filter((job) => job.end <= now));
    running = running.filter((job) => job.end > now);
    while (unsubmitted.length > 0 && unsubmitted[0].submit <= now) {
      const job = unsubmitted.shift()!;
      const held = machines.reduce((sum, machine) => sum + timesWithin(machine.capacity, job), 0);
      if (held < job.tasks || lacksLicences(job, [], settings)) continue;
      waiting.push(job);
      isDue = true;
    }
    if (!isDue) continue;

    for (const job of scheduled(machines, waiting, { running, ended, now }, settings)) {
      startSeconds[job.row] = now;
      ranOn[job.row] = [...new Set(job.ranOn)];
      job.end = now + job.runtime;
      waiting.splice(waiting.indexOf(job), 1);
      running.push(job);
    }
  }
  return { startSeconds, machines: ranOn };
}

/** What has happened until a cycle. */
interface Past {
  readonly running: readonly Job[];
  readonly ended: readonly Job[];
  readonly now: number;
}

/** One cycle: the jobs that start, which hold their machines on return. */
function scheduled(
  machines: readonly Machine[],
  waiting: readonly Job[],
  past: Past,
  settings: BookSettings,
): Job[] {
  for (const job of waiting) job.start = past.now;
  let best: { matched: Job[]; ranOn: number[][] } | undefined;
  for (const trial of trialsOf(machines, waiting, settings)) {
    const matched = matchedBy(trial.policy, machines, trial.queue, past, trial);
    if (best === undefined || matched.length > best.matched.length) {
      best = { matched, ranOn: matched.map((job) => job.ranOn) };
    }
    for (const job of matched) unplace(machines, job);
  }
  best!.matched.forEach((job, i) => {
    job.ranOn = best!.ranOn[i];
    for (const machine of job.ranOn) take(machines[machine], job);
  });
  return best!.matched;
}

/** What a policy tries, the first that starts the most jobs being kept. */
function trialsOf(
  machines: readonly Machine[],
  waiting: readonly Job[],
  settings: BookSettings,
): (BookSettings & { readonly queue: readonly Job[] })[] {
  if (settings.isEitherOrder === true) {
    const own = { ...settings, reserving: Math.min(1, settings.reserving) };
    const bySize = smallestFirst(machines, waiting.slice(0, settings.examined));
    return [waiting, bySize].map((queue) => ({ ...own, queue }));
  }
  const list = settings.policy === "max-jobs" ? settings.maxJobsList : [settings.policy];
  return list.map((policy) => ({ ...settings, policy, queue: waiting }));
}

/** The first job, and then the others by the sum of what they ask of each resource's free amount. */
function smallestFirst(machines: readonly Machine[], [first, ...others]: readonly Job[]): Job[] {
  if (first === undefined) return [];
  const free = (resource: keyof Machine["free"]): number =>
    machines.reduce((sum, machine) => sum + machine.free[resource], 0);
  const totals = { cores: free("cores"), memory: free("memory"), gpu: free("gpu") };
  const part = (asked: number, total: number): number => (asked === 0 ? 0 : asked / total);
  const size = ({ cores, memory, gpu, tasks }: Job): number =>
    tasks * (part(cores, totals.cores) + part(memory, totals.memory) + part(gpu, totals.gpu));
  const sizes = new Map(others.map((job) => [job, size(job)]));
  const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);
  return [first, ...others.sort((a, b) => compare(sizes.get(a)!, sizes.get(b)!))];
}

/** A pass over the queue with one heuristic, and reservations of its own. */
function matchedBy(
  heuristic: string,
  machines: readonly Machine[],
  waiting: readonly Job[],
  past: Past,
  settings: BookSettings,
): Job[] {
  const { examined, reserving, leastFree, fairShare } = settings;
  const { running } = past;
  const matched: Job[] = [];
  const left = [...waiting];
  let passedOver = 0;
  for (let count = 1; count <= examined && left.length > 0; count++) {
    if (machines.every((machine) => machine.isReserved)) break;
    const use = (isCounted: (job: Job) => boolean): number =>
      settings.usage == null
        ? coresInUse([...running, ...matched].filter(isCounted))
        : used(machines, past, settings.usage, isCounted);
    const job = fairShare === null ? left[0] : mostEligible(left, use, fairShare);
    left.splice(left.indexOf(job), 1);

    if (lacksLicences(job, [...running, ...matched], settings)) {
      passedOver++;
      continue;
    }
    const unplaced = tasksNotPlaced(heuristic, machines, job, settings.packed);
    if (unplaced === 0) {
      matched.push(job);
      continue;
    }
    if (count - passedOver > reserving) continue;
    for (let i = 0; i < unplaced; i++) {
      let highest: Machine | undefined;
      for (const machine of machines) {
        if (machine.isReserved || timesWithin(machine.capacity, job) === 0) continue;
        if (!mayUse(machine, job, settings.packed)) continue;
        if (machine.free.cores < leastFree.cores || machine.free.memory < leastFree.memory) continue;
        if (highest === undefined || machine.free.memory > highest.free.memory) highest = machine;
      }
      if (highest !== undefined) highest.isReserved = true;
    }
  }
  for (const machine of machines) machine.isReserved = false;
  return matched;
}

/** Whether the others leave too few of a licence for a job. */
function lacksLicences(job: Job, others: readonly Job[], { licences = {} }: BookSettings): boolean {
  return Array.from(job.licences).some(([name, asked]) => {
    const inUse = others.reduce((sum, other) => sum + (other.licences.get(name) ?? 0), 0);
    return inUse + asked > (licences[name] ?? 0);
  });
}

/** Places all of a job's tasks, or none: how many of them found no machine. */
export function tasksNotPlaced(
  heuristic: string,
  machines: readonly Machine[],
  job: Job,
  packing: BookPacking | null = null,
): number {
  job.ranOn = [];
  while (job.ranOn.length < job.tasks) {
    const machine = chosen(job.heuristic === "" ? heuristic : job.heuristic, machines, job, packing);
    if (machine === undefined) {
      unplace(machines, job);
      return job.tasks - job.ranOn.length;
    }
    take(machines[machine], job);
    job.ranOn.push(machine);
  }
  return 0;
}

/** The first of the machines on which a task fits, in the heuristic's order of candidates. */
function chosen(
  heuristic: string,
  machines: readonly Machine[],
  job: Job,
  packing: BookPacking | null,
): number | undefined {
  const candidates = [...machines.keys()].filter(
    (machine) =>
      !machines[machine].isReserved &&
      timesWithin(machines[machine].free, job) > 0 &&
      mayUse(machines[machine], job, packing),
  );
  const key = orders[heuristic];
  // The sort is stable: equal candidates stay in pool order.
  candidates.sort((a, b) => key(machines[a], job) - key(machines[b], job));
  return candidates.find((machine) => isPreferred(machines[machine], job, packing)) ?? candidates[0];
}

/** A machine that the job's family likes: with its own jobs; spreading, without (Dal Pra 2014, section 2). */
function isPreferred({ packed }: Machine, job: Job, packing: BookPacking | null): boolean {
  if (packing === null || job.family === "") return true;
  const hasOwn = [...packed].some((other) => other.family === job.family);
  return packing.policy === "none" ? !hasOwn : hasOwn;
}

/** Only `exclusive` forbids: machines reserved to a family are for its jobs. */
function mayUse(machine: Machine, job: Job, packing: BookPacking | null | undefined): boolean {
  if (packing?.policy !== "exclusive") return true;
  const last = machine.reached.at(-1);
  if (last === undefined || ![...machine.packed].some((other) => other.family === last.family)) return true;
  const isFree = job.start >= last.start + packing.ttlSeconds;
  return isFree || last.family === job.family;
}

/** When machines declare themselves free again. */
function expiriesOf(machines: readonly Machine[], { packed: packing }: BookSettings): number[] {
  if (packing?.policy !== "exclusive") return [];
  return machines.flatMap(({ reached, packed }) => {
    const last = reached.at(-1);
    const isReserved = last !== undefined && [...packed].some((other) => other.family === last.family);
    return isReserved ? [last.start + packing.ttlSeconds] : [];
  });
}

const orders: Readonly<Record<string, (machine: Machine, job: Job) => number>> = {
  "first-fit": () => 0,
  "best-fit-cores": ({ free }) => free.cores,
  "best-fit-memory": ({ free }) => free.memory,
  "worse-fit-cores": ({ free }) => -free.cores,
  "worse-fit-memory": ({ free }) => -free.memory,
  "mix-fit": ({ free, capacity }, job) =>
    tangent(free.cores - job.cores, capacity.cores, free.memory - job.memory, capacity.memory),
  "mix-fit-origin": ({ free, capacity }, job) =>
    tangent(
      capacity.cores - free.cores + job.cores,
      capacity.cores,
      capacity.memory - free.memory + job.memory,
      capacity.memory,
    ),
  "dot-product": ({ free, capacity }, job) => {
    const product = (asked: number, free: number, capacity: number): number =>
      asked === 0 ? 0 : (asked / capacity) * (free / capacity);
    return -(
      product(job.cores, free.cores, capacity.cores) +
      product(job.memory, free.memory, capacity.memory) +
      product(job.gpu, free.gpu, capacity.gpu)
    );
  },
};

export const bookHeuristics = Object.keys(orders);

function tangent(a: number, c: number, b: number, m: number): number {
  return a * m + b * c === 0 ? 0 : Math.abs(a * m - b * c) / (a * m + b * c);
}

function coresInUse(jobs: readonly Job[]): number {
  return jobs.reduce((sum, job) => sum + job.cores * job.tasks, 0);
}

/** The integral over all that ran of what it held × 2^-(age ÷ half-life). */
function used(
  machines: readonly Machine[],
  { running, ended, now }: Past,
  { halfLifeSeconds, of }: UsageSettings,
  isCounted: (job: Job) => boolean,
): number {
  const total = (resource: "cores" | "memory" | "gpu"): number =>
    machines.reduce((sum, { capacity }) => sum + capacity[resource], 0);
  const worth = (amount: number, resource: "memory" | "gpu"): number =>
    amount === 0 || total(resource) === 0 ? 0 : Math.round(amount * (total("cores") / total(resource)));
  const held = ({ cores, memory, gpu }: Job): number =>
    ({ cores, memory, dominant: Math.max(cores, worth(memory, "memory"), worth(gpu, "gpu")) })[of];
  const halfLives = (seconds: number): number => (seconds * Math.LN2) / halfLifeSeconds;
  return [...ended, ...running].filter(isCounted).reduce((sum, job) => {
    const end = Math.min(job.end, now);
    // `expm1` since a short job's part of a long half-life is lost in the difference of two powers.
    const seconds = Math.exp(halfLives(end - now)) * -Math.expm1(halfLives(job.start - end));
    return sum + (held(job) * job.tasks * seconds * halfLifeSeconds) / Math.LN2;
  }, 0);
}

/** Sums of rounded numbers: what differs by less is equal, and what differs by more is not. */
const EQUAL = 1e-11;
const DIFFERENT = 1e-8;

/**
 * Two projects are about as eligible: the simulator calls equal what differs by less than a part in a billion, and the
 * book cannot tell which side of that they are on. A project that has run for 30 half-lives differs by 2^-30 from one
 * that has run for 60.
 */
export class CloseCall extends Error {}

/** The first job of the most eligible project, level by level down the paths. */
function mostEligible(
  left: readonly Job[],
  use: (isCounted: (job: Job) => boolean) => number,
  shares: readonly Share[],
): Job {
  const shareOf = (path: readonly string[]): number =>
    shares.find((share) => share.path === `/${path.join("/")}`)?.share ?? 1;
  const isUnder = (job: Job, path: readonly string[]): boolean =>
    path.every((part, level) => job.project[level] === part);
  let path: string[] = [];
  for (;;) {
    const below = left.filter((job) => isUnder(job, path));
    // In order of their first jobs, so that the first of equals is found first.
    let best: { jobs: Job[]; path: string[]; ratio: number } | undefined;
    for (const part of new Set(below.map((job) => job.project[path.length] ?? null))) {
      // Jobs of a project that has others below it are a child of their own, with share 1.
      const isOwn = part === null;
      const childPath = isOwn ? path : [...path, part];
      const isIn = (job: Job): boolean =>
        isUnder(job, childPath) && (!isOwn || job.project.length === path.length);
      const ratio = use(isIn) / (isOwn ? 1 : shareOf(childPath));
      const difference = best === undefined ? 0 : Math.abs(ratio - best.ratio) / Math.max(ratio, best.ratio);
      if (difference > EQUAL && difference < DIFFERENT) throw new CloseCall();
      if (best === undefined || ratio < best.ratio * (1 - DIFFERENT))
        best = { jobs: below.filter(isIn), path: childPath, ratio };
    }
    if (best!.path.length === path.length) return best!.jobs[0];
    path = best!.path;
  }
}
