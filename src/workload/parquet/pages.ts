import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { Chunk, Codec, Column } from "./footer.ts";
import { decodeRuns } from "./runs.ts";
import { unpackSnappy } from "./snappy.ts";
import { ThriftReader, type ThriftStruct } from "./thrift.ts";
import { decodeValues, encodings, type Values } from "./values.ts";

/**
 * Decodes the pages of one flat column chunk into typed arrays.
 *
 * hyparquet reads every kind of Parquet file, but boxes what it decodes: levels and dictionary indexes become plain
 * arrays, 64-bit integers BigInts, and all pages one array. On 13 million rows it took six times as long as this (3.4 s
 * for four columns against 0.56 s; `bench/benchmarks/parquet.ts`), and on some damaged files it never ended.
 */

/** The values of one page in row order. An empty cell is NaN, null or the index -1. */
export type PageValues = Int32Array | Float64Array | StringPage | IndexPage;

/** Strings that are written out in the page. */
export interface StringPage {
  readonly kind: "strings";
  readonly strings: readonly (Uint8Array | null)[];
}

/** Strings by number: `dictionary[indexes[row]]`. */
export interface IndexPage {
  readonly kind: "indexes";
  readonly indexes: Int32Array;
  readonly dictionary: readonly Uint8Array[];
}

type Bytes = Uint8Array<ArrayBuffer>;

/** A larger page is considered damage: writers aim at one MiB. */
const maxPageBytes = 1 << 30;
const pageTypes = { data: 0, dictionary: 2, dataV2: 3 } as const;

/**
 * Calls `onPage` with each page's values, in order, until `rows` rows are read.
 *
 * @param bytes the whole chunk
 * @throws {Error} if the bytes are not a valid chunk of that many rows
 */
export function decodeChunk(
  bytes: Bytes,
  column: Column,
  chunk: Chunk,
  rows: number,
  onPage: (values: PageValues, firstRow: number) => void,
): void {
  const reader = new ThriftReader(bytes);
  let dictionary: Values | null = null;
  let row = 0;
  while (row < rows) {
    const header = reader.struct();
    const size = header.number(3);
    const fullSize = header.number(2);
    if (!(size >= 0 && size <= bytes.length - reader.at)) throw new Error("a page is cut short");
    if (!(fullSize >= 0 && fullSize <= maxPageBytes)) throw new Error("a page has an impossible size");
    const page = bytes.subarray(reader.at, reader.at + size);
    reader.at += size;

    const type = header.number(1);
    if (type === pageTypes.dictionary) {
      const count = header.struct(7)?.number(1) ?? 0;
      if (!(count >= 0)) throw new Error("a dictionary has no size");
      dictionary = decodeValues(decompress(page, fullSize, chunk.codec), encodings.plain, column.type, count);
    } else if (type === pageTypes.data || type === pageTypes.dataV2) {
      const data = openDataPage(page, header, column, chunk.codec);
      if (!(data.count >= 0 && data.count <= rows - row)) {
        throw new Error("a page has more rows than its row group");
      }
      onPage(decodeDataPage(data, column, dictionary), row);
      row += data.count;
    }
  }
}

/** The parts of a data page of either version. */
interface DataPage {
  readonly count: number;
  readonly encoding: number;
  /** Which cells hold a value; null if all do. */
  readonly levels: Bytes | null;
  readonly body: Bytes;
}

function openDataPage(
  page: Bytes,
  header: ThriftStruct,
  { repetition }: Column,
  codec: Codec | undefined,
): DataPage {
  const optional = repetition === "optional";
  const fullSize = header.number(2);
  const v1 = header.struct(5);
  if (v1 !== undefined) {
    const body = decompress(page, fullSize, codec);
    const rest = { count: v1.number(1), encoding: v1.number(2) };
    if (!optional) return { ...rest, levels: null, body };
    if (body.length < 4) throw new Error("a page's levels are cut short");
    const end = 4 + new DataView(body.buffer, body.byteOffset).getUint32(0, true);
    if (end > body.length) throw new Error("a page's levels are cut short");
    return { ...rest, levels: body.subarray(4, end), body: body.subarray(end) };
  }
  const v2 = header.struct(8);
  if (v2 === undefined) throw new Error("a page lacks its header");
  const levelBytes = v2.number(5);
  const before = v2.number(6) + levelBytes;
  if (!(levelBytes >= 0 && before >= levelBytes && before <= page.length && before <= fullSize)) {
    throw new Error("a page's levels are cut short");
  }
  const body = page.subarray(before);
  return {
    count: v2.number(1),
    encoding: v2.number(4),
    levels: optional ? page.subarray(before - levelBytes, before) : null,
    // Levels come first and are never compressed in version 2.
    body: v2.boolean(7, true) ? decompress(body, fullSize - before, codec) : body,
  };
}

function decodeDataPage(page: DataPage, column: Column, dictionary: Values | null): PageValues {
  const present = page.levels === null ? null : decodeLevels(page.levels, page.count);
  const stored = present === null ? page.count : present.stored;
  if (page.encoding !== encodings.rleDictionary && page.encoding !== encodings.plainDictionary) {
    const values = decodeValues(page.body, page.encoding, column.type, stored);
    return isNumbers(values)
      ? spreadNumbers(values, present)
      : { kind: "strings", strings: spreadStrings(values, present) };
  }
  if (dictionary === null) throw new Error("a page refers to a dictionary that is missing");
  const indexes = decodeIndexes(page.body, stored, dictionary.length);
  return isNumbers(dictionary)
    ? spreadNumbers(gather(dictionary, indexes), present)
    : { kind: "indexes", indexes: spreadIndexes(indexes, present), dictionary };
}

function isNumbers(values: Values): values is Int32Array | Float64Array {
  return ArrayBuffer.isView(values);
}

function decompress(page: Bytes, fullSize: number, codec: Codec | undefined): Bytes {
  let full: Bytes;
  const limit = { maxOutputLength: Math.max(fullSize, 1) };
  switch (codec) {
    case "UNCOMPRESSED":
      full = page;
      break;
    case "SNAPPY":
      full = unpackSnappy(page, fullSize);
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
      throw new Error(`pages are compressed with ${codec}; write them with snappy, zstd, gzip or none`);
  }
  if (full.length !== fullSize) throw new Error("a page does not have the size it states");
  return full;
}

/** Which cells of a page hold a value. */
interface Present {
  readonly flags: Uint8Array;
  readonly stored: number;
}

/** @returns null if all cells hold a value */
function decodeLevels(bytes: Uint8Array, count: number): Present | null {
  const flags = new Uint8Array(count);
  decodeRuns(bytes, 0, 1, flags);
  let stored = 0;
  for (let i = 0; i < count; i++) stored += flags[i]!;
  return stored === count ? null : { flags, stored };
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

function spreadStrings(
  strings: readonly Uint8Array[],
  present: Present | null,
): readonly (Uint8Array | null)[] {
  if (present === null) return strings;
  let next = 0;
  return Array.from(present.flags, (flag) => (flag === 1 ? strings[next++]! : null));
}
