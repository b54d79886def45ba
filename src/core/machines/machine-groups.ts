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
