import { NONE } from "../../../core/none.ts";
import { Filling } from "./filling.ts";
import { listsOf, partByLargest } from "./item-lists.ts";
import { OpenBins } from "./open-bins.ts";
import type { Order } from "./orders.ts";
import type { Packer } from "./packer.ts";
import type { Packing } from "./packing.ts";

/**
 * Each item in turn goes to the first bin with room for it.
 *
 * Filling bins one after the other, each with all items that fit in their order, gives the same packing: an item that
 * did not fit a bin at its turn does not fit it later either, since room only shrinks. On a small packing this takes
 * less time, since a bin that wastes too much room ends it early.
 */
export function firstFit(itemOrder: Order, binOrder: Order, isScaled = false): Packer {
  const fillingKey = `first fit, ${itemOrder}, ${isScaled}`;
  const openBinsKey = `open bins ${binOrder}, ${isScaled}`;
  return {
    pack(packing, binOf) {
      const items = packing.itemOrder(itemOrder, isScaled);
      const bins = packing.binOrder(binOrder, isScaled);
      if (!packing.isIndexed)
        return packing.shared(fillingKey, () => fillingOf(packing, items)).pack(bins, binOf);
      const open = packing.shared(openBinsKey, () => new OpenBins(packing, bins));
      open.reset();
      for (let i = 0; i < items.length; i++) {
        const item = items[i];
        const position = open.first(item);
        packing.offered++;
        packing.work++;
        if (position === NONE) return false;
        binOf[item] = bins[position];
        open.put(item, position);
      }
      return true;
    },
  };
}

function fillingOf(packing: Packing, items: Int32Array): Filling {
  const scale = packing.scale(false);
  // By none of the dimensions: all in one list.
  const whole = packing.shared("whole", () => partByLargest(packing, 0, true, scale));
  return new Filling(packing, listsOf(packing, whole, items), 1, scale);
}
