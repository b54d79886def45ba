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
 * The members of a meta algorithm in tiers, by how likely they are to be the best; within a tier, the likeliest
 * first. They are made only when needed: with 40 services, making them takes half a millisecond of two.
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
