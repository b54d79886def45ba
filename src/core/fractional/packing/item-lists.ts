import type { Packing } from "./packing.ts";
import { WaitingItems } from "./waiting-items.ts";

/** Items with the same largest dimensions. */
export interface ItemList {
  /** Those dimensions, the largest first, or in their own order where that of the sizes does not count. */
  readonly largest: Int32Array;
  /** In the order given. */
  readonly items: Int32Array;
  /** Entry [position in the list]: the place in the order of all items. */
  readonly places: Int32Array;
  readonly waiting: WaitingItems;
}

/** Splits items, in their order, by their `window` largest dimensions; equal ones: the lower dimension first. */
export function splitByLargest(
  packing: Packing,
  items: Int32Array,
  window: number,
  isOrdered: boolean,
  scale: Float64Array,
): ItemList[] {
  const { size, width, dimensions } = packing;
  const lists = new Map<number, { largest: Int32Array; places: number[] }>();
  const byDimension = new Int32Array(dimensions);
  for (let place = 0; place < items.length; place++) {
    const at = items[place] * width;
    for (let d = 0; d < dimensions; d++) {
      const value = size[at + d] * scale[d];
      let to = d;
      for (; to > 0 && value > size[at + byDimension[to - 1]] * scale[byDimension[to - 1]]; to--)
        byDimension[to] = byDimension[to - 1];
      byDimension[to] = d;
    }
    const largest = byDimension.subarray(0, window);
    if (!isOrdered) largest.sort();
    let key = 0;
    for (let i = 0; i < window; i++) key = key * dimensions + largest[i];
    const list = lists.get(key);
    if (list === undefined) lists.set(key, { largest: largest.slice(), places: [place] });
    else list.places.push(place);
  }
  return [...lists.values()].map(({ largest, places }) => {
    const listed = Int32Array.from(places, (place) => items[place]);
    const waiting = new WaitingItems(packing, listed);
    return { largest, items: listed, places: Int32Array.from(places), waiting };
  });
}
