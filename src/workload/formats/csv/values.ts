import type { CsvLine } from "../../input/csv-line.ts";
import { parseDuration } from "../../input/durations.ts";
import type { InstantReader } from "../../input/instants.ts";
import { isInBits, parseMemory } from "../../input/memory-amounts.ts";
import { parseNumber } from "../../input/numbers.ts";
import type { Names } from "../../names.ts";
import { unitFactor } from "./fields.ts";
import type { CsvField } from "./fields.ts";
import type { CsvHeader } from "./header.ts";

const COMMA = 44;
const SEMICOLON = 59;
const POINT = 46;
const MINUS = 45;
const PLUS = 43;
const SLASH = 47;
const NINE = 57;
const LETTER_E = 101;

/** Why a cell could not be read: in words that are the same for its column, and in full. */
export type CellProblem = readonly [what: string, inFull: string];

/** Reads the cells of the line at hand. What cannot be read is kept in `problem`. */
export class CsvValues {
  /** The first cell since it was set to null that could not be read. */
  problem: CellProblem | null = null;
  private readonly fields: CsvLine;
  private readonly header: CsvHeader;
  private readonly instants: InstantReader;
  /** Files with semicolons are of places where numbers have commas. */
  private readonly hasDecimalCommas: boolean;
  private readonly decimal = new Uint8Array(64);

  constructor(fields: CsvLine, header: CsvHeader, instants: InstantReader, delimiter: number) {
    this.fields = fields;
    this.header = header;
    this.instants = instants;
    this.hasDecimalCommas = delimiter === SEMICOLON;
  }

  /** Seconds since 1970, or on the log's own clock; NaN where there is none. */
  time(field: CsvField): (notBefore?: number) => number {
    const column = this.header.column(field);
    if (column === undefined) return () => Number.NaN;
    const { place, unit } = column;
    const factor = unit === "" ? Number.NaN : unitFactor(field, unit)!;
    const { fields } = this;
    return (notBefore) => {
      if (fields.isEmpty(place)) return Number.NaN;
      if (factor > 0 && this.isPlain(place)) return this.number(place) * factor;
      const seconds = this.instants.read(fields.bytes, fields.starts[place]!, fields.ends[place]!, notBefore);
      return Number.isNaN(seconds) ? this.unreadable(place, "no time: give ISO dates or seconds") : seconds;
    };
  }

  /** Seconds; NaN where there is none. */
  duration(field: CsvField): () => number {
    const column = this.header.column(field);
    if (column === undefined) return () => Number.NaN;
    const { place, unit } = column;
    const factor = unit === "" ? 1 : unitFactor(field, unit)!;
    const { fields } = this;
    return () => {
      if (fields.isEmpty(place)) return Number.NaN;
      const seconds = this.isPlain(place)
        ? this.number(place) * factor
        : parseDuration(fields.bytes, fields.starts[place]!, fields.ends[place]!);
      return Number.isNaN(seconds)
        ? this.unreadable(place, "no duration: give seconds, or as in 01:30:00")
        : seconds;
    };
  }

  /** MiB; NaN where there is none, or a negative one. @param unitless MiB of 1 where no unit is named */
  memory(field: CsvField, unitless: number): () => number {
    const column = this.header.column(field);
    if (column === undefined) return () => Number.NaN;
    const { place, unit } = column;
    const factor = unit === "" ? unitless : unitFactor(field, unit)!;
    const { fields } = this;
    return () => {
      if (fields.isEmpty(place) || fields.bytes[fields.starts[place]!] === MINUS) return Number.NaN;
      const amount = this.isPlain(place)
        ? this.number(place) * factor
        : parseMemory(fields.bytes, fields.starts[place]!, fields.ends[place]!, factor);
      if (isInBits(fields.bytes, fields.starts[place]!, fields.ends[place]!))
        return this.unreadable(place, "memory in bits: it is counted in bytes, as in 4GB");
      return Number.isNaN(amount)
        ? this.unreadable(place, "no amount of memory: give MiB, or as in 4G")
        : amount;
    };
  }

  /** NaN where there is none. */
  amount(field: CsvField): () => number {
    const column = this.header.column(field);
    if (column === undefined) return () => Number.NaN;
    const { place } = column;
    return () => {
      if (this.fields.isEmpty(place)) return Number.NaN;
      const number = this.number(place);
      return Number.isNaN(number) ? this.unreadable(place, "not a number") : number;
    };
  }

  /** The code of a name; `missing` where there is none. */
  code(field: CsvField, names: Names, missing: number): () => number {
    const column = this.header.column(field);
    if (column === undefined) return () => missing;
    const { place } = column;
    const { fields } = this;
    return () => (fields.isEmpty(place) ? missing : fields.code(place, names));
  }

  /** Whether a cell has only what numbers are made of: no unit, no colon. */
  private isPlain(place: number): boolean {
    const { bytes, starts, ends } = this.fields;
    const end = ends[place]!;
    for (let at = starts[place]!; at < end; at++) {
      const byte = bytes[at]!;
      // Digits, and + , - . of which a slash, between them, is none.
      if (byte > NINE || byte < PLUS || byte === SLASH)
        return (byte | 32) === LETTER_E && at > starts[place]!;
    }
    return true;
  }

  /** NaN where the field is no number. */
  private number(place: number): number {
    const number = this.fields.number(place);
    return Number.isNaN(number) && this.hasDecimalCommas ? this.numberWithComma(place) : number;
  }

  /** `1,5`, as half of the world writes it. */
  private numberWithComma(place: number): number {
    const { fields, decimal } = this;
    const start = fields.starts[place]!;
    const length = fields.ends[place]! - start;
    if (length > decimal.length) return Number.NaN;
    for (let at = 0; at < length; at++) {
      const byte = fields.bytes[start + at]!;
      decimal[at] = byte === COMMA ? POINT : byte;
    }
    return parseNumber(decimal, 0, length);
  }

  private unreadable(place: number, what: string): number {
    if (this.problem === null) {
      const column = this.header.names[place]!;
      const text = this.fields.text(place).slice(0, 40);
      this.problem = [`column ${column}: ${what}`, `column ${column}: "${text}" is ${what}`];
    }
    return Number.NaN;
  }
}
