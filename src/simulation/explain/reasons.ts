import {
  NONE,
  RUNNING,
  SUSPENDED,
  unmetParts,
  WAITING,
  type Engine,
  type PoolManager,
} from "../../core/index.ts";
import { machineAttributes } from "../../workload/index.ts";
import type { BuiltEngine } from "../build/build-engine.ts";
import type { Driver } from "../run/driver.ts";
import type { Cause, Rank, Reason } from "./explanation.ts";

/** Jobs named of many. */
const NAMED = 5;

/** Looks at a pool after a cycle: what kept a job from its machines, and who is where. */
export class WaitReasons {
  private readonly built: BuiltEngine;
  private readonly engine: Engine;
  private readonly driver: Driver;
  private readonly machineIds: readonly string[];
  /** By pool: the number of its first machine among all. */
  private readonly firstMachine: readonly number[];
  /** The log's number of a job, by handle. */
  private readonly jobOf: (handle: number) => number;

  /** @param machineIds the machines' names, pool by pool */
  constructor(built: BuiltEngine, driver: Driver, machineIds: readonly string[]) {
    this.built = built;
    this.engine = built.engine;
    this.driver = driver;
    this.machineIds = machineIds;
    let first = 0;
    this.firstMachine = built.machines.map(
      ({ coresMilli }) => (first += coresMilli.length) - coresMilli.length,
    );
    const { jobNumber } = driver.workload;
    this.jobOf = (handle) => {
      const row = driver.rowOfJob(handle);
      return jobNumber === null ? row + 1 : jobNumber[row];
    };
  }

  /** Why a job that waits in a pool was passed by. */
  reasons(handle: number, number: number): Reason[] {
    const { jobs } = this.engine.engineJobs;
    const pool = this.engine.pools[number];
    const { machines } = pool.pool;
    const cores = jobs.cores[handle];
    const memory = jobs.memory[handle];
    const gpu = jobs.gpu[handle];
    const unmet = new Map<string, { machines: number; part: string; has: string }>();
    const full: number[] = [];
    let small = 0;
    let drained = 0;
    let withRoom = 0;
    let tasksWithRoom = 0;
    const failures = this.built.farm.pools[number].groups.map((_, group) =>
      this.unmet(handle, number, group),
    );
    for (let machine = 0; machine < machines.count; machine++) {
      const failure = failures[machines.groupOf[machine]];
      if (failure !== null) {
        const key = `${failure.part}\n${failure.has}`;
        const known = unmet.get(key) ?? { machines: 0, ...failure };
        known.machines++;
        unmet.set(key, known);
      } else if (machines.capacityFor(machine, cores, memory, gpu) === 0) small++;
      else if (machines.closed[machine] !== 0) drained++;
      else {
        const room = machines.roomFor(machine, cores, memory, gpu);
        if (room === 0) full.push(machine);
        else {
          withRoom++;
          tasksWithRoom += room;
        }
      }
    }
    const reasons: Reason[] = [...unmet.values()].map((each) => ({ kind: "requirement", ...each }));
    if (small > 0) reasons.push({ kind: "too small", machines: small });
    if (drained > 0) reasons.push({ kind: "drained", machines: drained });
    if (full.length > 0) reasons.push(this.tooFull(handle, number, full));
    if (withRoom > 0) {
      const { before, count, rank } = this.before(handle, number);
      const tasks = jobs.tasks[handle];
      reasons.push({
        kind: "kept free",
        machines: withRoom,
        tasksWithRoom,
        tasks,
        before,
        beforeCount: count,
        ...(rank === null ? {} : { rank }),
      });
    }
    return reasons;
  }

  /** Why a job was suspended on these machines of a pool: the jobs that the last cycle let run there. */
  suspension(handle: number, machines: readonly string[], number: number): Cause {
    const { started, resumed } = this.engine.pools[number];
    const isThere = (job: number): boolean =>
      this.machineNames(job, number).some((machine) => machines.includes(machine));
    const by = [...started, ...resumed].filter(isThere);
    const rank = by.length === 0 ? null : this.rank(by[0], handle, number);
    return { kind: "suspended", by: by.map(this.jobOf), ...(rank === null ? {} : { rank }) };
  }

  machineNames(handle: number, number: number): string[] {
    return this.machineNumbers(handle, this.engine.pools[number]).map((machine) =>
      this.name(number, machine),
    );
  }

  private machineNumbers(handle: number, pool: PoolManager): number[] {
    const { placements, jobs } = pool.pool;
    const found = new Set<number>();
    for (let entry = jobs.placement[handle]; entry !== NONE; entry = placements.next[entry])
      found.add(placements.machine[entry]);
    return [...found];
  }

