import { NONE } from "../../../core/none.ts";
import { TOLERANCE } from "../instance.ts";
import type { ItemList } from "./item-lists.ts";
import type { Packing } from "./packing.ts";
import { classAt } from "./size-classes.ts";

/** More largest dimensions a list would not fit the key that lists are ranked by. */
export const MAX_WINDOW = 8;

/** So many lists take as long to rank as an item takes to be packed. */
const LISTS_A_UNIT = 8;

/** Fills bins one after the other. In each, the lists come first whose items suit the room that is left. */
export class Filling {
  private readonly packing: Packing;
  private readonly lists: readonly ItemList[];
  /** So many of the first ranks count as equal: Choose Pack ignores their order. */
  private readonly equalRanks: number;
  private readonly scale: Float64Array;
  private readonly room: Float64Array;
  /** Entry [coordinate]: the size class of the room. */
  private readonly classes: Int32Array;
  /** Entry [list]: the position to search from; what comes before does not fit this bin any more. */
  private readonly from: Int32Array;
  /** Entry [dimension]: its list, or `NONE`; null where lists are of several. */
  private readonly listOf: Int32Array | null;
  /** Entry [list]: its rank among the lists; the lowest comes first. */
  private readonly key: Float64Array;
  private readonly dimensionsByRoom: Int32Array;
  private readonly rank: Int32Array;
  private readonly ranks: Int32Array;
  /**
   * Entry [d]: how much room may still be wasted in closed bins if all remaining items are to fit, and how much of
   * that may be rounding.
   */
  private readonly spare: Float64Array;
  private readonly allSpare: Float64Array;
  private readonly rounding: Float64Array;

  constructor(packing: Packing, lists: readonly ItemList[], equalRanks: number, scale: Float64Array) {
    const { dimensions, width, capacity, size } = packing;
    this.packing = packing;
    this.lists = lists;
    this.equalRanks = equalRanks;
    this.scale = scale;
    this.room = new Float64Array(width);
    this.classes = new Int32Array(width);
    this.from = new Int32Array(lists.length);
    this.key = new Float64Array(lists.length);
    this.listOf = lists[0]?.largest.length === 1 ? new Int32Array(dimensions).fill(NONE) : null;
    if (this.listOf !== null)
      for (let list = 0; list < lists.length; list++) this.listOf[lists[list].largest[0]] = list;
    this.dimensionsByRoom = new Int32Array(dimensions);
    this.rank = new Int32Array(dimensions).fill(NONE);
    this.ranks = new Int32Array(MAX_WINDOW);
    this.allSpare = new Float64Array(dimensions);
    for (let at = 0; at < capacity.length; at += width)
      for (let d = 0; d < dimensions; d++) this.allSpare[d] += capacity[at + d];
    this.rounding = new Float64Array(dimensions);
    for (let d = 0; d < dimensions; d++) {
      this.dimensionsByRoom[d] = d;
      this.rounding[d] = TOLERANCE * this.allSpare[d];
    }
    for (let at = 0; at < size.length; at += width)
      for (let d = 0; d < dimensions; d++) this.allSpare[d] -= size[at + d];
    this.spare = new Float64Array(dimensions);
  }

  /** Packs all items into the bins in that order, as `Packer.pack`. */
  pack(bins: Int32Array, binOf: Int32Array): boolean {
    this.reset();
    const { items } = this.packing;
    let left = items;
    let opened = 0;
    let isTooMuch = false;
    while (left > 0 && opened < bins.length && !isTooMuch) {
      const bin = bins[opened++];
      this.open(bin);
      for (let item = this.next(); item !== NONE; item = this.next()) {
        binOf[item] = bin;
        left--;
      }
      isTooMuch = this.hasWastedTooMuch();
    }
    // For each bin the items were searched once more than it took items.
    const offered = items - left + opened;
    this.packing.offered += offered;
    this.packing.work += offered * (1 + this.lists.length / LISTS_A_UNIT);
    return left === 0;
  }

  /** All items wait again, and all bins. */
  private reset(): void {
    for (let list = 0; list < this.lists.length; list++) this.lists[list].waiting.reset();
    this.spare.set(this.allSpare);
  }

  private open(bin: number): void {
    const { width, capacity, isIndexed } = this.packing;
    for (let c = 0; c < width; c++) {
      this.room[c] = capacity[bin * width + c];
      if (isIndexed) this.classes[c] = classAt(this.packing.classes().least[c], this.room[c]);
    }
    this.from.fill(0);
  }

  /** The item to put into the bin next, which is taken to be put there; -1 where none fits. */
  private next(): number {
    const lists = this.lists;
    if (lists.length === 1) return this.firstOf(0) === NONE ? NONE : this.take(0);
    const isStrict = this.sortDimensions();
    if (isStrict && this.listOf !== null) return this.nextByRoom(this.listOf);
    this.rankLists();
    let least = Infinity;
    for (let list = 0; list < lists.length; list++)
      if (this.from[list] !== NONE && this.key[list] < least) least = this.key[list];
    // Mostly the lists of the lowest key have an item; if not, all others are searched at once.
    let best = this.firstOfRank(least, least);
    if (best === NONE) best = this.firstOfRank(least, Infinity);
    return best === NONE ? NONE : this.take(best);
  }

