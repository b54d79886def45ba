import { doubled } from "../../arrays.ts";
import { MAX_MACHINES } from "../../machines/machine-state.ts";

/** Up to this many tied machines are compared one by one. */
const FEW_TIED = 16;

/**
 * Machines with equal free cores by free memory, then in pool order: their places in ascending order. A
 * place is a machine's free memory × `MAX_MACHINES` + its number, which a double holds exactly.
 */
export class Bucket {
  keys = new Float64Array(4);
  count = 0;
  /** No machine of the bucket is before this one in pool order. */
  lowest = MAX_MACHINES;
  /** What each of its machines has free. */
  readonly cores: number;

  constructor(cores: number) {
    this.cores = cores;
  }

  /** The index of the first place that is not below `key`. */
  atLeast(key: number): number {
    const keys = this.keys;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keys[middle] < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  insert(key: number): void {
    if (this.count === this.keys.length) this.keys = doubled(this.keys);
    const at = this.atLeast(key);
    this.keys.copyWithin(at + 1, at, this.count);
    this.keys[at] = key;
    this.count++;
    this.lowest = Math.min(this.lowest, key % MAX_MACHINES);
  }

  remove(key: number): void {
    const at = this.atLeast(key);
    this.keys.copyWithin(at, at + 1, this.count);
    this.count--;
  }
}

/** The first in pool order of a bucket's machines, from one place on. */
export function firstMachine({ keys, count }: Bucket, from: number): number {
  let first = keys[from] % MAX_MACHINES;
  for (let i = from + 1; i < count; i++) first = Math.min(first, keys[i] % MAX_MACHINES);
  return first;
}

/**
 * The first machine in pool order among bucket b's places not below `key`.
 *
 * If many tie, going through the pool finds the first of them sooner than going through all that tie (half the time of
 * Mix-Fit on RICC's 1,024 equal machines).
 *
 * @param bucketOf by machine: its bucket
 * @param placeOf by machine: its place there
 */
export function firstOfTied(
  b: number,
  bucket: Bucket,
  key: number,
  bucketOf: Int32Array,
  placeOf: Float64Array,
): number {
  const from = bucket.atLeast(key);
  if (bucket.count - from < FEW_TIED) return firstMachine(bucket, from);
  while (bucketOf[bucket.lowest] !== b) bucket.lowest++;
  let machine = bucket.lowest;
  while (bucketOf[machine] !== b || placeOf[machine] < key) machine++;
  return machine;
}
