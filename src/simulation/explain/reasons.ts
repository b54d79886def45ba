import {
  RESUMING,
  RUNNING,
  STARTING,
  SUSPENDED,
  unmetParts,
  type Attributes,
  type GroupCounts,
  type LimitExcess,
  type Requirement,
  type Shortage,
  type WaitReason,
  type View,
  type WaitRule,
} from "../../core/index.ts";
import { GPU_KIND } from "../../workload/index.ts";
import type { AppliedLimit } from "../build/limits.ts";
import type { GroupEvidence, Nearest, PlainReason, Rank, Reason, Suspension } from "./explanation.ts";

/** Jobs named of many. */
const NAMED = 5;
/** Groups of machines that are told of. */
const MOST_GROUPS = 20;

/** What people call what the engine knows by numbers: jobs by handle, machines and their groups by pool. */
export interface EngineNames {
  job(handle: number): number;
  pool(pool: number): string;
  machine(pool: number, machine: number): string;
  licence(licence: number): string;
  /** What people call a booking of a pool's machines. */
  reservation(pool: number, booking: number): string;
  /** Whose limit a job would exceed. */
  limit(excess: LimitExcess): Pick<AppliedLimit, "of" | "name">;
  /** Of a job; null: none. */
  requirement(handle: number): Requirement | null;
  attributes(pool: number, group: number): Attributes;
  /** The business group of a job. */
  owner(handle: number): string;
  priority(handle: number): number;
  /** The path of a job's project. */
  project(handle: number): string;
  /** Whether projects have shares. */
  readonly hasProjects: boolean;
}

/** Turns what the engine tells of its decisions into names and numbers that people know. */
export class WaitReasons {
  private readonly view: View;
  private readonly names: EngineNames;
  readonly jobOf: (handle: number) => number;
  private readonly jobsOn: (pool: number, machine: number) => readonly number[];

  /** @param jobsOn the jobs on a machine of a pool: whoever asks for very many jobs at a time remembers them */
  constructor(
    view: View,
    names: EngineNames,
    jobsOn = (pool: number, machine: number): readonly number[] => view.pools[pool].jobsOn(machine),
  ) {
    this.view = view;
    this.jobsOn = jobsOn;
    this.names = names;
    this.jobOf = (handle) => names.job(handle);
  }

