import { NONE, type PlainRequest, type Port } from "../../core/index.ts";
import { StandingFarm } from "./standing-farm.ts";

/** What is different about a job for which it starts. Amounts are the engine's; absent ones stay as they are. */
export interface HelpingChange {
  readonly cores?: number;
  readonly memory?: number;
  readonly gpu?: number;
  readonly estimateSeconds?: number;
  readonly priority?: number;
  /** The number of the pool that it is sent to. */
  readonly pool?: number;
  /** It is submitted again, and asks nothing of machines' attributes. */
  readonly withoutRequirement?: true;
}

export interface Help {
  readonly change: HelpingChange;
  /** The machines that have room for a task of it then. */
  readonly machines: number;
}

export interface HelpParts {
  /** A new copy of the farm as it is. */
  readonly copy: () => Port;
  readonly job: number;
  /** The farm's time. */
  readonly at: number;
  /** The pools where it could be sent, and how the engine's events name each alone. */
  readonly places: readonly {
    readonly pool: number;
    readonly virtualPool: number;
    readonly candidates: number;
  }[];
  /** All are below it. */
  readonly priorities: number;
  /** How many copies of the farm may be made. */
  readonly mostTrials: number;
  /** Whether the time for it is used up. */
  readonly isLate: () => boolean;
}

/** What was tried, and what of it lets the job start. */
export interface Helps {
  /** Whether it starts in the next cycle as it is. */
  readonly startsAsItIs: boolean;
  readonly helps: readonly Help[];
  readonly trials: number;
  /** Whether there was more to try. */
  readonly isCutShort: boolean;
}

/** Limits of the run time that people ask for, in seconds: one that helps is the longest of these that does. */
const LIMITS = [600, 1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600, 12 * 3600, 86_400, 3 * 86_400, 7 * 86_400];
const MOST_POOLS = 4;

/**
 * Tries on copies of the farm which changes of a waiting job would let it start in its pool's next cycle, with nothing
 * else happening until then. Each that is told was tried, and the job started.
 */
export function whatHelps(parts: HelpParts): Helps {
  const trials = new Trials(parts);
  const asItIs = trials.start({});
  if (asItIs !== null) return trials.result(true, []);
  const helps = [
    smaller(trials, "memory", trials.request.memory >= 1024 ? 1024 : 64),
    smaller(trials, "cores", 1000),
    smaller(trials, "gpu", 1000),
    both(trials),
    shorter(trials),
    ...elsewhere(trials),
    trials.request.requirement ? trials.start({ withoutRequirement: true }) : null,
    trials.priority < parts.priorities - 1 ? trials.start({ priority: parts.priorities - 1 }) : null,
  ];
  return trials.result(
    false,
    helps.filter((each) => each !== null),
  );
}

/** Copies of the farm in which one job is changed. */
class Trials {
  readonly request: ReturnType<Port["view"]["jobs"]["requestOf"]>;
  readonly priority: number;
  readonly estimateSeconds: number;
  readonly pool: number;
  count = 0;
  private isCutShort = false;
  private readonly parts: HelpParts;
  /** The farm as it is. */
  private readonly present: Port;
  private readonly handle: number;

  constructor(parts: HelpParts) {
    this.parts = parts;
    this.present = parts.copy();
    const { jobs } = this.present.view;
    this.handle = this.present.handleOf(parts.job);
    this.request = jobs.requestOf(this.handle);
    this.priority = jobs.priorityOf(this.handle);
    this.estimateSeconds = jobs.estimateSecondsOf(this.handle);
    this.pool = jobs.poolOf(this.handle);
  }

  result(startsAsItIs: boolean, helps: readonly Help[]): Helps {
    return { startsAsItIs, helps, trials: this.count, isCutShort: this.isCutShort };
  }

  get places(): HelpParts["places"] {
    return this.parts.places.filter(({ pool }) => pool !== this.pool);
  }

  /** The tasks of this size that have room in the pools where the job may be. */
  room(size: Partial<Record<"cores" | "memory" | "gpu", number>>): number {
    return this.eachMachine(this.present, this.handle, size, this.request.tasks).tasks;
  }

  /** Whether all of its tasks have room in a pool. */
  fits(pool: number): boolean {
    const { tasks } = this.request;
    return this.eachMachine(this.present, this.handle, {}, tasks, { among: [pool] }).tasks >= tasks;
  }

  /** The cores that a task may have by the limits of what runs. */
  get allowedCores(): number {
    const left = this.present.view
      .limitsAbove(this.handle)
      .map(({ what, most, inUse }) => (what === "cores" ? most - inUse : 0));
    return Math.min(Infinity, ...left) / this.request.tasks;
  }

  /** Changes the job in a copy of the farm. Null: it does not start there. */
  start(change: HelpingChange): Help | null {
    const { parts } = this;
    if (this.count >= parts.mostTrials || parts.isLate()) {
      this.isCutShort = true;
      return null;
    }
    this.count++;
    const port = parts.copy();
    const farm = new StandingFarm(port, parts.at);
    const job = this.apply(farm, change);
    if (job === null) return null;
    const { machines } = this.eachMachine(port, port.handleOf(job), {}, Infinity, { isOpen: true });
    const pool = port.poolOf(job);
    const cycleSeconds = pool === NONE ? 0 : port.view.pools[pool].intervalSeconds;
    return farm.startsBy(job, parts.at + cycleSeconds) ? { change, machines } : null;
  }

