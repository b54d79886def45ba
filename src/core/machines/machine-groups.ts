/** A pool's machines, told apart by what requirements can ask about. */
export interface MachineGroups {
  /** By machine. */
  readonly groupOf: Int32Array;
  readonly count: number;
  /** Whether the machines of a group meet a requirement; asked once for each. */
  meets(requirement: number, group: number): boolean;
}

/** Machines that some requirement allows. */
export interface MachineSet {
  /** By group: 1 where its machines are in the set. */
  readonly groups: Uint8Array;
  /** In pool order. */
  readonly members: Int32Array;
}

/** Requirements remembered at most; beyond, all are worked out anew. */
const LIMIT = 1 << 16;

/**
 * Which machines of a pool each requirement allows. A requirement is worked out
 * once, and requirements that allow the same machines share one set.
 */
export class AllowedMachines {
  readonly groups: MachineGroups;
  /** By requirement: its set, or null where it allows every machine. */
  private readonly setOf = new Map<number, MachineSet | null>();
  private readonly sets = new Map<string, MachineSet>();

  constructor(groups: MachineGroups) {
    this.groups = groups;
  }

  /** Null: all machines. */
  of(requirement: number): MachineSet | null {
    if (requirement === 0) return null;
    const known = this.setOf.get(requirement);
    if (known !== undefined) return known;
    if (this.setOf.size === LIMIT) this.setOf.clear();
    const set = this.workOut(requirement);
    this.setOf.set(requirement, set);
    return set;
  }

  allows(requirement: number, machine: number): boolean {
    const set = this.of(requirement);
    return set === null || set.groups[this.groups.groupOf[machine]] === 1;
  }

  private workOut(requirement: number): MachineSet | null {
    const { groups, sets } = this;
    const allowed = new Uint8Array(groups.count);
    for (let group = 0; group < groups.count; group++)
      allowed[group] = groups.meets(requirement, group) ? 1 : 0;
    if (!allowed.includes(0)) return null;
    const key = allowed.join("");
    let set = sets.get(key);
    if (set === undefined) {
      const members: number[] = [];
      for (let machine = 0; machine < groups.groupOf.length; machine++) {
        if (allowed[groups.groupOf[machine]] === 1) members.push(machine);
      }
      set = { groups: allowed, members: Int32Array.from(members) };
      if (sets.size < LIMIT) sets.set(key, set);
    }
    return set;
  }
}