  /** Closes the bin. Whether the remaining items are more than the remaining bins can hold. */
  private hasWastedTooMuch(): boolean {
    let isTooMuch = false;
    for (let d = 0; d < this.spare.length; d++) {
      this.spare[d] -= this.room[d];
      if (this.spare[d] < -this.rounding[d]) isTooMuch = true;
    }
    return isTooMuch;
  }

  /**
   * Of the lists with a key from `least` to `most` that have an item that fits: the one with the lowest key, and of
   * equal keys the one whose item comes first. -1 if none has an item.
   */
  private firstOfRank(least: number, most: number): number {
    let best = NONE;
    let bestKey = most;
    let bestPlace = Infinity;
    for (let list = 0; list < this.lists.length; list++) {
      const key = this.key[list];
      if (this.from[list] === NONE || key < least || key > bestKey) continue;
      const position = this.firstOf(list);
      if (position === NONE) continue;
      const place = this.lists[list].places[position];
      if (key < bestKey || place < bestPlace) {
        best = list;
        bestKey = key;
        bestPlace = place;
      }
    }
    return best;
  }

  /** The position of the list's first item that fits. */
  private firstOf(list: number): number {
    const position = this.lists[list].waiting.first(this.room, this.classes, this.from[list]);
    this.from[list] = position;
    return position;
  }

  private take(list: number): number {
    const { size, width, dimensions, isIndexed } = this.packing;
    const position = this.from[list];
    const item = this.lists[list].items[position];
    this.lists[list].waiting.remove(position);
    for (let d = 0; d < dimensions; d++) this.room[d] -= size[item * width + d];
    if (isIndexed) this.lowerClasses();
    return item;
  }

  private lowerClasses(): void {
    const { least } = this.packing.classes();
    for (let d = 0; d < this.packing.dimensions; d++)
      while (this.classes[d] >= 0 && least[d][this.classes[d]] > this.room[d]) this.classes[d]--;
  }

  /** As the rest of `next`, for lists of one dimension each, where the room of the bin differs in all dimensions. */
  private nextByRoom(listOf: Int32Array): number {
    const byRoom = this.dimensionsByRoom;
    const from = this.from;
    for (let i = 0; i < byRoom.length; i++) {
      const list = listOf[byRoom[i]];
      if (list === NONE || from[list] === NONE) continue;
      if (this.firstOf(list) !== NONE) return this.take(list);
    }
    return NONE;
  }

  /** Sorts dimensions by the room that the bin has in them; whether it is different in all. */
  private sortDimensions(): boolean {
    const byRoom = this.dimensionsByRoom;
    const room = this.room;
    const scale = this.scale;
    let isStrict = true;
    // Insertion sort, the most room first: there are few, and they hardly change.
    for (let i = 1; i < byRoom.length; i++) {
      const d = byRoom[i];
      const key = room[d] * scale[d];
      let at = i;
      for (; at > 0; at--) {
        const before = byRoom[at - 1];
        const difference = room[before] * scale[before] - key;
        if (difference === 0) isStrict = false;
        if (difference > 0 || (difference === 0 && d > before)) break;
        byRoom[at] = before;
      }
      byRoom[at] = d;
    }
    return isStrict;
  }

  /** Ranks dimensions by their room, and lists by the ranks of their items' largest. */
  private rankLists(): void {
    const byRoom = this.dimensionsByRoom;
    const room = this.room;
    const scale = this.scale;
    let rank = 0;
    let isNew = false;
    for (let i = 0; i < byRoom.length; i++) {
      const d = byRoom[i];
      const isEqual = i > 0 && room[d] * scale[d] === room[byRoom[i - 1]] * scale[byRoom[i - 1]];
      if (i >= this.equalRanks && i > 0 && !isEqual) rank++;
      if (this.rank[d] !== rank) isNew = true;
      this.rank[d] = rank;
    }
    if (!isNew) return;
    for (let list = 0; list < this.lists.length; list++) this.key[list] = this.keyOf(this.lists[list]);
  }

  private keyOf({ largest }: ItemList): number {
    const ranks = this.ranks;
    const count = largest.length;
    for (let i = 0; i < count; i++) {
      const rank = this.rank[largest[i]];
      let at = i;
      // Choose Pack ignores the order of the largest dimensions.
      if (this.equalRanks > 1) for (; at > 0 && ranks[at - 1] > rank; at--) ranks[at] = ranks[at - 1];
      ranks[at] = rank;
    }
    let key = 0;
    for (let i = 0; i < count; i++) key = key * this.rank.length + ranks[i];
    return key;
  }
}
