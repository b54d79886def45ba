export type Column = Uint8Array | Int32Array | Float64Array;

type ColumnClass<T> = new (from: number | ArrayBufferLike, byteOffset?: number, length?: number) => T;

/** A copy of twice the length; the new entries are 0. */
export function doubled<T extends Column>(array: T): T {
  return lengthened(array, array.length * 2);
}

/** Doubles all columns of a table: its fields that are typed arrays. The new entries are 0. */
export function doubleColumns(table: object): void {
  const fields = table as Record<string, unknown>;
  for (const [name, field] of Object.entries(fields))
    if (ArrayBuffer.isView(field)) fields[name] = doubled(field as Column);
}

/** A copy of `length` entries, not fewer than the array has; the new entries are 0. */
export function lengthened<T extends Column>(array: T, length: number): T {
  const longer = new (array.constructor as ColumnClass<T>)(length);
  longer.set(array);
  return longer;
}

/**
 * An array of this many entries, not fewer than this one has. It uses the same memory if there is room behind them;
 * otherwise it is a copy with room for as many again. The new entries are 0.
 */
export function extended<T extends Column>(array: T, length: number): T {
  if (length === array.length) return array;
  const room = array.buffer.byteLength / array.BYTES_PER_ELEMENT;
  if (length > room) return lengthened(array, length * 2).subarray(0, length) as T;
  return new (array.constructor as ColumnClass<T>)(array.buffer, 0, length);
}

/** The entries at these places, in this order. */
export function rowsOf<T extends Column>(array: T, places: Int32Array): T {
  const rows = new (array.constructor as ColumnClass<T>)(places.length);
  for (let row = 0; row < places.length; row++) rows[row] = array[places[row]];
  return rows;
}

export function largest(amounts: Int32Array): number {
  let most = 0;
  for (const amount of amounts) if (amount > most) most = amount;
  return most;
}
