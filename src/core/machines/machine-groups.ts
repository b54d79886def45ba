/**
 * What requirements can ask about machines. Machines of one group give the same answers; `MachineState.groupOf` says
 * which group each belongs to.
 */
export interface MachineGroups {
  /** All groups are below this number. It may grow before a machine of a new group is added. */
  readonly count: number;
  /**
   * Whether the machines of a group meet a requirement. The answer for a group stays the same as long as it has
   * machines; that for a requirement stays the same for ever, as a new requirement has a new number.
   */
  meets(requirement: number, group: number): boolean;
}

/** Groups of machines with their owners and speeds. The arrays have `count` entries and are replaced when it grows. */
export interface OwnedGroups extends MachineGroups {
  /** By group: the number of the group of jobs that owns its machines, 0 if there is no owner. */
  readonly ownerOf: Int32Array;
  /** By group: the speed of its machines. 1 is the speed for which run times are given. */
  readonly speedOf: Float64Array;
}
