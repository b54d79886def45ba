/**
 * What vectors, services or hosts, are sorted by (Stillwell and others, JPDC 2010): their
 * coordinates' maximum, sum, lexicographic order, and the ratio and the difference
 * of the largest to the smallest; descending or ascending. `given`: as in the file.
 */
export type Measure = "max" | "sum" | "lex" | "ratio" | "dif";
type SortedOrder = `${"descending" | "ascending"}-${Measure}`;
export type Order = "given" | SortedOrder;

/** Every order, those first by which services were packed best in trials. */
export const orders: readonly Order[] = [
  "descending-dif",
  "descending-sum",
  "descending-max",
  "descending-ratio",
  "descending-lex",
  "given",
  "ascending-sum",
  "ascending-max",
  "ascending-dif",
  "ascending-ratio",
  "ascending-lex",
];

/** If insertion sort needs more moves an item than this, sorting anew takes less time. */
const MOVES_AN_ITEM = 8;

/** Vectors in the orders that are asked for. */
export class Vectors {
  private readonly values: Float64Array;
  private readonly count: number;
  private readonly dimensions: number;
  private readonly stride: number;
  private readonly scale: Float64Array;
  /** Entry [vector]: its sort key in that order, ascending; in the orders by `lex`, that of the first coordinate. */
  private keysOfAll: Readonly<Record<SortedOrder, Float64Array>> | null = null;
  private hasKeys = false;
  private readonly orders = new Map<Order, Int32Array>();
  /** The orders before the values changed: mostly nearly right. */
  private readonly before = new Map<Order, Int32Array>();

  /**
   * @param values Of `dimensions` coordinates each, `stride` apart.
   * @param scale What the coordinates are multiplied by before they are compared.
   */
  constructor(values: Float64Array, dimensions: number, stride: number, scale: Float64Array) {
    this.values = values;
    this.count = values.length / stride;
    this.dimensions = dimensions;
    this.stride = stride;
    this.scale = scale;
  }

  /** To be told when values have changed. */
  changed(): void {
    this.hasKeys = false;
    this.orders.clear();
  }

  /** The numbers of the vectors in that order, equal ones in the order given; not to be written to. */
  inOrder(order: Order): Int32Array {
    const known = this.orders.get(order);
    if (known !== undefined) return known;
    const made = this.sorted(order, this.before.get(order));
    this.orders.set(order, made);
    this.before.set(order, made);
    return made;
  }

  private sorted(order: Order, before: Int32Array | undefined): Int32Array {
    const indices = before?.slice() ?? new Int32Array(this.count).map((_, i) => i);
    if (order === "given") return indices;
    const keys = this.keyed()[order];
    const lexSign = order === "ascending-lex" ? 1 : order === "descending-lex" ? -1 : 0;
    const tie =
      lexSign === 0
        ? (a: number, b: number) => a - b
        : (a: number, b: number) => lexSign * this.lexicographic(a, b) || a - b;
    if (before === undefined || !insertionSorted(indices, keys, tie))
      indices.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : tie(a, b)));
    return indices;
  }

  /** The keys of all orders at once, since mostly all are asked for. */
  private keyed(): Readonly<Record<SortedOrder, Float64Array>> {
    const count = this.count;
    this.keysOfAll ??= {
      "descending-max": new Float64Array(count),
      "descending-sum": new Float64Array(count),
      "descending-lex": new Float64Array(count),
      "descending-ratio": new Float64Array(count),
      "descending-dif": new Float64Array(count),
      "ascending-max": new Float64Array(count),
      "ascending-sum": new Float64Array(count),
      "ascending-lex": new Float64Array(count),
      "ascending-ratio": new Float64Array(count),
      "ascending-dif": new Float64Array(count),
    };
    const keys = this.keysOfAll;
    if (this.hasKeys) return keys;
    this.hasKeys = true;
    const values = this.values;
    const scale = this.scale;
    for (let i = 0; i < count; i++) {
      const at = i * this.stride;
      let max = 0;
      let min = Infinity;
      let sum = 0;
      for (let d = 0; d < this.dimensions; d++) {
        const value = values[at + d] * scale[d];
        if (value > max) max = value;
        if (value < min) min = value;
        sum += value;
      }
      const ratio = max === 0 ? 1 : max / min;
      keys["ascending-max"][i] = max;
      keys["ascending-sum"][i] = sum;
      keys["ascending-lex"][i] = values[at];
      keys["ascending-ratio"][i] = ratio;
      keys["ascending-dif"][i] = max - min;
      keys["descending-max"][i] = -max;
      keys["descending-sum"][i] = -sum;
      keys["descending-lex"][i] = -values[at];
      keys["descending-ratio"][i] = -ratio;
      keys["descending-dif"][i] = min - max;
    }
    return keys;
  }

  private lexicographic(a: number, b: number): number {
    for (let d = 0; d < this.dimensions; d++) {
      const difference = this.values[a * this.stride + d] - this.values[b * this.stride + d];
      if (difference !== 0) return difference;
    }
    return 0;
  }
}

/** Sorts what is nearly sorted; false where it turned out not to be, which leaves it half done. */
function insertionSorted(
  indices: Int32Array,
  keys: Float64Array,
  tie: (a: number, b: number) => number,
): boolean {
  let left = MOVES_AN_ITEM * indices.length;
  for (let i = 1; i < indices.length; i++) {
    const index = indices[i];
    const key = keys[index];
    let to = i;
    for (; to > 0; to--) {
      const other = indices[to - 1];
      if (keys[other] < key || (keys[other] === key && tie(other, index) < 0)) break;
      indices[to] = other;
    }
    indices[to] = index;
    left -= i - to;
    if (left < 0) return false;
  }
  return true;
}
