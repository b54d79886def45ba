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

/** Vectors of `dimensions` coordinates, `stride` apart, that are to be sorted. */
export interface Vectors {
  readonly values: Float64Array;
  readonly count: number;
  readonly dimensions: number;
  readonly stride: number;
  /** What the coordinates are multiplied by before they are compared. */
  readonly scale: Float64Array;
}

/**
 * The numbers of the vectors in that order; equal ones in the order given.
 * @param before The same numbers in an order that may be close to that: it then takes less time.
 */
export function sorted(vectors: Vectors, order: Order, before?: Int32Array): Int32Array {
  const { count } = vectors;
  const indices = before?.slice() ?? new Int32Array(count).map((_, i) => i);
  if (order === "given") return indices;
  const sign = order.startsWith("descending") ? -1 : 1;
  const measure = order.slice(order.indexOf("-") + 1) as Measure;
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++)
    keys[i] = sign * (measure === "lex" ? vectors.values[i * vectors.stride] : measured(vectors, i, measure));
  const tie =
    measure === "lex"
      ? (a: number, b: number) => sign * lexicographic(vectors, a, b) || a - b
      : (a: number, b: number) => a - b;
  if (before === undefined || !insertionSorted(indices, keys, tie))
    indices.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : tie(a, b)));
  return indices;
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

function lexicographic({ values, dimensions, stride }: Vectors, a: number, b: number): number {
  for (let d = 0; d < dimensions; d++) {
    const difference = values[a * stride + d] - values[b * stride + d];
    if (difference !== 0) return difference;
  }
  return 0;
}

function measured(
  { values, dimensions, stride, scale }: Vectors,
  i: number,
  measure: Exclude<Measure, "lex">,
): number {
  let max = 0;
  let min = Infinity;
  let sum = 0;
  for (let d = 0; d < dimensions; d++) {
    const value = values[i * stride + d] * scale[d];
    if (value > max) max = value;
    if (value < min) min = value;
    sum += value;
  }
  switch (measure) {
    case "max":
      return max;
    case "sum":
      return sum;
    case "dif":
      return max - min;
    case "ratio":
      return max === 0 ? 1 : max / min;
  }
}
