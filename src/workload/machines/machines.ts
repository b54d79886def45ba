import type { MachineAttributes } from "../farm/farm.ts";

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
  /** What machines say of themselves beside their size, for requirements; absent: nothing. */
  readonly attributes?: MachineAttributeColumn;
  /** What the reader has to say of the list; absent: nothing. */
  readonly notes?: readonly MachinesNote[];
}

/** Machine `row` has the attributes `sets[codes[row]]`: many machines share few sets. */
export interface MachineAttributeColumn {
  readonly codes: Int32Array;
  readonly sets: readonly MachineAttributes[];
}

/** Something that a reader left out, mended or doubts: nothing is done in silence. */
export interface MachinesNote {
  /** In a person's words: `left out: no cores told`. */
  readonly what: string;
  /** How many machines, rows or columns it is about. */
  readonly count: number;
  /** The first few of them, with what there is to say of each. */
  readonly examples: readonly string[];
}
