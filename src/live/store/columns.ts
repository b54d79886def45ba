/** Plain data in which numbers of one kind are in typed arrays, as text and binary columns: small, and fast to read. */

type Column = Uint8Array | Int32Array | Float64Array;

export interface Packed {
  /** The data as JSON; `{"$column": n}` stands for a typed array. */
  readonly text: string;
  readonly columns: readonly Uint8Array[];
}

/**
 * A column begins with these bytes: how its values are written (a place in `encodings`), what they are (a place in
 * `classes`), 0, 0, and their number, as 32 bits. All is little-endian, as are the processors that Node runs on.
 */
const HEADER_BYTES = 8;
const encodings = [Float64Array, Int32Array, Int16Array, Int8Array] as const;
const classes = [Uint8Array, Int32Array, Float64Array] as const;
/** The encoding of a column whose values are all the same: one `Float64Array` value. */
const CONSTANT = encodings.length;

export function packed(value: unknown): Packed {
  const columns: Uint8Array[] = [];
  const text = JSON.stringify(value, (_, inner: unknown) =>
    isColumn(inner) ? { $column: columns.push(encoded(inner)) - 1 } : inner,
  );
  return { text, columns };
}

/** @throws Error where a column is missing or damaged */
export function unpacked({ text, columns }: Packed): unknown {
  return JSON.parse(text, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || !("$column" in inner)) return inner;
    const at = Number(inner.$column);
    const bytes = columns[at];
    if (bytes === undefined) throw new Error(`column ${at} is missing`);
    return decoded(bytes, at);
  });
}

function isColumn(value: unknown): value is Column {
  return classes.some((each) => value instanceof each);
}

function encoded(column: Column): Uint8Array {
  const encoding = encodingOf(column);
  const values = encoding === CONSTANT ? Float64Array.of(column[0] ?? 0) : new encodings[encoding]!(column);
  const bytes = new Uint8Array(HEADER_BYTES + values.byteLength);
  bytes[0] = encoding;
  bytes[1] = classes.findIndex((each) => column instanceof each);
  new Uint32Array(bytes.buffer, 4, 1)[0] = column.length;
  bytes.set(new Uint8Array(values.buffer), HEADER_BYTES);
  return bytes;
}

/** The shortest that holds all values. */
function encodingOf(column: Column): number {
  const { length } = column;
  let at = 1;
  while (at < length && Object.is(column[at], column[0])) at++;
  if (at >= length) return CONSTANT;
  let [lowest, highest] = [0, 0];
  for (at = 0; at < length; at++) {
    const value = column[at]!;
    // -0 would come back as 0.
    if (value !== (value | 0) || (value === 0 && Object.is(value, -0))) return 0;
    if (value < lowest) lowest = value;
    else if (value > highest) highest = value;
  }
  if (lowest >= -128 && highest < 128) return 3;
  return lowest >= -32_768 && highest < 32_768 ? 2 : 1;
}

function decoded(bytes: Uint8Array, at: number): Column {
  const aligned = bytes.slice().buffer;
  const { [0]: encoding = -1, [1]: kind = -1 } = bytes;
  const Values = encodings[encoding === CONSTANT ? 0 : encoding];
  const Class = classes[kind];
  const body = aligned.byteLength - HEADER_BYTES;
  if (Values === undefined || Class === undefined || body < 0 || body % Values.BYTES_PER_ELEMENT !== 0)
    throw new Error(`column ${at} is damaged`);
  const length = new Uint32Array(aligned, 4, 1)[0]!;
  const values = new Values(aligned, HEADER_BYTES);
  if (values.length !== (encoding === CONSTANT ? 1 : length)) throw new Error(`column ${at} is damaged`);
  return encoding === CONSTANT ? new Class(length).fill(values[0]!) : new Class(values);
}
