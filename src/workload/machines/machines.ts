import type { MachineAttributes } from "../farm/farm.ts";

/** The machines of a farm, one in a row, in the pool's own order. */
export interface Machines {
  /** The name of the list: the shorthand itself, or the file's name. */
  readonly name: string;
  readonly count: number;
  /** A unique name for each machine, shown in schedule files. */
  readonly ids: readonly string[];
  /** Thousandths of a core of each machine, 1 or more. */
  readonly coresMilli: Int32Array;
  /** MiB of each machine; null if memory is not considered. */
  readonly memoryMiB: Int32Array | null;
  /** Thousandths of a GPU of each machine; null if GPUs are not considered. */
  readonly gpuMilli: Int32Array | null;
  /** The attributes of machines beside their size, for requirements; absent: none. */
  readonly attributes?: MachineAttributeColumn;
  /** The reader's notes on the list; absent: none. */
  readonly notes?: readonly MachinesNote[];
}

/** Machine `row` has the attributes `sets[codes[row]]`, since many machines share few sets. */
export interface MachineAttributeColumn {
  readonly codes: Int32Array;
  readonly sets: readonly MachineAttributes[];
}

/** Something that a reader left out, repaired or doubts, so that none of it is silent. */
export interface MachinesNote {
  /** In words for people: `left out: no cores told`. */
  readonly what: string;
  /** The number of machines, rows or columns concerned. */
  readonly count: number;
  /** The first few of them, with a remark on each. */
  readonly examples: readonly string[];
}
