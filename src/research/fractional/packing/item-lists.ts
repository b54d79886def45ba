import type { Packing } from "./packing.ts";
import { ScannedItems } from "./scanned-items.ts";
import { WaitingItems } from "./waiting-items.ts";

/** Items with the same largest dimensions. */
export interface ItemList {
  /** Those dimensions, the largest first; in ascending order of their numbers if the order of sizes is ignored. */
  readonly largest: Int32Array;
  /** In the order given. */
  readonly items: Int32Array;
  /** Entry [position in the list]: the place in the order of all items. */
  readonly places: Int32Array;
  readonly waiting: WaitingItems | ScannedItems;
}

/** Which items have the same largest dimensions. */
export interface Partition {
  /** Entry [list]: see `ItemList`. */
  readonly largest: readonly Int32Array[];
  /** Entry [item]: its list. */
  readonly listOf: Int32Array;
  /** Entry [list]: how many items it has. */
  readonly counts: readonly number[];
}

/** Parts items by their `window` largest dimensions; equal ones: the lower dimension first. */
export function partByLargest(
  packing: Packing,
  window: number,
  isOrdered: boolean,
  scale: Float64Array,
): Partition {
  const { size, width, dimensions, items } = packing;
  const byDimension = new Int32Array(dimensions);
  const listOf = new Int32Array(items);
  const listOfKey = new Map<number, number>();
  const largest: Int32Array[] = [];
  const counts: number[] = [];
  for (let item = 0; item < items; item++) {
    const at = item * width;
    for (let d = 0; d < dimensions; d++) {
      const value = size[at + d] * scale[d];
      let to = d;
      for (; to > 0 && value > size[at + byDimension[to - 1]] * scale[byDimension[to - 1]]; to--)
        byDimension[to] = byDimension[to - 1];
      byDimension[to] = d;
    }
    if (!isOrdered) byDimension.subarray(0, window).sort();
    let key = 0;
    for (let i = 0; i < window; i++) key = key * dimensions + byDimension[i];
    let list = listOfKey.get(key);
    if (list === undefined) {
      list = largest.length;
      listOfKey.set(key, list);
      largest.push(byDimension.slice(0, window));
      counts.push(0);
    }
    listOf[item] = list;
    counts[list]++;
  }
  return { largest, listOf, counts };
}

/** The parts, each in that order of the items. */
export function listsOf(
  packing: Packing,
  { largest, listOf, counts }: Partition,
  items: Int32Array,
): ItemList[] {
  const listed = counts.map((count) => new Int32Array(count));
  const places = counts.map((count) => new Int32Array(count));
  const filled = new Int32Array(counts.length);
  for (let place = 0; place < items.length; place++) {
    const list = listOf[items[place]];
    const position = filled[list]++;
    listed[list][position] = items[place];
    places[list][position] = place;
  }
  return largest.map((dimensionsOfList, list) => {
    const waiting = packing.isIndexed
      ? new WaitingItems(packing, listed[list])
      : new ScannedItems(packing, listed[list]);
    return { largest: dimensionsOfList, items: listed[list], places: places[list], waiting };
  });
}
