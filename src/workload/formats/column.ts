const CHUNK_ROWS = 1 << 16;
const CHUNK_SHIFT = 16;
const CHUNK_MASK = CHUNK_ROWS - 1;

/**
 * A column of unknown length, filled row by row.
 *
 * It grows by chunks, which are released one by one while the final array is filled, so that thirteen million rows
 * never exist twice. A chunk in which no row has a value takes no memory.
 */
export abstract class Column<T extends Float64Array | Int32Array> {
  /** The value that stands for "no value" when set; NaN, which equals nothing, if every row has one. */
  protected readonly missing: number;
  /** What such a row gets in the final array. */
  private readonly fill: number;
  private readonly allocate: (length: number) => T;
  private readonly chunks: (T | undefined)[] = [];
  /** The chunk that was set last, and its number. */
  protected chunk: T;
  protected chunkNumber = -1;

  /** @param allocate makes an array for a chunk, on the heap. */
  constructor(allocate: (length: number) => T, missing: number, fill: number) {
    this.allocate = allocate;
    this.missing = missing;
    this.fill = fill;
    this.chunk = allocate(0);
  }

  /**
   * Sets the values of `count` rows from `first` on: every `step`th of `values` from `at` on. Rows must come in order.
   */
  abstract setRows(first: number, count: number, values: Float64Array, at: number, step: number): void;

  /** Sets one row. It is slow: use it for a few rows only, or where few rows have a value. */
  set(row: number, value: number): void {
    const number = row >> CHUNK_SHIFT;
    if (this.chunks[number] === undefined) this.startChunk(number);
    this.chunks[number]![row & CHUNK_MASK] = value;
  }

  /** The value of a row. It is slow: use it for a few rows only. */
  at(row: number): number {
    return this.chunks[row >> CHUNK_SHIFT]?.[row & CHUNK_MASK] ?? this.fill;
  }

  /** Whether any row has a value. */
  get some(): boolean {
    return this.chunks.length > 0;
  }

  /**
   * Moves the rows into `into`, which has as many entries, and empties the column.
   *
   * @param order the row for each place; null keeps the order
   */
  moveTo(into: T, order: Uint32Array | null): T {
    const chunks = this.chunks.splice(0);
    this.chunk = this.allocate(0);
    this.chunkNumber = -1;
    const rows = into.length;
    if (order === null) {
      for (let first = 0; first < rows; first += CHUNK_ROWS) {
        const chunk = chunks[first >> CHUNK_SHIFT];
        chunks[first >> CHUNK_SHIFT] = undefined;
        const last = Math.min(rows, first + CHUNK_ROWS);
        if (chunk === undefined) into.fill(this.fill, first, last);
        else {
          into.set(chunk.subarray(0, last - first), first);
          release(chunk);
        }
      }
    } else {
      for (let row = 0; row < rows; row++) {
        const from = order[row]!;
        into[row] = chunks[from >> CHUNK_SHIFT]?.[from & CHUNK_MASK] ?? this.fill;
      }
      for (const chunk of chunks) if (chunk !== undefined) release(chunk);
    }
    return into;
  }

  protected startChunk(number: number): void {
    const chunk = this.allocate(CHUNK_ROWS);
    if (this.fill !== 0) chunk.fill(this.fill);
    this.chunks[number] = chunk;
    this.chunk = chunk;
    this.chunkNumber = number;
  }
}

/** Frees a chunk now. Its memory is outside of the heap, where the garbage collector would free it much later. */
function release(chunk: Float64Array | Int32Array): void {
  (chunk.buffer as ArrayBuffer).transfer(0);
}

// Every value of a log goes through `setRows`. Each kind has its own, since code that only ever stores into arrays of one
// type is compiled to faster code than that which has to look.

class Float64Column extends Column<Float64Array> {
  override setRows(first: number, count: number, values: Float64Array, at: number, step: number): void {
    const { missing } = this;
    for (let row = first; row < first + count; row++, at += step) {
      const value = values[at]!;
      if (value === missing) continue;
      if (row >> CHUNK_SHIFT !== this.chunkNumber) this.startChunk(row >> CHUNK_SHIFT);
      this.chunk[row & CHUNK_MASK] = value;
    }
  }
}

class Int32Column extends Column<Int32Array> {
  override setRows(first: number, count: number, values: Float64Array, at: number, step: number): void {
    const { missing } = this;
    for (let row = first; row < first + count; row++, at += step) {
      const value = values[at]!;
      if (value === missing) continue;
      if (row >> CHUNK_SHIFT !== this.chunkNumber) this.startChunk(row >> CHUNK_SHIFT);
      this.chunk[row & CHUNK_MASK] = value;
    }
  }
}

export function float64Column(missing = Number.NaN, fill = 0): Column<Float64Array> {
  return new Float64Column((length) => new Float64Array(length), missing, fill);
}

export function int32Column(missing = Number.NaN, fill = 0): Column<Int32Array> {
  return new Int32Column((length) => new Int32Array(length), missing, fill);
}
