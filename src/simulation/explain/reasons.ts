import {
  NONE,
  RESUMING,
  RUNNING,
  STARTING,
  SUSPENDED,
  unmetParts,
  type Engine,
  type PoolManager,
  type Shortage,
  type WaitReason,
  type WaitRule,
} from "../../core/index.ts";
import { machineAttributes } from "../../workload/index.ts";
import type { BuiltEngine } from "../build/build-engine.ts";
import type { Driver } from "../run/driver.ts";
import type { Cause, Nearest, PlainReason, Rank, Reason } from "./explanation.ts";

/** Jobs named of many. */
const NAMED = 5;

/** Turns what the engine tells of its decisions into names and numbers that people know. */
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

  /** What a cycle noted of a job that it passed by, in the words of an explanation. */
  passedBy(handle: number, number: number, { machines, rule, ahead, aheadCount }: WaitReason): Reason[] {
    const reasons: Reason[] = this.unsuitable(handle, number, machines.unsuitable);
    const add = (kind: PlainReason["kind"], count: number): void => {
      if (count > 0) reasons.push({ kind, machines: count });
    };
    add("too small", machines.tooSmall);
    add("drained", machines.outOfService);
    add("refused it", machines.refusing);
    add("other families", machines.keptForFamilies);
    if (machines.nearest !== null)
      reasons.push({
        kind: "too full",
        machines: machines.tooFull,
        nearest: this.nearest(number, machines.nearest),
      });
    const { withRoom, tasksWithRoom } = machines;
    const tasks = this.engine.engineJobs.jobs.tasks[handle];
    if (rule !== null && rule.kind !== "reserved") reasons.push(this.byRule(rule, withRoom));
    else if (withRoom > 0) {
      const rank = ahead.length === 0 ? null : this.rank(ahead[0], handle, number);
      reasons.push({
        kind: "kept free",
        machines: withRoom,
        tasksWithRoom,
        tasks,
        before: ahead.map(this.jobOf),
        beforeCount: aheadCount,
        ...(rank === null ? {} : { rank }),
      });
    }
    return reasons;
  }

  private byRule(rule: Exclude<WaitRule, { readonly kind: "reserved" }>, machines: number): Reason {
    switch (rule.kind) {
      case "behind":
        return { kind: "behind", job: this.jobOf(rule.job) };
      case "would delay":
        return { kind: "would delay", machines, job: this.jobOf(rule.job), startSeconds: rule.startSeconds };
      case "promised later":
        return { kind: "promised later", machines };
      case "not examined":
        return { kind: "not examined", examined: rule.examined };
    }
  }

  /** Why a job was suspended: it made room for another. */
  suspension(handle: number, number: number, by: number): Cause {
    const rank = this.rank(by, handle, number);
    return { kind: "suspended", by: [this.jobOf(by)], ...(rank === null ? {} : { rank }) };
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

  private unsuitable(handle: number, number: number, groups: ReadonlyMap<number, number>): Reason[] {
    const found = new Map<string, { machines: number; part: string; has: string }>();
    for (const [group, machines] of groups) {
      const failure = this.unmet(handle, number, group);
      if (failure === null) continue;
      const key = `${failure.part}\n${failure.has}`;
      const known = found.get(key) ?? { machines: 0, ...failure };
      known.machines += machines;
      found.set(key, known);
    }
    return [...found.values()].map((each) => ({ kind: "requirement", ...each }));
  }

  private nearest(number: number, { machine, cores, memory }: Shortage): Nearest {
    return {
      machine: this.name(number, machine),
      coresShort: cores / 1000,
      memoryShortMiB: memory,
      running: this.on(machine, number, [RUNNING, STARTING, RESUMING]).slice(0, NAMED).map(this.jobOf),
      suspended: this.on(machine, number, [SUSPENDED]).slice(0, NAMED).map(this.jobOf),
    };
  }

  /** The jobs on a machine in one of these states, in order of arrival. */
  private on(machine: number, number: number, states: readonly number[]): number[] {
    const { engineJobs: farmJobs, pools } = this.engine;
    const found: number[] = [];
    for (let job = 0; job < farmJobs.state.length; job++) {
      if (!states.includes(farmJobs.state[job]) || farmJobs.pool[job] !== number) continue;
      if (this.machineNumbers(job, pools[number]).includes(machine)) found.push(job);
    }
    return this.byArrival(found);
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
    if (arrival[job] < arrival[other]) return { kind: "earlier" };
    return this.driver.workload.project === null ? null : { kind: "share" };
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