  private unmet(handle: number, number: number, group: number): { part: string; has: string } | null {
    const { jobs } = this.engine.engineJobs;
    const requirement = this.built.requirements[jobs.requirement[handle]];
    if (requirement === null) return null;
    const parts = unmetParts(requirement, machineAttributes(this.built.farm.pools[number].groups[group]));
    if (parts.length === 0) return null;
    const has = parts[0].has.map(
      ({ attribute, value }) => `${attribute} is ${value === null ? "not told" : value}`,
    );
    return { part: parts[0].part, has: has.join(", ") };
  }

  private tooFull(handle: number, number: number, full: readonly number[]): Reason {
    const { jobs } = this.engine.engineJobs;
    const { machines } = this.engine.pools[number].pool;
    const coresShort = (machine: number): number =>
      Math.max(0, jobs.cores[handle] - machines.freeCores[machine]);
    const memoryShort = (machine: number): number =>
      Math.max(0, jobs.memory[handle] - machines.freeMemory[machine]);
    // Least wanting as a part of what is asked for.
    const short = (machine: number): number =>
      coresShort(machine) / jobs.cores[handle] + memoryShort(machine) / Math.max(1, jobs.memory[handle]);
    let nearest = full[0];
    for (const machine of full) if (short(machine) < short(nearest)) nearest = machine;
    return {
      kind: "too full",
      machines: full.length,
      nearest: {
        machine: this.name(number, nearest),
        coresShort: coresShort(nearest) / 1000,
        memoryShortMiB: memoryShort(nearest),
        running: this.on(nearest, number, RUNNING).slice(0, NAMED).map(this.jobOf),
        suspended: this.on(nearest, number, SUSPENDED).slice(0, NAMED).map(this.jobOf),
      },
    };
  }

  /** The jobs on a machine in a state, in order of arrival. */
  private on(machine: number, number: number, state: number): number[] {
    const { engineJobs: farmJobs, pools } = this.engine;
    const found: number[] = [];
    for (let job = 0; job < farmJobs.state.length; job++) {
      if (farmJobs.state[job] !== state || farmJobs.pool[job] !== number) continue;
      if (this.machineNumbers(job, pools[number]).includes(machine)) found.push(job);
    }
    return this.byArrival(found);
  }

  /** Jobs that wait in the pool and come before this one: of its owners, of higher priority, or earlier. */
  private before(handle: number, number: number): { before: number[]; count: number; rank: Rank | null } {
    const { engineJobs: farmJobs } = this.engine;
    const found: number[] = [];
    for (let job = 0; job < farmJobs.state.length; job++) {
      if (farmJobs.state[job] !== WAITING || farmJobs.pool[job] !== number || job === handle) continue;
      if (this.rank(job, handle, number) !== null) found.push(job);
    }
    const named = this.byArrival(found).slice(0, NAMED);
    return {
      before: named.map(this.jobOf),
      count: found.length,
      rank: named.length === 0 ? null : this.rank(named[0], handle, number),
    };
  }

  /** Why a job comes before another in a pool; null: it does not. */
  private rank(job: number, other: number, number: number): Rank | null {
    const { engineJobs: farmJobs, pools } = this.engine;
    const { arrival, owner } = farmJobs.jobs;
    const isOwners = (each: number): boolean =>
      owner[each] !== 0 && pools[number].groups.ownerOf.includes(owner[each]);
    if (isOwners(job) !== isOwners(other))
      return isOwners(job) ? { kind: "owner", group: this.groupOf(job) } : null;
    if (farmJobs.priority[job] !== farmJobs.priority[other]) {
      const [priority, ownPriority] = [this.priorityOf(job), this.priorityOf(other)];
      return priority > ownPriority ? { kind: "priority", priority, ownPriority } : null;
    }
    return arrival[job] < arrival[other] ? { kind: "earlier" } : null;
  }

  private groupOf(job: number): string {
    const { group } = this.driver.workload;
    return group === null ? "" : group.names[group.codes[this.driver.rowOfJob(job)]];
  }

  private priorityOf(job: number): number {
    return this.driver.workload.priority?.[this.driver.rowOfJob(job)] ?? 0;
  }

  private byArrival(jobs: number[]): number[] {
    const { arrival } = this.engine.engineJobs.jobs;
    return jobs.sort((a, b) => arrival[a] - arrival[b]);
  }

  private name(number: number, machine: number): string {
    return this.machineIds[this.firstMachine[number] + machine];
  }
}
