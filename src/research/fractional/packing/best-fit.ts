import type { Order } from "./orders.ts";
import type { Packer } from "./packer.ts";
import { RoomOrder } from "./room-order.ts";
import { ScannedBins } from "./scanned-bins.ts";

/** The work of packing an item, relative to first fit. */
const WORK = 4;

/** Each item in turn goes to the bin with the least room in total, of those with room for it. */
export function bestFit(itemOrder: Order, isScaled = false): Packer {
  return {
    pack(packing, binOf) {
      const bins = packing.isIndexed ? new RoomOrder(packing, isScaled) : new ScannedBins(packing, isScaled);
      const items = packing.itemOrder(itemOrder, isScaled);
      for (let i = 0; i < items.length; i++) {
        const item = items[i];
        const bin = bins.fullest(item);
        packing.offered++;
        packing.work += WORK;
        if (bin === -1) return false;
        binOf[item] = bin;
        bins.put(item, bin);
      }
      return true;
    },
  };
}
