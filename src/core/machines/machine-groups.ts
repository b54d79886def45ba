/**
 * What requirements can ask about machines, which machines of one group have in
 * common: `MachineState.groupOf` says which group each is of.
 */
export interface MachineGroups {
  /** Groups are numbered below this. It may grow before a machine of a new group is added. */
  readonly count: number;
  /**
   * Whether the machines of a group meet a requirement. The answer stays the same,
   * for a group for as long as it has machines, and for a requirement for ever: a
   * new one has a new number.
   */
  meets(requirement: number, group: number): boolean;
}

/** Groups of machines that also tell who owns them and how fast they are: arrays of `count` entries, others when it has grown. */
export interface OwnedGroups extends MachineGroups {
  /** By group: the number of the group of jobs that owns its machines, 0 where nobody does. */
  readonly ownerOf: Int32Array;
  /** By group: how fast its machines are; 1 is what run times were measured on. */
  readonly speedOf: Float64Array;
}
