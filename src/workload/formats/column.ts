const CHUNK_ROWS = 1 << 16;
const CHUNK_SHIFT = 16;
const CHUNK_MASK = CHUNK_ROWS - 1;

/**
 * A column of unknown length, filled row by row.
 *
 * It grows by chunks, which are let go one by one while the final array is
 * filled: thirteen million rows never exist twice. A chunk in which no row has
 * a value takes no memory.
 */
export class Column<T extends Float64Array | Int32Array> {
  #rows = 0;
  #chunk: T | null = null;
  readonly #chunks: (T | null)[] = [];
  readonly #allocate: (length: number) => T;
  readonly #missing: number;
  readonly #fill: number;

  /**
   * @param allocate makes an array for a chunk, on the heap.
   * @param missing what stands for "no value" when pushed; NaN, which equals nothing, where every row has one.
   * @param fill what such a row gets instead.
   */
  constructor(allocate: (length: number) => T, missing: number, fill: number) {
    this.#allocate = allocate;
    this.#missing = missing;
    this.#fill = fill;
  }

  push(value: number): void {
    const at = this.#rows & CHUNK_MASK;
    if (at === 0) {
      this.#chunk = null;
      this.#chunks.push(null);
    }
    this.#rows++;
    if (value !== this.#missing) (this.#chunk ?? this.#startChunk())[at] = value;
  }

  /** The value of a row; for a few rows only, as it is slow. */
  at(row: number): number {
    return this.#chunks[row >> CHUNK_SHIFT]?.[row & CHUNK_MASK] ?? this.#fill;
  }

  /** Whether any row has a value. */
  get some(): boolean {
    return this.#chunks.some((chunk) => chunk !== null);
  }

  /**
   * Moves the rows into `into`, which has their number, and empties the column.
   *
   * @param order the row to put at each place; null keeps them as they are.
   */
  moveTo(into: T, order: Uint32Array | null): T {
    const chunks = this.#chunks.splice(0);
    this.#chunk = null;
    const rows = into.length;
    if (order === null) {
      for (let first = 0; first < rows; first += CHUNK_ROWS) {
        const chunk = chunks[first >> CHUNK_SHIFT]!;
        chunks[first >> CHUNK_SHIFT] = null;
        const last = Math.min(rows, first + CHUNK_ROWS);
        if (chunk === null) into.fill(this.#fill, first, last);
        else into.set(chunk.subarray(0, last - first), first);
      }
    } else {
      for (let row = 0; row < rows; row++) {
        const from = order[row]!;
        into[row] = chunks[from >> CHUNK_SHIFT]?.[from & CHUNK_MASK] ?? this.#fill;
      }
    }
    return into;
  }

  #startChunk(): T {
    const chunk = this.#allocate(CHUNK_ROWS);
    if (this.#fill !== 0) chunk.fill(this.#fill);
    this.#chunks[this.#chunks.length - 1] = chunk;
    this.#chunk = chunk;
    return chunk;
  }
}

export function float64Column(missing = Number.NaN, fill = 0): Column<Float64Array> {
  return new Column((length) => new Float64Array(length), missing, fill);
}

export function int32Column(missing = Number.NaN, fill = 0): Column<Int32Array> {
  return new Column((length) => new Int32Array(length), missing, fill);
}
