import {
  HELD,
  NONE,
  UNASSIGNED,
  WAITING,
  type Port,
  type ReasonSink,
  type WaitReason,
} from "../../core/index.ts";
import {
  dominantReason,
  exceededText,
  noPoolHasRoom,
  WaitReasons,
  type DominantReason,
  type Reason,
} from "../../simulation/index.ts";
import { ablePools } from "../service/able-pools.ts";
import { awaitedText } from "../service/awaited-pools.ts";
import { engineNames } from "../service/engine-names.ts";
import { pauseSentences } from "../service/pause-sentence.ts";
import type { Connection } from "../store/connection.ts";
import { twinsOf, type Replica } from "../replica/replica.ts";

/** A job that waits in the decision engine, and why. */
export interface WaitingJob {
  readonly job: number;
  readonly dominant: DominantReason;
  readonly culprit: Culprit;
}

/** What or whom a job waits for. */
export interface Culprit {
  readonly what: string;
  /** Where it waits for machines: the first few of them. */
  readonly machines: readonly string[];
}

/** Pools that are paused: their machines are closed in the decision engine. */
class PausedPools {
  private readonly pauses: ReadonlyMap<string, string>;
  private readonly pools: readonly { readonly name: string }[];

  constructor(connection: Connection, pools: PausedPools["pools"]) {
    this.pauses = pauseSentences(connection);
    this.pools = pools;
  }

  /** Where all of them that could run a job are paused. */
  of(view: Port["view"], handle: number, among: readonly number[]): DominantReason | null {
    if (this.pauses.size === 0) return null;
    const able = ablePools(view, handle, among);
    const sentences = able.map((pool) => this.pauses.get(this.pools[pool]!.name) ?? this.pauses.get(""));
    const [sentence] = sentences;
    return sentence === undefined || sentences.includes(undefined) ? null : { token: "paused", sentence };
  }
}

/** Machines that are looked at in all, for all jobs: a second or so. */
const MOST_LOOKS = 20_000_000;
const MOST_JOBS = 10_000;
const MOST_TICKS = 20;
const NAMED = 5;

/**
 * Why jobs wait, as the next cycles of their pools find it if nothing else happens: of the first jobs of each queue,
 * and of those at their virtual pools. Those that start there are not among them.
 *
 * @param isAsked whether a job is to be looked at, by its number
 */
export function waitingJobs(
  replica: Replica,
  connection: Connection,
  at: number,
  isAsked: (job: number) => boolean,
): WaitingJob[] {
  const { farm, requirements } = replica;
  const port = replica.copy();
  const { jobs, pools } = port.view;
  const jobOf = firstJobs(connection);
  // To find the jobs on a machine takes a look at all jobs.
  const on = new Map<string, readonly number[]>();
  const words = new WaitReasons(
    port.view,
    engineNames({ farm, requirements, port, jobOf }),
    (pool, machine) => {
      const key = `${pool} ${machine}`;
      const known = on.get(key) ?? pools[pool]!.jobsOn(machine);
      on.set(key, known);
      return known;
    },
  );
  const found = new Map<number, WaitingJob>();
  const culprits = new Culprits(replica, port);
  const paused = new PausedPools(connection, farm.pools);
  const handles = new Set<number>();
  const among = (handle: number, pool: number): readonly number[] =>
    pool === NONE ? port.view.poolsFor(handle) : [pool];
  const note = (handle: number, reasons: readonly Reason[], pool: number): void => {
    const awaited = pool === NONE ? port.view.awaitedBy(handle).map((each) => farm.pools[each]!) : [];
    const dominant =
      paused.of(port.view, handle, among(handle, pool)) ?? awaitingReason(awaited) ?? dominantReason(reasons);
    if (found.has(handle) || dominant === null) return;
    const job = jobOf(port.numberOf(handle));
    found.set(handle, { job, dominant, culprit: culprits.of(handle, pool, dominant, reasons, awaited) });
  };
  const sink: ReasonSink = {
    jobs: handles,
    waits: (handle: number, pool: number, reason: WaitReason, now: number) =>
      note(handle, words.passedBy(handle, pool, reason, now), pool),
    waitsForPool: (handle: number, among: readonly number[], now: number) =>
      note(handle, noPoolHasRoom(port.view, words, { handle, pools: among, now }), NONE),
    suspended: () => undefined,
  };
  port.tellReasons(sink);
  const machines = pools.reduce((sum, { machines: { count } }) => sum + count, 0);
  const most = Math.max(100, Math.min(MOST_JOBS, Math.floor(MOST_LOOKS / Math.max(1, machines))));
  let latest = at;
  const first: number[] = [];
  for (const pool of pools) {
    const queue = pool.queue(at).filter((handle) => isAsked(jobOf(port.numberOf(handle))));
    for (const handle of queue.slice(0, most)) handles.add(handle);
    if (queue.length > 0) {
      first.push(port.numberOf(queue[0]!));
      latest = Math.max(latest, at + pool.intervalSeconds);
    }
  }
  const unassigned = [...jobs].filter(
    (handle) => jobs.stateOf(handle) === UNASSIGNED && isAsked(port.numberOf(handle)),
  );
  for (const job of [...first, ...unassigned.slice(0, most).map((handle) => port.numberOf(handle))])
    port.apply({ type: "asked", at, job });
  for (let tick = 0, now = at; tick < MOST_TICKS && now <= latest; tick++) {
    on.clear();
    port.apply({ type: "tick", at: now });
    now = Math.max(now, port.nextTime);
    if (latest === at) break;
  }
  // What has started since does not wait.
  return [...found]
    .filter(([handle]) => [WAITING, UNASSIGNED, HELD].includes(jobs.stateOf(handle)))
    .map(([, job]) => job);
}

