import { OpenBins } from "./open-bins.ts";
import type { Order } from "./orders.ts";
import type { Packer } from "./packer.ts";
import { ScannedBins } from "./scanned-bins.ts";

/** Each item in turn goes to the first bin with room for it. */
export function firstFit(itemOrder: Order, binOrder: Order, isScaled = false): Packer {
  return {
    pack(packing, binOf) {
      const order = packing.binOrder(binOrder, isScaled);
      const bins = packing.shared(`open bins ${binOrder}, ${isScaled}`, () =>
        packing.isIndexed ? new OpenBins(packing, order) : new ScannedBins(packing, order, isScaled),
      );
      bins.reset();
      const items = packing.itemOrder(itemOrder, isScaled);
      for (let i = 0; i < items.length; i++) {
        const item = items[i];
        const position = bins.first(item);
        packing.offered++;
        packing.work++;
        if (position === -1) return false;
        binOf[item] = order[position];
        bins.put(item, position);
      }
      return true;
    },
  };
}
