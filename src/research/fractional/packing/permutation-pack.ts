import { Filling, MAX_WINDOW } from "./filling.ts";
import { listsOf, partByLargest } from "./item-lists.ts";
import type { Order } from "./orders.ts";
import type { Packer } from "./packer.ts";

/**
 * Permutation Pack and Choose Pack (Leinberger, Karypis and Kumar 1999; Stillwell and others,
 * JPDC 2010): bins are filled one after the other, each with items that work
 * against its imbalance.
 *
 * Items are in lists by their `window` largest dimensions: in that order for Permutation
 * Pack, in any order for Choose Pack. The lists whose largest dimensions are those in which
 * the bin has the most room come first, and of a list the first item that fits.
 * Unequal bins: room counts, not load (Stillwell and others, IPDPS 2012).
 */
export function permutationPack(
  kind: "permutation" | "choose",
  window: number,
  itemOrder: Order,
  binOrder: Order,
  isScaled = false,
): Packer {
  const partitionKey = `${kind}, ${window}, ${isScaled}`;
  const key = `${partitionKey}, ${itemOrder}`;
  return {
    pack(packing, binOf) {
      const filling = packing.shared(key, () => {
        const w = Math.min(window, packing.dimensions, MAX_WINDOW);
        const scale = packing.scale(isScaled);
        const partition = packing.shared(partitionKey, () =>
          partByLargest(packing, w, kind === "permutation", scale),
        );
        const lists = listsOf(packing, partition, packing.itemOrder(itemOrder, isScaled));
        return new Filling(packing, lists, kind === "permutation" ? 1 : w, scale);
      });
      return filling.pack(packing.binOrder(binOrder, isScaled), binOf);
    },
  };
}