  /** The reasons of an explanation, from what a cycle noted about a job that it did not start. */
  passedBy(handle: number, number: number, reason: WaitReason, now: number): Reason[] {
    const { machines, licences, limits, rule, ahead, aheadCount } = reason;
    const reasons: Reason[] = [
      ...limits.map((excess) => limitReason(excess, this.names)),
      ...licences.map(({ licence, ...counts }): Reason => ({
        kind: "licence",
        licence: this.names.licence(licence),
        ...counts,
      })),
    ];
    const tasks = this.view.jobs.tasksOf(handle);
    const { withRoom, tasksWithRoom } = machines;
    const hasRoom = tasksWithRoom >= tasks;
    const isForLicences = reasons.length > 0 && hasRoom;
    if (!isForLicences) reasons.push(...this.lacksOf(handle, number, reason, now));
    const isRuled = rule !== null && rule.kind !== "reserved";
    if (withRoom > 0 && !isForLicences && !(isRuled && hasRoom)) {
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
    if (isRuled) reasons.push(this.byRule(rule, number, hasRoom ? withRoom : 0, reason, now));
    if (reason.spared > 0 && !hasRoom) reasons.push({ kind: "spared", jobs: reason.spared });
    const share = this.shareUsed(handle, number, reason, now);
    return share === null ? reasons : [...reasons, share];
  }

  /**
   * Null unless fair share by what was used has let later jobs of other projects go first: they are before it in the
   * queue, have just been started, or run where it lacks the least.
   */
  private shareUsed(handle: number, number: number, reason: WaitReason, now: number): Reason | null {
    const { jobs, pools } = this.view;
    const pool = pools[number];
    const { usage } = pool;
    if (usage === null) return null;
    const project = jobs.projectOf(handle);
    const { nearest } = reason.machines;
    const there = nearest === null ? [] : this.jobsOn(number, nearest.machine);
    const before = [...new Set([...pool.startedLast, ...reason.ahead, ...there])].filter(
      (other) =>
        jobs.arrivalOf(other) > jobs.arrivalOf(handle) &&
        jobs.priorityOf(other) <= jobs.priorityOf(handle) &&
        usage.hasUsedMore(project, jobs.projectOf(other), now),
    );
    if (before.length === 0) return null;
    const { depth, used, due } = usage.standing(project, jobs.projectOf(before[0]), now)!;
    const hours = (amount: number): number => amount / (usage.settings.of === "memory" ? 1024 : 1000) / 3600;
    return {
      kind: "share used",
      project: partOfPath(this.names.project(handle), depth),
      of: usage.settings.of,
      usedHours: hours(used),
      dueHours: hours(due),
      before: before.slice(0, NAMED).map(this.jobOf),
    };
  }

  /** Why machines have no room for a job. */
  private lacksOf(handle: number, number: number, reason: WaitReason, now: number): Reason[] {
    const { machines } = reason;
    const reasons: Reason[] = this.unsuitable(handle, number, machines.unsuitable);
    const add = (kind: PlainReason["kind"], count: number): void => {
      if (count > 0) reasons.push({ kind, machines: count });
    };
    add("too small", machines.tooSmall);
    add("drained", machines.outOfService);
    add("refused it", machines.refusing);
    add("other families", machines.keptForFamilies);
    for (const [booking, booked] of machines.bookedBy)
      reasons.push({
        kind: "reserved",
        machines: booked,
        reservation: this.names.reservation(number, booking.number),
        fromSeconds: booking.from,
        untilSeconds: booking.until,
        hasBegun: booking.from <= now,
        hasLimit: Number.isFinite(this.view.jobs.estimateSecondsOf(handle)),
      });
    if (machines.nearest !== null)
      reasons.push({
        kind: "too full",
        machines: machines.tooFull,
        nearest: this.nearest(number, machines.nearest, reason),
      });
    return reasons;
  }

  /** The evidence by groups of machines: those that come nearest to having room first, and so many at most. */
  groups(handle: number, number: number, { machines: { groups } }: WaitReason): GroupEvidence[] {
    const { capacityCores, capacityMemory } = this.view.pools[number].machines;
    const nearness = ({ withRoom, tooFull, unsuitable, tooSmall }: GroupCounts): number =>
      withRoom > 0 ? 0 : tooFull > 0 ? 1 : unsuitable + tooSmall === 0 ? 2 : 3;
    return groups
      .toSorted((a, b) => nearness(a) - nearness(b))
      .slice(0, MOST_GROUPS)
      .map((counts) => {
        const { group, first, unsuitable, nearest, outOfService, refusing, keptForFamilies } = counts;
        const { tooSmall, booked, tooFull, withRoom } = counts;
        return {
          machines:
            unsuitable + tooSmall + outOfService + refusing + keptForFamilies + booked + tooFull + withRoom,
          example: this.names.machine(number, first),
          cores: capacityCores[first] / 1000,
          memoryMiB: capacityMemory[first],
          unmet: unsuitable === 0 ? null : this.unmet(handle, number, group),
          tooSmall,
          drained: outOfService,
          refused: refusing,
          otherFamilies: keptForFamilies,
          reserved: booked,
          tooFull,
          nearest: nearest === null ? null : this.shortOf(number, nearest),
          withRoom,
        };
      });
  }

  poolNames(pools: readonly number[]): string[] {
    return pools.map((pool) => this.names.pool(pool));
  }

  private byRule(
    rule: Exclude<WaitRule, { readonly kind: "reserved" }>,
    number: number,
    machines: number,
    reason: WaitReason,
    now: number,
  ): Reason {
    switch (rule.kind) {
      case "behind":
        return { kind: "behind", job: this.jobOf(rule.job) };
      case "would delay":
        return { kind: "would delay", machines, job: this.jobOf(rule.job), startSeconds: rule.startSeconds };
      case "promised": {
        const policy = this.view.pools[number].policyName;
        const nameOf = (machine: number): string => this.names.machine(number, machine);
        const { awaits } = rule;
        const nearest = reason.machines.nearest === null ? [] : [reason.machines.nearest.machine];
        const by = rule.delay === "overrun" ? this.outlived(rule.machines ?? nearest, number, now) : [];
        return {
          ...rule,
          awaits: awaits?.kind === "machines" ? { ...awaits, machines: awaits.machines.map(nameOf) } : awaits,
          policy,
          machines,
          on: rule.machines?.map(nameOf) ?? null,
          ...(by.length === 0 ? {} : { by }),
        };
      }
      case "would delay promises":
        return { ...rule, machines, jobs: rule.jobs.map(this.jobOf) };
      case "not examined":
        return { kind: "not examined", examined: rule.examined };
    }
  }

  /** The first few jobs on some machines that have run for longer than they were expected to. */
  private outlived(machines: readonly number[], number: number, now: number): number[] {
    const { jobs } = this.view;
    const there = new Set(machines.slice(0, NAMED).flatMap((machine) => this.jobsOn(number, machine)));
    const late = [...there].filter((job) => jobs.stateOf(job) === RUNNING && jobs.estimatedEndOf(job) <= now);
    return late.slice(0, NAMED).map(this.jobOf);
  }

  /** Why a job was suspended: it made room for another. */
  suspension(handle: number, number: number, by: number): Suspension {
    const rank = this.rank(by, handle, number);
    return { kind: "suspended", by: [this.jobOf(by)], ...(rank === null ? {} : { rank }) };
  }

  machineNames(handle: number, number: number): string[] {
    const machines = this.view.pools[number].machinesOf(handle);
    return Array.from(machines, (machine) => this.names.machine(number, machine));
  }

  private unmet(handle: number, number: number, group: number): { part: string; has: string } | null {
    const requirement = this.names.requirement(handle);
    if (requirement === null) return null;
    const parts = unmetParts(requirement, this.names.attributes(number, group));
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

  private shortOf(
    number: number,
    { machine, cores, memory, gpu }: Shortage,
  ): Omit<Nearest, "running" | "suspended"> {
    const kind = this.names.attributes(number, this.view.pools[number].machines.groupOf[machine])[GPU_KIND];
    return {
      machine: this.names.machine(number, machine),
      coresShort: cores / 1000,
      memoryShortMiB: memory,
      gpusShort: gpu / 1000,
      gpuKind: typeof kind === "string" ? kind : null,
    };
  }

  private nearest(number: number, shortage: Shortage, reason: WaitReason): Nearest {
    const { machine } = shortage;
    // Those that came there after its turn were not in its way.
    const later = new Set(reason.started.slice(reason.startedBefore));
    const there = this.jobsOn(number, machine).filter((job) => !later.has(job));
    const inState = (...states: readonly number[]): number[] =>
      there
        .filter((job) => states.includes(this.view.jobs.stateOf(job)))
        .slice(0, NAMED)
        .map(this.jobOf);
    return {
      ...this.shortOf(number, shortage),
      running: inState(RUNNING, STARTING, RESUMING),
      suspended: inState(SUSPENDED),
    };
  }

  /** Why a job comes before another in a pool; null: it does not. */
  rank(job: number, other: number, number: number): Rank | null {
    const { jobs, pools } = this.view;
    const isOwners = (each: number): boolean => pools[number].hasOwner(jobs.ownerOf(each));
    if (isOwners(job) !== isOwners(other))
      return isOwners(job) ? { kind: "owner", group: this.names.owner(job) } : null;
    if (jobs.priorityOf(job) !== jobs.priorityOf(other)) {
      const [priority, ownPriority] = [this.names.priority(job), this.names.priority(other)];
      return priority > ownPriority ? { kind: "priority", priority, ownPriority } : null;
    }
    if (jobs.arrivalOf(job) < jobs.arrivalOf(other)) return { kind: "earlier" };
    return this.names.hasProjects ? { kind: "share" } : null;
  }
}

/** The first parts of a path: `/a` of `/a/b`. A name without a slash is as it is. */
function partOfPath(path: string, depth: number): string {
  const parts = path.split("/").filter((part) => part !== "");
  return depth >= parts.length ? path : `/${parts.slice(0, depth).join("/")}`;
}

export function limitReason(
  excess: LimitExcess,
  names: Pick<EngineNames, "limit">,
): Extract<Reason, { kind: "limit" }> {
  const { of, name } = names.limit(excess);
  const unit = excess.what === "cores" ? 1000 : 1;
  return {
    kind: "limit",
    of,
    name,
    what: excess.what,
    asked: excess.asked / unit,
    inUse: excess.inUse / unit,
    most: excess.most / unit,
  };
}
