import { IN_TRANSFER, NONE, UNASSIGNED, WAITING, type Port } from "../../core/index.ts";
import type { Moment } from "../../forecast/index.ts";
import type { PlainFarm } from "../service/plain-farm.ts";

/**
 * Before when jobs cannot start, whatever ends and whoever gives up: their time to begin, the way to their pool, and
 * reservations and refusals of every machine that could hold them. When other jobs end is no such bound: any of them may
 * end now.
 */
export class EarliestStarts {
  private readonly port: Port;
  private readonly farm: PlainFarm;
  private readonly moment: Moment;
  /** By what jobs ask for, and from when on. */
  private readonly known = new Map<string, number>();
  /** Of held jobs. */
  private readonly held = new Map<number, number>();

  constructor(moment: Moment, farm: PlainFarm) {
    this.port = moment.port;
    this.moment = moment;
    this.farm = farm;
    // Those that a job waits for stand before it.
    for (const each of moment.held ?? []) {
      const from = Math.max(each.notBefore, ...each.after.map((other) => this.ofOther(other)));
      this.held.set(each.job, this.of(each.job, from));
    }
  }

  /** How long a job has to wait whatever happens. */
  leastWaitOf(job: number): number {
    return (this.held.get(job) ?? this.of(job)) - this.moment.now;
  }

  /** Of a job that another waits for, and that may run already. */
  private ofOther(job: number): number {
    const { jobs } = this.port.view;
    const handle = this.port.handleOf(job);
    if (handle === NONE || ![WAITING, UNASSIGNED, IN_TRANSFER].includes(jobs.stateOf(handle)))
      return this.held.get(job) ?? this.moment.now;
    return this.of(job);
  }

  /** @param notBefore what is known of when it is released */
  private of(job: number, notBefore = -Infinity): number {
    const { port, moment } = this;
    const { now, arrivals } = moment;
    const from = Math.max(now, notBefore, arrivals?.get(job) ?? now);
    const handle = port.handleOf(job);
    if (handle === NONE) return from;
    const pools = this.poolsOf(handle);
    const { jobs } = port.view;
    const isRefused = jobs.isRefused(handle);
    if (!isRefused && !pools.some((pool) => port.view.pools[pool]!.isBooked)) return from;
    const asked = [...Object.values(jobs.requestOf(handle)), jobs.estimateSecondsOf(handle)];
    // Refusals are of the job alone.
    const key = `${isRefused ? job : ""} ${asked.join(" ")} ${from} ${pools.join(",")}`;
    const before = this.known.get(key);
    if (before !== undefined) return before;
    const earliest = Math.min(...pools.map((pool) => this.inPool(pool, handle, from)));
    // Nowhere: then nothing is known of when.
    const bound = earliest === Infinity ? from : earliest;
    this.known.set(key, bound);
    return bound;
  }

  /** From when on there are machines for all of its tasks. */
  private inPool(number: number, handle: number, from: number): number {
    const { jobs, pools } = this.port.view;
    const pool = pools[number]!;
    const { machines } = pool;
    const { cores, memory, gpu } = jobs.requestOf(handle);
    const places: { readonly opens: number; readonly tasks: number }[] = [];
    for (let machine = 0; machine < machines.count; machine++) {
      const tasks = machines.wholeFor(machine, cores, memory, gpu);
      if (tasks === 0 || !machines.isInService(machine) || !pool.meets(handle, machine)) continue;
      places.push({ opens: pool.opensAt(handle, machine, from), tasks });
    }
    let left = jobs.tasksOf(handle);
    for (const { opens, tasks } of places.sort((a, b) => a.opens - b.opens))
      if ((left -= tasks) <= 0) return opens;
    return Infinity;
  }

  /** Where it waits, and wherever it may be sent. */
  private poolsOf(handle: number): readonly number[] {
    const { view } = this.port;
    const at = view.jobs.poolOf(handle);
    return at === NONE || this.farm.strategy !== "NoRes" ? view.poolsFor(handle) : [at];
  }
}

/** A forecast of a job that waits for others, of which each starts before it: corrections are made of each alone. */
export function afterOthers(
  quantiles: readonly number[],
  others: readonly (readonly number[])[],
): readonly number[] {
  return quantiles.map((wait, at) => Math.max(wait, ...others.map((other) => other[at]!)));
}

/**
 * A forecast, corrected by what is learnt: what comes after the time that the job has to wait anyway, which is known.
 *
 * @param waits quantiles
 */
export function correctedAfter(
  leastSeconds: number,
  waits: readonly number[],
  correct: (waits: readonly number[]) => number[],
): number[] {
  return correct(waits.map((wait) => Math.max(0, wait - leastSeconds))).map((wait) => leastSeconds + wait);
}
