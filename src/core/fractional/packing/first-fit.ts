import { Filling } from "./filling.ts";
import { splitByLargest } from "./item-lists.ts";
import { OpenBins } from "./open-bins.ts";
import type { Order } from "./orders.ts";
import type { Packer } from "./packer.ts";
import type { Packing } from "./packing.ts";

/** Each item in turn goes to the first bin with room for it. */
export function firstFit(itemOrder: Order, binOrder: Order, isScaled = false): Packer {
  const pack = (packing: Packing, binOf: Int32Array): boolean =>
    packing.isIndexed
      ? itemByItem(packing, itemOrder, binOrder, isScaled, binOf)
      : binByBin(packing, itemOrder, binOrder, isScaled, binOf);
  return { pack };
}

function itemByItem(
  packing: Packing,
  itemOrder: Order,
  binOrder: Order,
  isScaled: boolean,
  binOf: Int32Array,
): boolean {
  const order = packing.binOrder(binOrder, isScaled);
  const bins = packing.shared(`open bins ${binOrder}, ${isScaled}`, () => new OpenBins(packing, order));
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
}

/**
 * The same packing: who passes a bin on his turn does not fit what those before him left of it, nor what is left
 * later. On a small packing it takes less time, as a bin that wastes too much ends it.
 */
function binByBin(
  packing: Packing,
  itemOrder: Order,
  binOrder: Order,
  isScaled: boolean,
  binOf: Int32Array,
): boolean {
  const filling = packing.shared(`first fit, ${itemOrder}, ${isScaled}`, () => {
    const scale = packing.scale(isScaled);
    // By none of the dimensions: all in one list.
    const lists = splitByLargest(packing, packing.itemOrder(itemOrder, isScaled), 0, true, scale);
    return new Filling(packing, lists, 1, scale);
  });
  return filling.pack(packing.binOrder(binOrder, isScaled), binOf);
}
