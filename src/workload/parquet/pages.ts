import type { PageHeader, ParquetType } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { unpack } from "./codecs.ts";
import { Forward, type RandomAccess } from "./file.ts";
import type { Chunk, Column } from "./footer.ts";
import { decodeRuns } from "./runs.ts";
import { checkThrift } from "./thrift-check.ts";
import { decodeValues, isTexts, type Values } from "./values.ts";

/**
 * Reads the pages of flat columns, one at a time.
 *
 * hyparquet reads footers, page headers and most encodings. Its own loop over pages is not used: it holds a whole row
 * group in arrays of objects, and on a damaged run of values fills memory until the process dies. So what a page states
 * is checked before, and runs are decoded here.
 */
export interface Page {
  readonly rows: number;
  readonly values: Values;
  /** The place of each row's value; -1 where it has none. Null: row by row. */
  readonly places: Int32Array | null;
}

/** A larger page is considered damage: writers aim at one MiB, and some put a row group's column into one. */
const MAX_PAGE_BYTES = 1 << 28;
/** A header has minima and maxima, which writers cut off at some kB. */
const MAX_HEADER_BYTES = 1 << 16;

/**
 * The pages of a column in a row group.
 *
 * @throws {Error} if they do not have the row group's rows
 */
export async function* readPages(
  file: RandomAccess,
  column: Column,
  chunk: Chunk | undefined,
  rows: number,
): AsyncGenerator<Page> {
  const { name, element, repetition } = column;
  if (chunk === undefined) throw new Error(`a row group lacks column "${name}"`);
  const { offset, bytes: length, codec } = chunk;
  if (!(offset >= 4 && length >= 0 && offset + length <= file.size)) {
    throw new Error(`column "${name}" lies outside the file`);
  }
  if (element.type === undefined || repetition === "repeated") {
    throw new Error(`column "${name}" is nested; it must have one value a row`);
  }
  const { type, type_length = 0 } = element;
  const width = stated(type_length);
  const bytes = new Forward(file, offset, offset + length);
  let dictionary: Values | null = null;
  for (let row = 0; row < rows;) {
    const header = await readHeader(bytes);
    const size = stated(header.compressed_page_size);
    const fullSize = stated(header.uncompressed_page_size);
    if (!(size >= 0)) throw new Error("a page is cut short");
    if (!(fullSize >= 0)) throw new Error("a page does not state its size");
    if (fullSize > MAX_PAGE_BYTES) {
      throw new Error(`a page has ${fullSize} bytes; at most ${MAX_PAGE_BYTES} can be read`);
    }
    const packed = await bytes.take(size);
    if (header.type === "DICTIONARY_PAGE") {
      const count = stated(header.dictionary_page_header?.num_values);
      if (!(count >= 0)) throw new Error("a dictionary has no size");
      dictionary = decodeValues(unpack(packed, fullSize, codec), "PLAIN", type, width, count);
    } else if (header.type === "DATA_PAGE" || header.type === "DATA_PAGE_V2") {
      const count = stated((header.data_page_header ?? header.data_page_header_v2)?.num_values);
      if (!(count >= 0 && count <= rows - row)) throw new Error("a page has more rows than its row group");
      const parts = partsOf(packed, header, repetition === "optional", chunk);
      yield pageOf(parts, type, width, count, dictionary);
      row += count;
    }
  }
}

async function readHeader(bytes: Forward): Promise<PageHeader> {
  const next = (await bytes.peek(MAX_HEADER_BYTES)).subarray(0, MAX_HEADER_BYTES);
  const end = checkThrift(next, 0);
  const header = parquetHeader({ view: new DataView(next.buffer, next.byteOffset, end), offset: 0 });
  bytes.skip(end);
  return header;
}

/**
 * A whole number of a header; NaN where it is none. A field of a damaged header may be of any type, such as an empty list,
 * which compares like 0.
 */
function stated(value: unknown): number {
  return Number.isInteger(value) ? (value as number) : Number.NaN;
}

/** The parts of a data page of either version. */
interface PageParts {
  readonly encoding: string | undefined;
  /** Runs that tell which rows have a value; null if all do. */
  readonly levels: Uint8Array | null;
  readonly body: Uint8Array<ArrayBuffer>;
}

function partsOf(
  packed: Uint8Array<ArrayBuffer>,
  header: PageHeader,
  isOptional: boolean,
  { codec }: Chunk,
): PageParts {
  const { uncompressed_page_size: fullSize, data_page_header: v1, data_page_header_v2: v2 } = header;
  if (v1 !== undefined) {
    const body = unpack(packed, fullSize, codec);
    const { encoding } = v1;
    if (!isOptional) return { encoding, levels: null, body };
    if (v1.definition_level_encoding !== "RLE") throw new Error("a page's levels are not in runs");
    if (body.length < 4) throw new Error("a page's levels are cut short");
    const end = 4 + new DataView(body.buffer, body.byteOffset).getUint32(0, true);
    if (end > body.length) throw new Error("a page's levels are cut short");
    return { encoding, levels: body.subarray(4, end), body: body.subarray(end) };
  }
  if (v2 === undefined) throw new Error("a page lacks its header");
  // Levels come first, and are never packed.
  const from = stated(v2.repetition_levels_byte_length);
  const end = from + stated(v2.definition_levels_byte_length);
  if (!(from >= 0 && end >= from && end <= packed.length && end <= fullSize)) {
    throw new Error("a page's levels are cut short");
  }
  const body = packed.subarray(end);
  return {
    encoding: v2.encoding,
    levels: isOptional ? packed.subarray(from, end) : null,
    body: v2.is_compressed === false ? body : unpack(body, fullSize - end, codec),
  };
}

function pageOf(
  { encoding, levels, body }: PageParts,
  type: ParquetType,
  width: number,
  rows: number,
  dictionary: Values | null,
): Page {
  const isThere = levels === null ? null : new Uint8Array(rows);
  if (levels !== null) decodeRuns(levels, 0, 1, isThere!);
  let stored = rows;
  if (isThere !== null) for (let row = 0; row < rows; row++) stored -= 1 - isThere[row]!;
  if (encoding !== "RLE_DICTIONARY" && encoding !== "PLAIN_DICTIONARY") {
    const values = decodeValues(body, encoding as "PLAIN", type, width, stored);
    return { rows, values, places: isThere === null || stored === rows ? null : spread(isThere, null) };
  }
  if (dictionary === null) throw new Error("a page refers to a dictionary that is missing");
  const indexes = readIndexes(body, stored, sizeOf(dictionary));
  return { rows, values: dictionary, places: stored === rows ? indexes : spread(isThere!, indexes) };
}

function readIndexes(body: Uint8Array, count: number, dictionarySize: number): Int32Array {
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

/** The place of each row's value among those that are there. @param places null: they are in order */
function spread(isThere: Uint8Array, places: Int32Array | null): Int32Array {
  const spreadPlaces = new Int32Array(isThere.length).fill(-1);
  for (let row = 0, next = 0; row < isThere.length; row++) {
    if (isThere[row] === 1) spreadPlaces[row] = places === null ? next++ : places[next++]!;
  }
  return spreadPlaces;
}

function sizeOf(values: Values): number {
  return isTexts(values) ? values.starts.length : values.length;
}
