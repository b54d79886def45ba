import { lengthened } from "../arrays.ts";

/** Up to so many numbers are inserted into a list one by one when it is sorted; more are sorted by the runtime. */
const FEW = 12;

/** Distinct numbers in ascending order. Many are taken out and put in at once, in one pass over those in between. */
export class SortedNumbers {
  /** The numbers: the first `length` entries. */
  values = new Float64Array(64);
  length = 0;
  private merged = new Float64Array(64);

  /** The index of the first number above this one. */
  indexAfter(value: number): number {
    const { values } = this;
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Takes numbers out that are there, and puts others in. Sorts both lists.
   *
   * @param out the numbers to take out: the first `outCount` of the list
   * @param into the numbers to put in: the first `intoCount` of the list
   */
  update(out: Float64Array, outCount: number, into: Float64Array, intoCount: number): void {
    if (outCount + intoCount === 0) return;
    sort(out, outCount);
    sort(into, intoCount);
    const length = this.length + intoCount - outCount;
    if (length > this.values.length) this.lengthen(length);
    const { values, merged } = this;
    const first = Math.min(outCount > 0 ? out[0] : Infinity, intoCount > 0 ? into[0] : Infinity);
    const last = Math.max(
      outCount > 0 ? out[outCount - 1] : -Infinity,
      intoCount > 0 ? into[intoCount - 1] : -Infinity,
    );
    const start = this.indexAfter(first - 0.5);
    const end = this.indexAfter(last);
    let at = start;
    let to = 0;
    let o = 0;
    for (let i = 0; i < intoCount; i++) {
      const value = into[i];
      for (; at < end && values[at] < value; at++) {
        if (o < outCount && values[at] === out[o]) o++;
        else merged[to++] = values[at];
      }
      merged[to++] = value;
    }
    for (; at < end; at++) {
      if (o < outCount && values[at] === out[o]) o++;
      else merged[to++] = values[at];
    }
    if (start + to !== end) values.copyWithin(start + to, end, this.length);
    for (let i = 0; i < to; i++) values[start + i] = merged[i];
    this.length = length;
  }

  clear(): void {
    this.length = 0;
  }

  private lengthen(length: number): void {
    this.values = lengthened(this.values, length * 2);
    this.merged = new Float64Array(length * 2);
  }
}

function sort(numbers: Float64Array, count: number): void {
  if (count > FEW) {
    numbers.subarray(0, count).sort();
    return;
  }
  for (let i = 1; i < count; i++) {
    const value = numbers[i];
    let at = i;
    for (; at > 0 && numbers[at - 1] > value; at--) numbers[at] = numbers[at - 1];
    numbers[at] = value;
  }
}
