type Column = Uint8Array | Int32Array | Float64Array;

/** A copy of twice the length; what is new is 0. */
export function doubled<T extends Column>(array: T): T {
  return lengthened(array, array.length * 2);
}

/** A copy of this length, which is not below the array's; what is new is 0. */
export function lengthened<T extends Column>(array: T, length: number): T {
  const wider = (array instanceof Float64Array
    ? new Float64Array(length)
    : array instanceof Int32Array
      ? new Int32Array(length)
      : new Uint8Array(length)) as Column as T;
  wider.set(array);
  return wider;
}
