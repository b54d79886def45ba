import type { DecodedArray, Encoding, ParquetType } from "hyparquet";
import { byteStreamSplit } from "hyparquet/src/encoding.js";
import { readPlain } from "hyparquet/src/plain.js";
import { readDeltas } from "./deltas.ts";
import { decodeRuns } from "./runs.ts";
import { deltaTexts, fixedTexts, lengthFirstTexts, plainTexts, type Texts } from "./texts.ts";

/** Numbers as a page stores them: those of INT96 and of a boolean are in plain arrays. */
export type Numbers =
  | Int32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | readonly (bigint | boolean)[];

export type Values = Numbers | Texts;

export function isTexts(values: Values): values is Texts {
  return "starts" in values;
}

/** Bits of a value, or the least of one of any length: no page has more values than fit into it. */
const WIDTH_BITS: Record<ParquetType, number> = {
  BOOLEAN: 1,
  INT32: 32,
  INT64: 64,
  INT96: 96,
  FLOAT: 32,
  DOUBLE: 64,
  BYTE_ARRAY: 32,
  FIXED_LEN_BYTE_ARRAY: 8,
};

/**
 * Decodes the values of one page, without those that are missing.
 *
 * @param width the bytes of each value of a type of fixed length
 * @throws {Error} if the bytes do not hold that many values
 */
export function decodeValues(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: Encoding | undefined,
  type: ParquetType,
  width: number,
  count: number,
): Values {
  switch (encoding) {
    case "PLAIN":
      checkSize(bytes, type, width, count);
      if (type === "BYTE_ARRAY") return plainTexts(bytes, count);
      if (type === "FIXED_LEN_BYTE_ARRAY") return fixedTexts(bytes, width, count);
      return readPlain(readerOf(bytes), type, count, width) as Numbers;
    case "BYTE_STREAM_SPLIT":
      checkSize(bytes, type, width, count);
      return split(byteStreamSplit(readerOf(bytes), count, type, width), width);
    case "DELTA_BINARY_PACKED": {
      // The numbers are there, if in no bits at all: memory is taken for no more than the page has rows.
      const numbers = type === "INT32" ? new Int32Array(count) : new BigInt64Array(count);
      readDeltas(bytes, numbers);
      return numbers;
    }
    case "DELTA_LENGTH_BYTE_ARRAY":
      return lengthFirstTexts(bytes, count);
    case "DELTA_BYTE_ARRAY":
      return deltaTexts(bytes, count);
    case "RLE": {
      const flags = new Uint8Array(count);
      decodeRuns(bytes, 4, 1, flags);
      return Array.from(flags, (flag) => flag === 1);
    }
    default:
      throw new Error(`a page of ${type} has the encoding ${encoding}, which is not read; write it plain`);
  }
}

function readerOf(bytes: Uint8Array<ArrayBuffer>): { view: DataView<ArrayBuffer>; offset: number } {
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
}

function checkSize(bytes: Uint8Array, type: ParquetType, width: number, count: number): void {
  if (type === "FIXED_LEN_BYTE_ARRAY" && !(width >= 1)) throw new Error("a column's values have no length");
  const bits = type === "FIXED_LEN_BYTE_ARRAY" ? width * 8 : WIDTH_BITS[type];
  if (count * bits > bytes.length * 8) throw new Error("a page's values are cut short");
}

function split(values: DecodedArray, width: number): Values {
  if (!Array.isArray(values)) return values as Numbers;
  const bytes = new Uint8Array(values.length * width);
  values.forEach((value: Uint8Array, i) => bytes.set(value, i * width));
  return fixedTexts(bytes, width, values.length);
}
