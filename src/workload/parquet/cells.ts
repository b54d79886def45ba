import type { SchemaElement, TimeUnit } from "hyparquet";
import { parseFloat16 } from "hyparquet/src/convert.js";
import { instantOf, instantOfInt96, InstantWriter, writeClock, type Instant } from "./instants.ts";
import type { TextBuffer } from "./text-buffer.ts";
import type { Texts } from "./texts.ts";
import { isTexts, type Numbers, type Values } from "./values.ts";

/** Writes the value at a place as a cell of CSV. */
export type WriteCell = (place: number, out: TextBuffer) => void;

/** How the cells of a column are written, given the values of a page. */
export type ColumnCells = (values: Values) => WriteCell;

/** Of a value that has no cell: the message ends in what is wrong with it. */
export class CellError extends Error {}

const PER_SECOND: Record<TimeUnit, number> = { MILLIS: 1e3, MICROS: 1e6, NANOS: 1e9 };
/** Decimals have up to 38 digits, some programs' 76. */
const MAX_SCALE = 76;
const MAX_DECIMAL_BYTES = 32;
const DAY_SECONDS = 86_400;

/**
 * How a column's cells are written, by its type (parquet-format, LogicalTypes.md): numbers exactly, instants as dates,
 * durations with their units.
 *
 * @param isCounted whether numbers must be exact, as of all columns but those of times
 */
export function cellsOf(element: SchemaElement, isCounted: boolean): ColumnCells {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (logical?.type === "DECIMAL" || converted === "DECIMAL") {
    return decimals(element.scale ?? (logical?.type === "DECIMAL" ? logical.scale : 0) ?? 0, isCounted);
  }
  if (type === "INT96") {
    const writer = new InstantWriter("");
    return numbers((values) => (place, out) => writer.write(instantOfInt96(values[place] as bigint), out));
  }
  if (logical?.type === "DATE" || converted === "DATE") {
    const writer = new InstantWriter("");
    return numbers((values) => (place, out) => writer.writeDay(Number(values[place]), out));
  }
  if (logical?.type === "TIMESTAMP") return timestamps(logical.unit, logical.isAdjustedToUTC);
  if (converted === "TIMESTAMP_MILLIS") return timestamps("MILLIS", true);
  if (converted === "TIMESTAMP_MICROS") return timestamps("MICROS", true);
  if (logical?.type === "TIME") return clocks(logical.unit);
  if (converted === "TIME_MILLIS") return clocks("MILLIS");
  if (converted === "TIME_MICROS") return clocks("MICROS");
  if (type === "FIXED_LEN_BYTE_ARRAY") {
    if (logical?.type === "UUID")
      return texts(({ bytes, starts, ends }) => (place, out) => {
        out.ascii(Buffer.from(bytes.subarray(starts[place], ends[place])).toString("hex"));
      });
    if (logical?.type === "FLOAT16")
      return texts(({ bytes, starts, ends }) => (place, out) => {
        writeFloat(parseFloat16(bytes.subarray(starts[place], ends[place])) ?? Number.NaN, out);
      });
    if (converted === "INTERVAL") return texts(intervals);
  }
  if (type === "FIXED_LEN_BYTE_ARRAY" || type === "BYTE_ARRAY") {
    return texts(
      ({ bytes, starts, ends }) =>
        (place, out) =>
          out.text(bytes, starts[place]!, ends[place]!),
    );
  }
  const isUnsigned =
    converted?.startsWith("UINT_") === true || (logical?.type === "INTEGER" && !logical.isSigned);
  return numbers(plainNumbers(isUnsigned, isCounted));
}

function numbers(write: (values: Numbers) => WriteCell): ColumnCells {
  return (values) => {
    if (isTexts(values)) throw new Error("a column of numbers has values of another type");
    return write(values);
  };
}

function texts(write: (values: Texts) => WriteCell): ColumnCells {
  return (values) => {
    if (!isTexts(values)) throw new Error("a column of texts has values of another type");
    return write(values);
  };
}

function plainNumbers(isUnsigned: boolean, isCounted: boolean): (values: Numbers) => WriteCell {
  return (values) => {
    if (values instanceof Int32Array) {
      const whole = isUnsigned ? new Uint32Array(values.buffer, values.byteOffset, values.length) : values;
      return (place, out) => out.number(whole[place]!);
    }
    if (values instanceof BigInt64Array) return longs(values, isUnsigned, isCounted);
    if (values instanceof Float32Array) return (place, out) => writeFloat(values[place]!, out);
    if (values instanceof Float64Array) return (place, out) => writeNumber(values[place]!, out);
    return (place, out) => out.ascii(String(values[place]));
  };
}

