import type { Packing } from "./packing.ts";

/** A vector packing algorithm, ready to run. */
export interface Packer {
  readonly name: string;
  /**
   * Packs the items at the yield that is set.
   * @param binOf Entry [item]: where it went, if the result is true.
   * @returns whether all items found a bin.
   */
  pack(packing: Packing, binOf: Int32Array): boolean;
}

/**
 * The members of a meta algorithm, by how likely one of them is the best; the best first in each. Those
 * that may not be needed are made when they are: the first call in a process takes half a millisecond less, of three.
 */
export interface PackerTiers {
  /** Tried again and again. */
  readonly leading: readonly Packer[];
  /** Tried once each above what the leading ones reach. */
  readonly following: () => readonly Packer[];
  /** Tried where all others find nothing. */
  readonly fallback: () => readonly Packer[];
}
