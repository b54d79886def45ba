import type { Packing } from "./packing.ts";

/** A vector packing algorithm, ready to run. */
export interface Packer {
  /**
   * Packs the items at the yield that is set.
   * @param binOf Entry [item]: where it went, if the result is true.
   * @returns whether all items found a bin.
   */
  pack(packing: Packing, binOf: Int32Array): boolean;
}

/**
 * The members of a meta algorithm, by how likely one of them is the best; the best first in each. They
 * are made when they are needed: on 40 services that is half a millisecond of two.
 */
export interface PackerTiers {
  /** Tried first, at the bound, which it often reaches. */
  readonly first: Packer;
  /** Tried again and again. */
  readonly leading: () => readonly Packer[];
  /** Tried once each above what the leading ones reach. */
  readonly following: () => readonly Packer[];
  /** Tried where all others find nothing. */
  readonly fallback: () => readonly Packer[];
}