function longs(values: BigInt64Array, isUnsigned: boolean, isCounted: boolean): WriteCell {
  const numberAt = numbersOf(values, isUnsigned);
  return (place, out) => {
    const number = numberAt(place);
    if (isCounted && !Number.isSafeInteger(number)) {
      throw inexact(String(isUnsigned ? BigInt.asUintN(64, values[place]!) : values[place]));
    }
    out.number(number);
  };
}

/** Reads numbers of 64 bits as two halves: a `bigint` for each takes many times as long. */
function numbersOf(values: BigInt64Array, isUnsigned: boolean): (place: number) => number {
  const halves = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  return (place) => {
    const high = halves[2 * place + 1]!;
    return (isUnsigned ? high >>> 0 : high) * 2 ** 32 + (halves[2 * place]! >>> 0);
  };
}

function inexact(value: string): CellError {
  return new CellError(
    `is ${value}: whole numbers beyond 2^53 - 1 cannot be kept exactly; leave the column out, or write other numbers`,
  );
}

function writeNumber(value: number, out: TextBuffer): void {
  // NaN is what pandas writes for nothing.
  if (!Number.isNaN(value)) out.number(value);
}

/** As few digits as tell the number from its neighbours of 32 bits: 0.1, and not 0.10000000149011612. */
function writeFloat(value: number, out: TextBuffer): void {
  if (Number.isInteger(value) || !Number.isFinite(value)) {
    writeNumber(value, out);
    return;
  }
  for (let digits = 6; digits <= 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) !== value) continue;
    out.number(short);
    return;
  }
}

function timestamps(unit: TimeUnit, isUtc: boolean): ColumnCells {
  const writer = new InstantWriter(isUtc ? "Z" : "");
  return instants(unit, (instant, out) => writer.write(instant, out));
}

/** Times of day, which as durations are those since midnight. */
function clocks(unit: TimeUnit): ColumnCells {
  return instants(unit, (instant, out) => {
    const { seconds } = instant;
    if (!(seconds >= 0 && seconds <= DAY_SECONDS)) throw new CellError("is no time of a day");
    writeClock(instant, out);
  });
}

function instants(unit: TimeUnit, write: (instant: Instant, out: TextBuffer) => void): ColumnCells {
  const perSecond = PER_SECOND[unit];
  return numbers((values) => {
    if (!(values instanceof BigInt64Array)) {
      return (place, out) => write(instantOf(Number(values[place]), perSecond), out);
    }
    const numberAt = numbersOf(values, false);
    return (place, out) => {
      const number = numberAt(place);
      write(instantOf(Number.isSafeInteger(number) ? number : values[place]!, perSecond), out);
    };
  });
}

/** Months, days and milliseconds, as DuckDB writes the difference of two times. */
function intervals({ bytes, starts, ends }: Texts): WriteCell {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (place, out) => {
    const at = starts[place]!;
    if (ends[place]! - at !== 12) throw new Error("an interval does not have 12 bytes");
    if (view.getUint32(at, true) !== 0)
      throw new CellError("is an interval of months, which have no fixed length");
    const seconds = view.getUint32(at + 4, true) * DAY_SECONDS + view.getUint32(at + 8, true) / 1000;
    out.ascii(`${seconds}s`);
  };
}

function decimals(scale: number, isCounted: boolean): ColumnCells {
  if (!(scale >= 0 && scale <= MAX_SCALE)) throw new Error(`a column has ${scale} decimal places`);
  return (values) => (place, out) => {
    const text = pointed(unscaled(values, place), scale);
    if (isCounted && Math.abs(Math.trunc(Number(text))) > Number.MAX_SAFE_INTEGER) throw inexact(text);
    out.ascii(text);
  };
}

function unscaled(values: Values, place: number): bigint {
  if (!isTexts(values)) return BigInt(values[place]!);
  const { bytes, starts, ends } = values;
  const length = ends[place]! - starts[place]!;
  if (length > MAX_DECIMAL_BYTES) throw new Error(`a decimal has ${length} bytes`);
  let value = 0n;
  for (let at = starts[place]!; at < ends[place]!; at++) value = (value << 8n) | BigInt(bytes[at]!);
  return BigInt.asIntN(8 * length, value);
}

/** 123456 with 3 decimal places: `123.456`; 5 with 3: `0.005`. Without zeros at its end. */
function pointed(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const part = digits.slice(digits.length - scale).replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${whole}${part === "" ? "" : `.${part}`}`;
}
