/**
 * What vectors, services or hosts, are sorted by (Stillwell and others, JPDC 2010): their
 * coordinates' maximum, sum, lexicographic order, and the ratio and the difference
 * of the largest to the smallest; descending or ascending. `given`: as in the file.
 */
export type Measure = "max" | "sum" | "lex" | "ratio" | "dif";
export type Order = "given" | `${"descending" | "ascending"}-${Measure}`;

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

/** With more moves than so many an item sorting from the start takes less time. */
const MOVES_AN_ITEM = 8;

/** Vectors in the orders that are asked for. */
export class Vectors {
  readonly #values: Float64Array;
  readonly #count: number;
  readonly #dimensions: number;
  readonly #stride: number;
  readonly #scale: Float64Array;
  /** Entry [vector], of each measure; of `lex` it is the first coordinate. */
  #measures: Readonly<Record<Measure, Float64Array>> | null = null;
  #isMeasured = false;
  readonly #orders = new Map<Order, Int32Array>();
  /** As they were before the values changed, which is mostly close. */
  readonly #before = new Map<Order, Int32Array>();

  /**
   * @param values Of `dimensions` coordinates each, `stride` apart.
   * @param scale What the coordinates are multiplied by before they are compared.
   */
  constructor(values: Float64Array, dimensions: number, stride: number, scale: Float64Array) {
    this.#values = values;
    this.#count = values.length / stride;
    this.#dimensions = dimensions;
    this.#stride = stride;
    this.#scale = scale;
  }

  /** To be told when values have changed. */
  changed(): void {
    this.#isMeasured = false;
    this.#orders.clear();
  }

  /** The numbers of the vectors in that order, equal ones in the order given; not to be written to. */
  inOrder(order: Order): Int32Array {
    const known = this.#orders.get(order);
    if (known !== undefined) return known;
    const made = this.#sorted(order, this.#before.get(order));
    this.#orders.set(order, made);
    this.#before.set(order, made);
    return made;
  }

  #sorted(order: Order, before: Int32Array | undefined): Int32Array {
    const indices = before?.slice() ?? new Int32Array(this.#count).map((_, i) => i);
    if (order === "given") return indices;
    const sign = order.startsWith("descending") ? -1 : 1;
    const measure = order.slice(order.indexOf("-") + 1) as Measure;
    const ascending = this.#measured()[measure];
    const keys = sign === 1 ? ascending : ascending.map((value) => -value);
    const tie =
      measure === "lex"
        ? (a: number, b: number) => sign * this.#lexicographic(a, b) || a - b
        : (a: number, b: number) => a - b;
    if (before === undefined || !insertionSorted(indices, keys, tie))
      indices.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : tie(a, b)));
    return indices;
  }

  /** All at once, as mostly all are asked for. */
  #measured(): Readonly<Record<Measure, Float64Array>> {
    const entries = (): Float64Array => new Float64Array(this.#count);
    this.#measures ??= { max: entries(), sum: entries(), lex: entries(), ratio: entries(), dif: entries() };
    if (this.#isMeasured) return this.#measures;
    this.#isMeasured = true;
    const { max, sum, lex, ratio, dif } = this.#measures;
    const values = this.#values;
    const scale = this.#scale;
    for (let i = 0; i < this.#count; i++) {
      const at = i * this.#stride;
      let most = 0;
      let least = Infinity;
      let total = 0;
      for (let d = 0; d < this.#dimensions; d++) {
        const value = values[at + d] * scale[d];
        if (value > most) most = value;
        if (value < least) least = value;
        total += value;
      }
      max[i] = most;
      sum[i] = total;
      lex[i] = values[at];
      ratio[i] = most === 0 ? 1 : most / least;
      dif[i] = most - least;
    }
    return this.#measures;
  }

  #lexicographic(a: number, b: number): number {
    for (let d = 0; d < this.#dimensions; d++) {
      const difference = this.#values[a * this.#stride + d] - this.#values[b * this.#stride + d];
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
