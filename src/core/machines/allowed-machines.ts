import type { Bookings } from "../bookings/bookings.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { Exclusions } from "./exclusions.ts";
import type { MachineGroups } from "./machine-groups.ts";
import type { MachineState } from "./machine-state.ts";

/** The machines that a requirement allows. */
export interface MachineSet {
  /** By group: 1 if its machines are in the set. */
  readonly groups: Uint8Array;
  /** In pool order; may include machines that were removed. */
  readonly members: Int32Array;
}

/** Reserves machines for the jobs of some families. */
export interface FamilyRule {
  /** Whether some machine is, now or later, open to one family and not to another. */
  readonly isExclusive: boolean;
  mayUse(family: number, machine: number): boolean;
}

/**
 * The largest numbers of requirements, and of different sets of machines, that are remembered. When there are more,
 * everything is forgotten and found anew.
 */
const MAX_REQUIREMENTS = 1 << 16;
const MAX_SETS = 1 << 12;

/**
 * The machines of a pool that a job may use: those in service that meet its requirement, that are not reserved for
 * another family, that no booking keeps it off now, and on which it did not fail to start a while ago.
 *
 * All of this but the bookings depends on the job's kind only. Questions about more than one machine, such as where a task goes, are
 * answered on the requirement's set (`setOf`).
 */
export class AllowedMachines {
  readonly exclusions: Exclusions;
  /** Null if no machine is ever booked. */
  readonly bookings: Bookings | null;
  /** Counts up when the sets returned so far become invalid. */
  age = 0;
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  private readonly groups: MachineGroups | null;
  private readonly families: FamilyRule | null;
  /** By requirement, for this layout of the machines: its set, or null if it allows every machine. */
  private layout: number;
  private readonly setOfRequirement = new Map<number, MachineSet | null>();
  /** The sets, shared by the requirements that allow the same machines. */
  private readonly sets = new Map<string, MachineSet>();
  /** The requirement of the last call, 0 if there was none. */
  private lastRequirement = 0;
  private lastSet: MachineSet | null = null;

  /**
   * @param groups null if there are no requirements
   * @param families null if no machine is reserved for a family
   * @param bookings null if no machine is ever booked
   */
  constructor(
    machines: MachineState,
    jobs: Jobs,
    groups: MachineGroups | null = null,
    families: FamilyRule | null = null,
    bookings: Bookings | null = null,
  ) {
    this.bookings = bookings;
    this.machines = machines;
    this.jobs = jobs;
    this.groups = groups;
    this.families = families;
    this.layout = machines.layout;
    this.exclusions = new Exclusions(jobs);
  }

  /** Whether the job may use the machine, now or once there is room; bookings as they are now. */
  allows(job: number, machine: number): boolean {
    return this.allowsKind(this.jobs.kind[job], machine) && this.bookings?.mayStart(job, machine) !== false;
  }

  allowsKind(kind: number, machine: number): boolean {
    const { families } = this;
    return (
      this.machines.isInService(machine) &&
      this.suitsKind(kind, machine) &&
      (families === null || families.mayUse(this.jobs.kinds.family[kind], machine))
    );
  }

  /**
   * Whether the machine meets the requirement of a kind's jobs and they are not excluded from it: the part that does not
   * depend on other jobs.
   */
  suitsKind(kind: number, machine: number): boolean {
    if (!this.meets(kind, machine)) return false;
    const exclusion = this.jobs.kinds.exclusion[kind];
    return exclusion === 0 || !this.exclusions.includes(exclusion - 1, machine);
  }

  /** Whether the machine meets the requirement of a kind's jobs. */
  meets(kind: number, machine: number): boolean {
    const set = this.setOf(this.jobs.kinds.requirement[kind]);
    return set === null || set.groups[this.machines.groupOf[machine]] !== 0;
  }

  /**
   * The earliest time, not before `time`, at which a job may start on a machine that meets its requirement, were it
   * empty: when no booking keeps it off for as long as it is thought to run, and it is tried there again.
   */
  opensAt(job: number, machine: number, time: number): number {
    const { kind, estimateSeconds } = this.jobs;
    const exclusion = this.jobs.kinds.exclusion[kind[job]];
    const from = exclusion === 0 ? time : Math.max(time, this.exclusions.until(exclusion - 1, machine));
    return this.bookings?.opensAt(kind[job], machine, estimateSeconds[job], from) ?? from;
  }

  /** Whether a booking keeps the job off some machine now. */
  isKeptOff(job: number): boolean {
    return this.bookings?.restrict(job) === true;
  }

  /** Whether jobs of this kind may use every machine, bookings aside. */
  suitsEverywhere(kind: number): boolean {
    const { exclusion, requirement } = this.jobs.kinds;
    return exclusion[kind] === 0 && this.setOf(requirement[kind]) === null;
  }

  /** Whether families may use different machines. */
  get differByFamily(): boolean {
    return this.families !== null && this.families.isExclusive;
  }

  /** The machines that meet a requirement; null stands for all. */
  setOf(requirement: number): MachineSet | null {
    if (requirement === 0 || this.groups === null) return null;
    if (this.layout !== this.machines.layout) this.forget();
    if (requirement === this.lastRequirement) return this.lastSet;
    let set = this.setOfRequirement.get(requirement);
    if (set === undefined) {
      if (this.setOfRequirement.size === MAX_REQUIREMENTS || this.sets.size === MAX_SETS) this.forget();
      set = this.workOut(requirement, this.groups);
      this.setOfRequirement.set(requirement, set);
    }
    this.lastRequirement = requirement;
    this.lastSet = set;
    return set;
  }

  /** Excludes the job from a machine until a time. The job must not be waiting: see `Jobs.exclude`. */
  exclude(job: number, machine: number, until: number): void {
    this.exclusions.add(job, machine, until);
    this.jobs.exclude(job, true);
  }

  /** At the start of a cycle: ends the exclusions and the bookings whose time has come. */
  begin(now: number): void {
    if (this.exclusions.expire(now)) this.machines.revision++;
    if (this.bookings?.begin(now) === true) this.machines.revision++;
  }

  private forget(): void {
    this.layout = this.machines.layout;
    this.setOfRequirement.clear();
    this.sets.clear();
    this.lastRequirement = 0;
    this.age++;
  }

  private workOut(requirement: number, groups: MachineGroups): MachineSet | null {
    const { sets } = this;
    const { groupOf } = this.machines;
    const allowed = new Uint8Array(groups.count);
    for (let group = 0; group < groups.count; group++)
      allowed[group] = groups.meets(requirement, group) ? 1 : 0;
    if (!allowed.includes(0)) return null;
    const key = allowed.join("");
    let set = sets.get(key);
    if (set === undefined) {
      const members: number[] = [];
      for (let machine = 0; machine < groupOf.length; machine++)
        if (allowed[groupOf[machine]] === 1) members.push(machine);
      set = { groups: allowed, members: Int32Array.from(members) };
      sets.set(key, set);
    }
    return set;
  }
}