function awaitingReason(pools: readonly { readonly name: string }[]): DominantReason | null {
  return pools.length === 0 ? null : { token: "unreachable", sentence: awaitedText(pools) };
}

/** The numbers that people know jobs by: second attempts have numbers of their own in the engine. */
export function firstJobs(connection: Connection): (engineJob: number) => number {
  const twins = twinsOf(connection);
  return (engineJob) => twins.get(engineJob) ?? engineJob;
}

/** What jobs wait for, in the same words for jobs that wait for the same. */
class Culprits {
  private readonly farm: Replica["farm"];
  private readonly view: Port["view"];
  /** By pool and request. */
  private readonly known = new Map<string, Culprit>();

  constructor({ farm }: Replica, { view }: Port) {
    this.farm = farm;
    this.view = view;
  }

  of(
    handle: number,
    pool: number,
    { token }: DominantReason,
    reasons: readonly Reason[],
    awaited: readonly { readonly name: string }[],
  ): Culprit {
    const named = (what: string): Culprit => ({ what, machines: [] });
    if (token === "unreachable")
      return named(`the machines of ${awaited.map(({ name }) => name).join(", ")}`);
    if (token === "paused")
      return named(this.poolsText(ablePools(this.view, handle, this.among(handle, pool))));
    for (const each of reasons) {
      if (token === "limit" && each.kind === "limit") return named(exceededText(each));
      if (token === "licence" && each.kind === "licence") return named(`the licence ${each.licence}`);
      if (token === "behind" && each.kind === "behind") return named(`job ${each.job}`);
      if (token === "would-delay" && each.kind === "would delay") return named(`job ${each.job}`);
      if (token === "would-delay" && each.kind === "would delay promises")
        return named(`job ${each.jobs[0]}`);
      if (token === "kept-free" && each.kind === "kept free" && each.before.length > 0)
        return named(`job ${each.before[0]}`);
      if (token === "share" && each.kind === "share used")
        return named(
          `their share: ${each.project === "" ? "jobs without a project" : each.project} used more than others`,
        );
      if (token === "no-pool-has-room" && each.kind === "no pool has room")
        return named(
          each.pools.length === 1
            ? `room in pool ${each.pools[0]}`
            : `room in one of ${each.pools.join(", ")}`,
        );
    }
    return pool === NONE ? named(this.poolsText(this.among(handle, pool))) : this.machinesFor(handle, pool);
  }

  /** The pools where a job waits, or that it may be sent to. */
  private among(handle: number, pool: number): readonly number[] {
    return pool === NONE ? this.view.poolsFor(handle) : [pool];
  }

  private poolsText(among: readonly number[]): string {
    const names = among.map((each) => this.farm.pools[each]!.name);
    return names.length === 1 ? `pool ${names[0]}` : `one of the pools ${names.join(", ")}`;
  }

  /** The machines that could hold a job. */
  private machinesFor(handle: number, number: number): Culprit {
    const { jobs, pools } = this.view;
    const { cores, memory, gpu, requirement = 0, family = 0 } = jobs.requestOf(handle);
    const key = [number, cores, memory, gpu, requirement, family].join(" ");
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const pool = pools[number]!;
    const { name, machines: plan } = this.farm.pools[number]!;
    const names: string[] = [];
    for (let machine = 0; machine < pool.machines.count; machine++)
      if (holds(pool.machines, machine, cores, memory, gpu) && pool.meets(handle, machine))
        names.push(plan[machine]!.name);
    const what =
      names.length === pool.machines.count
        ? `pool ${name}`
        : names.length === 0
          ? `a machine that pool ${name} does not have`
          : `${names.length} of ${pool.machines.count} machines of pool ${name}`;
    const culprit = { what, machines: names.length === pool.machines.count ? [] : names.slice(0, NAMED) };
    this.known.set(key, culprit);
    return culprit;
  }
}

function holds(
  { capacityCores, capacityMemory, capacityGpu }: Port["view"]["pools"][number]["machines"],
  machine: number,
  cores: number,
  memory: number,
  gpu: number,
): boolean {
  return (
    capacityCores[machine]! >= cores && capacityMemory[machine]! >= memory && capacityGpu[machine]! >= gpu
  );
}
