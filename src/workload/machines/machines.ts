/** The machines of a farm, one row a machine, in the pool's own order. */
export interface Machines {
  /** What people call the list: the shorthand itself, or the file's name. */
  readonly name: string;
  readonly count: number;
  /** One name a machine, unique; the schedule file shows it. */
  readonly ids: readonly string[];
  /** Thousandths of a core each machine is configured with, 1 or more. */
  readonly coresMilli: Int32Array;
  /** MiB each machine is configured with; null: memory is not considered at all. */
  readonly memoryMiB: Int32Array | null;
  /** Thousandths of a GPU each machine is configured with; null: GPUs are not considered. */
  readonly gpuMilli: Int32Array | null;
}
