/** Follows what happens to machines. */
export interface MachineWatcher {
  /** A machine's free resources changed, or whether it takes jobs. */
  changed(machine: number): void;
  /**
   * A machine was added, or its capacity changed. There are `count` machines now, and the view's arrays may have been
   * replaced. A call of `changed` for the machine follows.
   */
  resized(count: number): void;
}

/**
 * The machines that a search runs over: those of a pool, or a part of them. Arrays are by machine number, in pool
 * order.
 */
export interface MachineView {
  readonly count: number;
  readonly capacityCores: Int32Array;
  readonly capacityMemory: Int32Array;
  readonly capacityGpu: Int32Array;
  readonly freeCores: Int32Array;
  readonly freeMemory: Int32Array;
  readonly freeGpu: Int32Array;
  /** Not 0 if a search must not find the machine. */
  readonly closed: Uint8Array;
  readonly considersGpu: boolean;
  watch(watcher: MachineWatcher): void;
  unwatch(watcher: MachineWatcher): void;
}
