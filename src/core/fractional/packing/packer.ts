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
