import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { snappyUncompress, type ColumnMetaData, type Encoding, type SchemaElement } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { deltaBinaryUnpack, deltaByteArray, deltaLengthByteArray } from "hyparquet/src/delta.js";
import { byteStreamSplit } from "hyparquet/src/encoding.js";

/*
 * Decodes the pages of one flat column chunk into typed arrays.
 *
 * The library's own page reader boxes what it decodes: definition levels and dictionary
 * indexes become plain arrays of numbers, 64-bit integers become BigInts. On 13 million
 * rows of an ordinary file (optional columns, dictionary pages) that is several times
 * slower than this, so only its parsers of headers, its Snappy and the rarer
 * encodings are used. `bench/read-parquet.ts` measures both.
 */

/** Values of one page in row order: numbers with NaN for an empty cell, or byte strings with null. */
export type PageValues = Int32Array | Float64Array | DictionaryPage | ByteStrings;

/** Strings that the page spells out. */
export interface ByteStrings {
  readonly kind: "strings";
  readonly values: readonly (Uint8Array | null)[];
}

/** Strings by number: `dictionary[indexes[row]]`, -1 for an empty cell. */
export interface DictionaryPage {
  readonly kind: "indexes";
  readonly indexes: Int32Array;
  readonly dictionary: readonly Uint8Array[];
}

/** A page of more bytes than this is taken for damage: writers aim at one MiB. */
const maxPageBytes = 1 << 30;

/** A column of the file: its physical type and whether cells may be empty. */
export interface ChunkColumn {
  readonly element: SchemaElement;
  readonly metadata: ColumnMetaData;
}

/**
 * Calls `onPage` with each page's values, in order, until `rows` rows are read.
 *
 * @param bytes the whole chunk, on a buffer of its own or a pooled one
 * @throws {Error} where the bytes are not a sound chunk of that many rows
 */
export function decodeChunk(
  bytes: Uint8Array<ArrayBuffer>,
  { element, metadata }: ChunkColumn,
  rows: number,
  onPage: (values: PageValues, firstRow: number) => void,
): void {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  const optional = element.repetition_type === "OPTIONAL";
  let dictionary: Int32Array | Float64Array | readonly Uint8Array[] | null = null;
  let row = 0;
  while (row < rows) {
    const header = parquetHeader(reader);
    const { compressed_page_size: size, uncompressed_page_size: fullSize } = header;
    if (!(size >= 0 && size <= bytes.byteLength - reader.offset)) throw new Error("a page is cut short");
    if (!(fullSize >= 0 && fullSize <= maxPageBytes)) throw new Error("a page has an impossible size");
    const page = bytes.subarray(reader.offset, reader.offset + size);
    reader.offset += size;

    if (header.type === "DICTIONARY_PAGE") {
      const count = header.dictionary_page_header?.num_values ?? 0;
      const raw = decompress(page, fullSize, metadata.codec);
      dictionary = decodeValues(raw, "PLAIN", element, count);
      continue;
    }

    let body: Uint8Array<ArrayBuffer>;
    let levels: Uint8Array<ArrayBuffer> | null = null;
    let count: number;
    let encoding: Encoding;
    if (header.type === "DATA_PAGE" && header.data_page_header !== undefined) {
      ({ num_values: count, encoding } = header.data_page_header);
      body = decompress(page, fullSize, metadata.codec);
      if (optional) {
        const length = new DataView(body.buffer, body.byteOffset, body.byteLength).getUint32(0, true);
        if (length > body.length - 4) throw new Error("a page's levels are cut short");
        levels = body.subarray(4, 4 + length);
        body = body.subarray(4 + length);
      }
    } else if (header.type === "DATA_PAGE_V2" && header.data_page_header_v2 !== undefined) {
      const v2 = header.data_page_header_v2;
      ({ num_values: count, encoding } = v2);
      const before = v2.repetition_levels_byte_length + v2.definition_levels_byte_length;
      if (!(before >= 0 && before <= page.length)) throw new Error("a page's levels are cut short");
      if (optional) levels = page.subarray(v2.repetition_levels_byte_length, before);
      body = page.subarray(before);
      if (v2.is_compressed !== false) body = decompress(body, fullSize - before, metadata.codec);
    } else {
      continue; // an index page
    }
    if (!(count >= 0 && count <= rows - row)) throw new Error("a page has more rows than its row group");

    const present = levels === null ? null : decodeLevels(levels, count);
    const stored = present === null ? count : present.count;
    let values: PageValues;
    if (encoding === "RLE_DICTIONARY" || encoding === "PLAIN_DICTIONARY") {
      if (dictionary === null) throw new Error("a page refers to a dictionary that is missing");
      const indexes = decodeIndexes(body, stored, dictionary.length);
      values =
        dictionary instanceof Int32Array || dictionary instanceof Float64Array
          ? spreadNumbers(gather(dictionary, indexes), present)
          : { kind: "indexes", indexes: spreadIndexes(indexes, present), dictionary };
    } else {
      const plain = decodeValues(body, encoding, element, stored);
      values =
        plain instanceof Int32Array || plain instanceof Float64Array
          ? spreadNumbers(plain, present)
          : { kind: "strings", values: spreadStrings(plain, present) };
    }
    onPage(values, row);
    row += count;
  }
}

