/** Follows what happens to machines. */
export interface MachineWatcher {
  /** A machine's free resources, or whether it takes jobs, changed. */
  changed(machine: number): void;
  /**
   * A machine was added, or has another capacity: there are `count` of them, and
   * the view's arrays may be others. `changed` then tells of the machine.
   */
  resized(count: number): void;
}

/**
 * Machines as a search sees them: a pool's, or a part of them. Arrays are by
 * machine number, in pool order.
 */
export interface MachineView {
  readonly count: number;
  readonly capacityCores: Int32Array;
  readonly capacityMemory: Int32Array;
  readonly capacityGpu: Int32Array;
  readonly freeCores: Int32Array;
  readonly freeMemory: Int32Array;
  readonly freeGpu: Int32Array;
  /** Not 0 where a search is not to find the machine. */
  readonly closed: Uint8Array;
  readonly considersGpu: boolean;
  watch(watcher: MachineWatcher): void;
  unwatch(watcher: MachineWatcher): void;
}