  /** Returns the number that the job has then; null: the change is not possible. */
  private apply(farm: StandingFarm, change: HelpingChange): number | null {
    const { job, at, places } = this.parts;
    if (change.withoutRequirement === true) {
      const number = farm.port.highest + 1;
      const request = this.again(farm.port, farm.port.handleOf(job));
      farm.apply({ type: "cancelled", at, job });
      return farm.apply({ type: "submitted", at, job: number, request }).answer === "taken" ? number : null;
    }
    if (Object.keys(change).length === 0)
      return farm.apply({ type: "asked", at, job }).answer === "taken" ? job : null;
    const { pool, ...amounts } = change;
    const place = places.find((each) => each.pool === pool);
    const where = place === undefined ? {} : { virtualPool: place.virtualPool, candidates: place.candidates };
    return farm.apply({ type: "changed", at, job, ...amounts, ...where }).answer === "taken" ? job : null;
  }

  /** The job as it would be submitted again, with no requirement. */
  private again({ view: { jobs } }: Port, handle: number): PlainRequest {
    const { requirement: _, ...size } = jobs.requestOf(handle);
    const estimate = jobs.estimateSecondsOf(handle);
    return {
      ...size,
      project: jobs.projectOf(handle),
      heuristic: NONE,
      estimateSeconds: estimate === Infinity ? null : estimate,
      virtualPool: jobs.virtualPoolOf(handle),
      candidates: jobs.candidatesOf(handle),
      priority: jobs.priorityOf(handle),
    };
  }

  /** @param isOpen whether those are left out that are reserved for others before its limit would be over */
  private eachMachine(
    { view }: Port,
    handle: number,
    size: Partial<Record<"cores" | "memory" | "gpu", number>>,
    mostTasks: number,
    { among, isOpen = false }: { readonly among?: readonly number[]; readonly isOpen?: boolean } = {},
  ): { machines: number; tasks: number } {
    const { cores, memory, gpu } = { ...view.jobs.requestOf(handle), ...size };
    const pool = view.jobs.poolOf(handle);
    let [count, tasks] = [0, 0];
    for (const number of among ?? (pool === NONE ? view.poolsFor(handle) : [pool])) {
      const at = view.pools[number];
      const { machines } = at;
      for (let machine = 0; machine < machines.count && tasks < mostTasks; machine++) {
        if (!machines.isInService(machine) || !at.suits(handle, machine)) continue;
        if (isOpen && at.opensAt(handle, machine, this.parts.at) > this.parts.at) continue;
        const room = machines.roomFor(machine, cores, memory, gpu);
        if (room > 0) count++;
        tasks += room;
      }
    }
    return { machines: count, tasks };
  }
}

/** The most of a resource with which there is room, or less where the policy keeps the job from that. */
function smaller(trials: Trials, of: "cores" | "memory" | "gpu", step: number): Help | null {
  const { tasks, [of]: asked } = trials.request;
  // Less than a step is no job that somebody would want to run, but for GPUs.
  const least = of === "gpu" ? 0 : 1;
  const allowed = of === "cores" ? Math.floor(trials.allowedCores / step) : Infinity;
  let [low, high] = [least, Math.min(allowed, Math.ceil(asked / step) - 1)];
  if (high < low || trials.room({ [of]: low * step }) < tasks) return null;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (trials.room({ [of]: middle * step }) >= tasks) low = middle;
    else high = middle - 1;
  }
  for (let most = low; most >= least; most = Math.floor(most / 2)) {
    const help = trials.start({ [of]: most * step });
    if (help !== null || most === 0) return help;
    if (most < low / 4) return null;
  }
  return null;
}

/** Half of its cores and memory. */
function both(trials: Trials): Help | null {
  const { cores, memory, tasks } = trials.request;
  const half = { cores: Math.ceil(cores / 2000) * 1000, memory: Math.ceil(memory / 2) };
  const isTold = trials.room({ cores: half.cores }) >= tasks || trials.room({ memory: half.memory }) >= tasks;
  if (isTold || half.cores >= cores || half.memory >= memory || trials.room(half) < tasks) return null;
  return trials.start(half);
}

/** The longest limit of its run time with which it is let go before others. */
function shorter(trials: Trials): Help | null {
  if (trials.room({}) < trials.request.tasks) return null;
  const limits = LIMITS.filter((limit) => limit < trials.estimateSeconds);
  let help = limits.length === 0 ? null : trials.start({ estimateSeconds: limits[0] });
  if (help === null) return null;
  let [low, high] = [0, limits.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const longer = trials.start({ estimateSeconds: limits[middle] });
    if (longer === null) high = middle - 1;
    else [low, help] = [middle, longer];
  }
  return help;
}

/** In the pools where it has room, and then in those where it may suspend others. */
function elsewhere(trials: Trials): (Help | null)[] {
  const [free, full] = [true, false].map((fits) =>
    trials.places.filter(({ pool }) => trials.fits(pool) === fits),
  );
  return [...free, ...full].slice(0, MOST_POOLS).map(({ pool }) => trials.start({ pool }));
}
