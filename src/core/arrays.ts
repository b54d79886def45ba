type Column = Uint8Array | Int32Array | Float64Array;

type ColumnClass<T> = new (from: number | ArrayBufferLike, byteOffset?: number, length?: number) => T;

/** A copy of twice the length; what is new is 0. */
export function doubled<T extends Column>(array: T): T {
  return lengthened(array, array.length * 2);
}

/** A copy with so many entries, not fewer than the array has; what is new is 0. */
export function lengthened<T extends Column>(array: T, length: number): T {
  const longer = new (array.constructor as ColumnClass<T>)(length);
  longer.set(array);
  return longer;
}

/**
 * An array with so many entries, not fewer than this one has: in the same memory
 * where there is room behind them, else a copy with as much room again. What is new is 0.
 */
export function extended<T extends Column>(array: T, length: number): T {
  if (length === array.length) return array;
  const room = array.buffer.byteLength / array.BYTES_PER_ELEMENT;
  if (length > room) return lengthened(array, length * 2).subarray(0, length) as T;
  return new (array.constructor as ColumnClass<T>)(array.buffer, 0, length);
}
