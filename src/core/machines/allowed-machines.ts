import type { Jobs } from "../jobs/jobs.ts";
import { Exclusions } from "./exclusions.ts";
import type { MachineGroups } from "./machine-groups.ts";
import type { MachineState } from "./machine-state.ts";

/** Machines that some requirement allows. */
export interface MachineSet {
  /** By group: 1 where its machines are in the set. */
  readonly groups: Uint8Array;
  /** In pool order; those that were removed may be among them. */
  readonly members: Int32Array;
}

/** Keeps machines for the jobs of some families. */
export interface FamilyRule {
  /** Whether there is a machine that one family may use and another may not, now or later. */
  readonly isExclusive: boolean;
  mayUse(family: number, machine: number): boolean;
}

/** Requirements, and different sets of machines, remembered at most; when there are more all are worked out anew. */
const MOST_REQUIREMENTS = 1 << 16;
const MOST_SETS = 1 << 12;

/**
 * Which machines of a pool a job may use: those in service that meet its
 * requirement, that are not kept for another family, and that did not refuse it a
 * while ago.
 *
 * All that depends on the job's kind. What is asked for more than one machine,
 * such as where a task goes, is answered over the requirement's set (`setOf`).
 */
export class AllowedMachines {
  readonly exclusions: Exclusions;
  /** Counts up when the sets given so far are others now. */
  age = 0;
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  private readonly groups: MachineGroups | null;
  private readonly families: FamilyRule | null;
  /** As of this layout of the machines, by requirement: its set, or null where it allows every machine. */
  private layout: number;
  private readonly setOfRequirement = new Map<number, MachineSet | null>();
  /** Requirements that allow the same machines share one set. */
  private readonly sets = new Map<string, MachineSet>();
  /** The requirement that was asked about last, 0 where none was. */
  private lastRequirement = 0;
  private lastSet: MachineSet | null = null;

  /**
   * @param groups null: there are no requirements
   * @param families null: no machine is kept for a family
   */
  constructor(
    machines: MachineState,
    jobs: Jobs,
    groups: MachineGroups | null = null,
    families: FamilyRule | null = null,
  ) {
    this.machines = machines;
    this.jobs = jobs;
    this.groups = groups;
    this.families = families;
    this.layout = machines.layout;
    this.exclusions = new Exclusions(jobs);
  }

  /** Whether the job may use the machine now, or once there is room. */
  allows(job: number, machine: number): boolean {
    return this.allowsKind(this.jobs.kind[job], machine);
  }

  allowsKind(kind: number, machine: number): boolean {
    const { families } = this;
    return (
      this.machines.isInService(machine) &&
      this.suitsKind(kind, machine) &&
      (families === null || families.mayUse(this.jobs.kinds.family[kind], machine))
    );
  }

  /** Whether the machine meets the job's requirement and has not refused it: the part that does not depend on other jobs. */
  suits(job: number, machine: number): boolean {
    return this.suitsKind(this.jobs.kind[job], machine);
  }

  suitsKind(kind: number, machine: number): boolean {
    const { kinds } = this.jobs;
    const set = this.setOf(kinds.requirement[kind]);
    if (set !== null && set.groups[this.machines.groupOf[machine]] === 0) return false;
    const exclusion = kinds.exclusion[kind];
    return exclusion === 0 || !this.exclusions.includes(exclusion - 1, machine);
  }

  /** Whether every machine suits the job. */
  suitsEverywhere(job: number): boolean {
    return this.jobs.exclusion[job] === 0 && this.setOf(this.jobs.requirement[job]) === null;
  }

  /** Whether families may use different machines. */
  get differByFamily(): boolean {
    return this.families !== null && this.families.isExclusive;
  }

  /** The machines that meet a requirement; null: all. */
  setOf(requirement: number): MachineSet | null {
    if (requirement === 0 || this.groups === null) return null;
    if (this.layout !== this.machines.layout) this.forget();
    if (requirement === this.lastRequirement) return this.lastSet;
    let set = this.setOfRequirement.get(requirement);
    if (set === undefined) {
      if (this.setOfRequirement.size === MOST_REQUIREMENTS || this.sets.size === MOST_SETS) this.forget();
      set = this.workOut(requirement, this.groups);
      this.setOfRequirement.set(requirement, set);
    }
    this.lastRequirement = requirement;
    this.lastSet = set;
    return set;
  }

  /** The job is not to start on a machine before a time. It must not be waiting: see `Jobs.exclude`. */
  exclude(job: number, machine: number, until: number): void {
    this.exclusions.add(job, machine, until);
    this.jobs.exclude(job, true);
  }

  /** A cycle begins: what jobs were kept from until now they may try again. */
  begin(now: number): void {
    if (this.exclusions.expire(now)) this.machines.revision++;
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