function decompress(
  page: Uint8Array<ArrayBuffer>,
  fullSize: number,
  codec: ColumnMetaData["codec"],
): Uint8Array<ArrayBuffer> {
  let full: Uint8Array<ArrayBuffer>;
  const limit = { maxOutputLength: Math.max(fullSize, 1) };
  switch (codec) {
    case "UNCOMPRESSED":
      full = page;
      break;
    case "SNAPPY":
      full = new Uint8Array(fullSize);
      snappyUncompress(page, full);
      break;
    case "GZIP":
      full = gunzipSync(page, limit);
      break;
    case "ZSTD":
      full = zstdDecompressSync(page, limit);
      break;
    case "BROTLI":
      full = brotliDecompressSync(page, limit);
      break;
    default:
      throw new Error(`pages are compressed with ${codec}; use snappy, zstd, gzip or none`);
  }
  if (full.length !== fullSize) throw new Error("a page does not have the size it states");
  return full;
}

/** Which cells of a page hold a value; null where all do. */
interface Present {
  readonly flags: Uint8Array;
  readonly count: number;
}

function decodeLevels(bytes: Uint8Array, count: number): Present | null {
  const flags = new Uint8Array(count);
  decodeRuns(bytes, 0, 1, flags);
  let present = 0;
  for (let i = 0; i < count; i++) present += flags[i]!;
  return present === count ? null : { flags, count: present };
}

function decodeIndexes(body: Uint8Array, count: number, dictionarySize: number): Int32Array {
  const indexes = new Int32Array(count);
  if (count === 0) return indexes;
  const width = body[0];
  if (width === undefined || width > 24) throw new Error("a page has an impossible dictionary width");
  decodeRuns(body, 1, width, indexes);
  for (let i = 0; i < count; i++) {
    if (indexes[i]! >= dictionarySize) throw new Error("a page refers beyond its dictionary");
  }
  return indexes;
}

/** Fills `out` from Parquet's hybrid of runs and bit-packed groups of eight; width 0 to 24 bits. */
function decodeRuns(bytes: Uint8Array, start: number, width: number, out: Uint8Array | Int32Array): void {
  if (width === 0) return;
  const end = bytes.length;
  const mask = (1 << width) - 1;
  const valueBytes = (width + 7) >> 3;
  let at = start;
  let filled = 0;
  while (filled < out.length) {
    let header = 0;
    let shift = 0;
    for (;;) {
      if (at >= end || shift > 28) throw new Error("a page's runs are cut short");
      const byte = bytes[at++]!;
      header |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
      shift += 7;
    }
    const length = header >>> 1;
    if ((header & 1) === 0) {
      if (at + valueBytes > end) throw new Error("a page's runs are cut short");
      let value = 0;
      for (let i = 0; i < valueBytes; i++) value |= bytes[at++]! << (8 * i);
      const to = Math.min(filled + length, out.length);
      out.fill(value & mask, filled, to);
      filled = to;
    } else {
      const to = Math.min(filled + length * 8, out.length);
      // Some writers leave out the padding of the last group.
      if (at + Math.ceil(((to - filled) * width) / 8) > end) throw new Error("a page's runs are cut short");
      const next = at + length * width;
      let bits = 0;
      let held = 0;
      for (; filled < to; filled++) {
        while (held < width) {
          bits |= bytes[at++]! << held;
          held += 8;
        }
        out[filled] = bits & mask;
        bits >>>= width;
        held -= width;
      }
      at = next;
    }
  }
}

