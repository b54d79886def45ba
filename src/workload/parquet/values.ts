import type { PhysicalType } from "./footer.ts";

/**
 * Decodes the values of one page, without the empty cells: numbers to a typed array, strings to their bytes. Every read
 * is checked against the page's end.
 */

export type Values = Int32Array | Float64Array | readonly Uint8Array[];

/** The encodings of parquet-format by their numbers. */
export const encodings = {
  plain: 0,
  plainDictionary: 2,
  deltaBinaryPacked: 5,
  deltaLengthByteArray: 6,
  rleDictionary: 8,
  byteStreamSplit: 9,
} as const;

type Bytes = Uint8Array<ArrayBuffer>;

/** @throws {Error} if the bytes do not hold that many values */
export function decodeValues(
  bytes: Bytes,
  encoding: number,
  type: PhysicalType | undefined,
  count: number,
): Values {
  if (type === "BYTE_ARRAY") {
    if (encoding === encodings.plain) return plainStrings(bytes, count);
    if (encoding === encodings.deltaLengthByteArray) return lengthFirstStrings(bytes, count);
  } else if (encoding === encodings.plain) {
    return plainNumbers(bytes, type, count);
  } else if (encoding === encodings.byteStreamSplit) {
    return plainNumbers(joinedStreams(bytes, widthOf(type), count), type, count);
  } else if (encoding === encodings.deltaBinaryPacked && (type === "INT32" || type === "INT64")) {
    return decodeDeltas(bytes, type === "INT32" ? 32 : 64, count).values;
  }
  throw new Error(`a page of ${type} has the encoding ${encoding}, which is not read; write it plain`);
}

function widthOf(type: PhysicalType | undefined): 4 | 8 {
  if (type === "INT32" || type === "FLOAT") return 4;
  if (type === "INT64" || type === "DOUBLE") return 8;
  throw new Error(`values are of type ${type}`);
}

function plainNumbers(
  bytes: Bytes,
  type: PhysicalType | undefined,
  count: number,
): Int32Array | Float64Array {
  const width = widthOf(type);
  if (bytes.length < count * width) throw new Error("a page's values are cut short");
  // Pages start at any byte, typed arrays only at multiples of their width.
  const aligned = bytes.byteOffset % width === 0 ? bytes : bytes.slice(0, count * width);
  const { buffer, byteOffset } = aligned;
  switch (type) {
    case "INT32":
      return new Int32Array(buffer, byteOffset, count);
    case "DOUBLE":
      return new Float64Array(buffer, byteOffset, count);
    case "FLOAT":
      return new Float64Array(new Float32Array(buffer, byteOffset, count));
    default: {
      // Reads INT64 as two halves rather than as BigInts: exact up to 2^53, beyond which doubles are not.
      const halves = new Int32Array(buffer, byteOffset, count * 2);
      const values = new Float64Array(count);
      for (let i = 0; i < count; i++) values[i] = halves[2 * i + 1]! * 4294967296 + (halves[2 * i]! >>> 0);
      return values;
    }
  }
}

/** BYTE_STREAM_SPLIT: all first bytes, then all second bytes, and so on. */
function joinedStreams(bytes: Bytes, width: number, count: number): Bytes {
  if (bytes.length < count * width) throw new Error("a page's values are cut short");
  const joined = new Uint8Array(count * width);
  for (let byte = 0; byte < width; byte++) {
    for (let i = 0; i < count; i++) joined[i * width + byte] = bytes[byte * count + i]!;
  }
  return joined;
}

function plainStrings(bytes: Bytes, count: number): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values: Uint8Array[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 4 > bytes.length) throw new Error("a page's values are cut short");
    const from = at + 4;
    at = from + view.getUint32(at, true);
    if (at > bytes.length) throw new Error("a page's values are cut short");
    values.push(bytes.subarray(from, at));
  }
  return values;
}

/** DELTA_LENGTH_BYTE_ARRAY: all lengths, then all strings. */
function lengthFirstStrings(bytes: Bytes, count: number): Uint8Array[] {
  const { values: lengths, end } = decodeDeltas(bytes, 32, count);
  const values: Uint8Array[] = [];
  let at = end;
  for (let i = 0; i < count; i++) {
    const length = lengths[i]!;
    if (!(length >= 0 && length <= bytes.length - at)) throw new Error("a page's values are cut short");
    values.push(bytes.subarray(at, at + length));
    at += length;
  }
  return values;
}

/**
 * DELTA_BINARY_PACKED: differences in blocks, each of miniblocks of one bit width.
 *
 * In BigInts, since 64-bit differences may wrap: slow, but few files have this encoding.
 */
function decodeDeltas(bytes: Bytes, bits: 32 | 64, count: number): { values: Float64Array; end: number } {
  let at = 0;
  const byte = (): number => {
    const value = bytes[at++];
    if (value === undefined) throw new Error("a page's values are cut short");
    return value;
  };
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const next = byte();
      value |= BigInt(next & 127) << shift;
      if (next < 128) return value;
    }
    throw new Error("a page has an endless number");
  };
  const zigzag = (): bigint => {
    const value = varint();
    return (value >> 1n) ^ -(value & 1n);
  };

  const blockSize = Number(varint());
  const miniblocks = Number(varint());
  varint(); // The number of values, which the page's header has too.
  const perMiniblock = blockSize / miniblocks;
  if (!(perMiniblock >= 8 && perMiniblock <= 1 << 20 && perMiniblock % 8 === 0 && miniblocks <= 1 << 10)) {
    throw new Error("a page has impossible blocks");
  }
  const values = new Float64Array(count);
  let value = zigzag();
  let filled = 0;
  if (count > 0) values[filled++] = Number(BigInt.asIntN(bits, value));
  while (filled < count) {
    const least = zigzag();
    const widths = Array.from({ length: miniblocks }, byte);
    for (let i = 0; i < miniblocks && filled < count; i++) {
      const width = widths[i]!;
      const mask = (1n << BigInt(width)) - 1n;
      const next = at + (perMiniblock / 8) * width;
      if (width > bits || next > bytes.length) throw new Error("a page's values are cut short");
      let pool = 0n;
      let held = 0;
      for (let j = 0; j < perMiniblock && filled < count; j++) {
        for (; held < width; held += 8) pool |= BigInt(byte()) << BigInt(held);
        value = BigInt.asIntN(bits, value + least + (pool & mask));
        pool >>= BigInt(width);
        held -= width;
        values[filled++] = Number(value);
      }
      at = next;
    }
  }
  return { values, end: at };
}
