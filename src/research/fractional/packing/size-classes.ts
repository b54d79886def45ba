/**
 * The number of classes in each coordinate, and so of rows of bits. With 250 or 2,000 services 16 rows took a tenth
 * to a fifth less time than 64, as rows have to be made; with 100,000 twice as much.
 */
const FEW_CLASSES = 16;
const MANY_CLASSES = 64;
const MANY_ITEMS = 8192;
/** The number of sizes sampled to set the limits of the classes. */
const SAMPLE = 1024;

/**
 * The sizes of items in each coordinate, in classes of about as many items each: what the
 * bitmaps of bins and items have a row for.
 */
export class SizeClasses {
  /** No coordinate has more classes. */
  readonly most: number;
  /** Entry [coordinate]: the least size of each class, ascending; the first is 0. */
  readonly least: readonly Float64Array[];
  /** Entry [item * width + coordinate]. */
  readonly classOf: Uint8Array;

  constructor(size: Float64Array, items: number, width: number) {
    this.most = items < MANY_ITEMS ? FEW_CLASSES : MANY_CLASSES;
    this.least = Array.from({ length: width }, (_, c) =>
      classStarts(sampled(size, items, width, c), this.most),
    );
    this.classOf = new Uint8Array(items * width);
    for (let at = 0, item = 0; item < items; item++)
      for (let c = 0; c < width; c++, at++) this.classOf[at] = classAt(this.least[c], size[at]);
  }
}

/** The class of a size or of room: the last that begins at no more; -1 for less than 0. */
export function classAt(least: Float64Array, value: number): number {
  let low = 0;
  let high = least.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (least[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The sizes of some items in that coordinate, ascending. */
function sampled(size: Float64Array, items: number, width: number, c: number): Float64Array {
  const step = Math.max(1, Math.floor(items / SAMPLE));
  const sample = new Float64Array(Math.ceil(items / step));
  for (let i = 0; i < sample.length; i++) sample[i] = size[i * step * width + c];
  return sample.sort();
}

function classStarts(sample: Float64Array, most: number): Float64Array {
  const starts = [0];
  for (let i = 1; i < most; i++) {
    const start = sample[Math.floor((i * sample.length) / most)];
    if (start > starts[starts.length - 1]) starts.push(start);
  }
  return Float64Array.from(starts);
}