function decodeValues(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: Encoding,
  { type, type_length: typeLength }: SchemaElement,
  count: number,
): Int32Array | Float64Array | Uint8Array[] {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  if (type === "BYTE_ARRAY") {
    const values: Uint8Array[] = [];
    if (count === 0) return values;
    if (encoding === "PLAIN") return plainStrings(bytes, count);
    if (encoding === "DELTA_LENGTH_BYTE_ARRAY") deltaLengthByteArray(reader, count, values);
    else if (encoding === "DELTA_BYTE_ARRAY") deltaByteArray(reader, count, values);
    else throw new Error(`pages are encoded with ${encoding}`);
    return values;
  }
  if (count === 0) return new Int32Array(0);
  if (encoding === "PLAIN") return plainNumbers(bytes, type, count);
  if (encoding === "DELTA_BINARY_PACKED" && type === "INT32") {
    const values = new Int32Array(count);
    deltaBinaryUnpack(reader, count, values);
    return values;
  }
  if (encoding === "DELTA_BINARY_PACKED" && type === "INT64") {
    const values = new BigInt64Array(count);
    deltaBinaryUnpack(reader, count, values);
    return Float64Array.from(values, Number);
  }
  if (encoding === "BYTE_STREAM_SPLIT" && type !== undefined) {
    const split = byteStreamSplit(reader, count, type, typeLength);
    if (split instanceof Int32Array || split instanceof Float64Array) return split;
    if (split instanceof Float32Array) return Float64Array.from(split);
    if (split instanceof BigInt64Array) return Float64Array.from(split, Number);
  }
  throw new Error(`pages are encoded with ${encoding}`);
}

function plainNumbers(
  bytes: Uint8Array<ArrayBuffer>,
  type: SchemaElement["type"],
  count: number,
): Int32Array | Float64Array {
  const width = type === "INT32" || type === "FLOAT" ? 4 : 8;
  if (bytes.byteLength < count * width) throw new Error("a page's values are cut short");
  // Pages start at any byte, typed arrays only at multiples of their width.
  const aligned = bytes.byteOffset % width === 0 ? bytes : bytes.slice(0, count * width);
  const { buffer, byteOffset } = aligned;
  switch (type) {
    case "INT32":
      return new Int32Array(buffer, byteOffset, count);
    case "DOUBLE":
      return new Float64Array(buffer, byteOffset, count);
    case "FLOAT":
      return Float64Array.from(new Float32Array(buffer, byteOffset, count));
    case "INT64": {
      // Halves rather than BigInts: exact up to 2^53, beyond which no double is exact.
      const halves = new Int32Array(buffer, byteOffset, count * 2);
      const values = new Float64Array(count);
      for (let i = 0; i < count; i++) {
        values[i] = halves[2 * i + 1]! * 4294967296 + (halves[2 * i]! >>> 0);
      }
      return values;
    }
    default:
      throw new Error(`values are of type ${type}`);
  }
}

function plainStrings(bytes: Uint8Array<ArrayBuffer>, count: number): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values: Uint8Array[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    const from = at + 4;
    at = from + view.getUint32(at, true);
    if (at > bytes.byteLength) throw new Error("a page's values are cut short");
    values.push(bytes.subarray(from, at));
  }
  return values;
}

function gather(dictionary: Int32Array | Float64Array, indexes: Int32Array): Int32Array | Float64Array {
  const count = indexes.length;
  if (dictionary instanceof Int32Array) {
    for (let i = 0; i < count; i++) indexes[i] = dictionary[indexes[i]!]!;
    return indexes;
  }
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) values[i] = dictionary[indexes[i]!]!;
  return values;
}

function spreadNumbers(
  values: Int32Array | Float64Array,
  present: Present | null,
): Int32Array | Float64Array {
  if (present === null) return values;
  const spread = new Float64Array(present.flags.length).fill(Number.NaN);
  for (let row = 0, next = 0; row < spread.length; row++) {
    if (present.flags[row] === 1) spread[row] = values[next++]!;
  }
  return spread;
}

function spreadIndexes(indexes: Int32Array, present: Present | null): Int32Array {
  if (present === null) return indexes;
  const spread = new Int32Array(present.flags.length).fill(-1);
  for (let row = 0, next = 0; row < spread.length; row++) {
    if (present.flags[row] === 1) spread[row] = indexes[next++]!;
  }
  return spread;
}

function spreadStrings(values: readonly Uint8Array[], present: Present | null): (Uint8Array | null)[] {
  if (present === null) return values.slice();
  let next = 0;
  return Array.from(present.flags, (flag) => (flag === 1 ? values[next++]! : null));
}
