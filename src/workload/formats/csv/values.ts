import type { CsvLine } from "../../input/csv-line.ts";
import { parseDuration } from "../../input/durations.ts";
import type { InstantReader } from "../../input/instants.ts";
import { isInBits, parseMemory } from "../../input/memory-amounts.ts";
import { parseNumber } from "../../input/numbers.ts";
import type { Names } from "../../names.ts";
import { isDateOrder, slashDate } from "../../input/short-dates.ts";
import type { Notes } from "../notes.ts";
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

/** Why a cell could not be read: a text that is the same for all of its column, one with the details, and the cell. */
export type CellProblem = readonly [what: string, inFull: string, text: string];

/** What programs write where they have no value. A job's row is kept, and the value is unknown. */
const NO_VALUE = /^(null|none|nan|nat|n\/a|na|-|\\n)$/i;

/** Characters of a cell that are shown, at most. */
const MAX_SHOWN = 40;

/** The column of a field, with what reading its cells takes. A file that lacks it has it at -1. */
export interface Cells {
  readonly field: CsvField;
  readonly place: number;
  /** The field's unit for a number without one; NaN if such a number is read as the field's kind usually is. */
  readonly factor: number;
}

/** Reads the cells of the current line. The first failure is kept in `problem`. */
export class CsvValues {
  /** The first cell that could not be read since `problem` was set to null. */
  problem: CellProblem | null = null;
  /** Whether an amount of memory without a unit was read. */
  sawUnitless = false;
  private readonly fields: CsvLine;
  private readonly header: CsvHeader;
  private readonly instants: InstantReader;
  private readonly notes: Notes;
  /** Files with semicolons come from countries where numbers have commas. */
  private readonly hasDecimalCommas: boolean;
  private readonly decimal = new Uint8Array(64);

  constructor(fields: CsvLine, header: CsvHeader, instants: InstantReader, notes: Notes, delimiter: number) {
    this.fields = fields;
    this.header = header;
    this.instants = instants;
    this.notes = notes;
    this.hasDecimalCommas = delimiter === SEMICOLON;
  }

  /** @param unitless the factor of a column without a unit */
  cells(field: CsvField, unitless = Number.NaN): Cells {
    const { place = -1, unit = "" } = this.header.column(field) ?? {};
    const factor = unit === "" || isDateOrder(unit) ? unitless : unitFactor(field, unit)!;
    return { field, place, factor };
  }

  /** Seconds since 1970, or on the log's own clock; NaN if there is none. */
  time({ field, place, factor }: Cells, notBefore?: number): number {
    const { fields } = this;
    if (place === -1 || fields.isEmpty(place)) return Number.NaN;
    if (factor > 0 && this.isPlain(place)) return this.number(place) * factor;
    const seconds = this.instants.read(fields.bytes, fields.starts[place]!, fields.ends[place]!, notBefore);
    return Number.isNaN(seconds) ? this.unreadableTime(field, place) : seconds;
  }

  /** Seconds; NaN if there is none. */
  duration({ place, factor }: Cells): number {
    const { fields } = this;
    if (place === -1 || fields.isEmpty(place)) return Number.NaN;
    const seconds = this.isPlain(place)
      ? this.number(place) * factor
      : parseDuration(fields.bytes, fields.starts[place]!, fields.ends[place]!);
    return Number.isNaN(seconds)
      ? this.unreadable(place, "not a duration: write seconds or 01:30:00")
      : seconds;
  }

  /** MiB; NaN if there is none, or a negative one. */
  memory({ place, factor }: Cells): number {
    const { fields } = this;
    if (place === -1 || fields.isEmpty(place)) return Number.NaN;
    const { bytes, starts, ends } = fields;
    if (bytes[starts[place]!] === MINUS) return Number.NaN;
    const isPlain = this.isPlain(place);
    if (isPlain) this.sawUnitless = true;
    let amount = isPlain
      ? this.number(place) * factor
      : parseMemory(bytes, starts[place]!, ends[place]!, factor);
    if (isPlain && !Number.isNaN(amount)) return amount;
    if (Number.isNaN(amount) && this.hasDecimalCommas)
      amount = parseMemory(this.decimal, 0, this.withPoints(place), factor);
    if (isInBits(bytes, starts[place]!, ends[place]!))
      return this.unreadable(place, "memory in bits: it is counted in bytes, as in 4GB");
    return Number.isNaN(amount) ? this.unreadable(place, "not an amount of memory: write MiB or 4G") : amount;
  }

  /** NaN if there is none. */
  amount({ place }: Cells): number {
    if (place === -1 || this.fields.isEmpty(place)) return Number.NaN;
    const number = this.number(place);
    return Number.isNaN(number) ? this.unreadable(place, "not a number") : number;
  }

  /** The code of a name; `missing` if there is none. */
  code({ place }: Cells, names: Names, missing: number): number {
    return place === -1 || this.fields.isEmpty(place) ? missing : this.fields.code(place, names);
  }

  /** Whether a cell has only characters of plain numbers: no unit, no colon. */
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

  /** NaN if the field is not a number. */
  private number(place: number): number {
    const number = this.fields.number(place);
    if (this.hasDecimalCommas) this.notePoint(place);
    return Number.isNaN(number) && this.hasDecimalCommas
      ? parseNumber(this.decimal, 0, this.withPoints(place))
      : number;
  }

  /** Copies the cell into `decimal`, with a point for its decimal comma: `1,5`, as in many countries. Its length. */
  private withPoints(place: number): number {
    const { fields, decimal } = this;
    const start = fields.starts[place]!;
    const length = fields.ends[place]! - start;
    if (length > decimal.length) return 0;
    for (let at = 0; at < length; at++) {
      const byte = fields.bytes[start + at]!;
      decimal[at] = byte === COMMA ? POINT : byte;
    }
    return length;
  }

  /** A thousand with a point is taken for a number with three decimals, which is noted. */
  private notePoint(place: number): void {
    const { bytes, starts, ends } = this.fields;
    const [start, end] = [starts[place]!, ends[place]!];
    if (end - start > 7 || bytes[end - 4] !== POINT || end - 4 <= start) return;
    const what = `read: the point in a number of column ${this.header.names[place]!} as a decimal point, not as one of thousands`;
    this.notes.add(what, null, 1, { example: this.fields.text(place) });
  }

  private unreadableTime(field: CsvField, place: number): number {
    const { bytes, starts, ends } = this.fields;
    const isSlashDate = slashDate(bytes, starts[place]!, ends[place]!) !== null;
    if (!isSlashDate || this.instants.dateOrder !== null)
      return this.unreadable(place, "not a time: write 2026-12-31T08:05:00, 31.12.2026 8:05 or seconds");
    const pair = `"${field}=${this.header.names[place]!}:D/M/Y"`;
    return this.unreadable(
      place,
      `a date in which the day or the month may come first, and no other tells: --columns ${pair} says the day, M/D/Y the month`,
    );
  }

  private unreadable(place: number, what: string): number {
    const text = this.fields.text(place).slice(0, MAX_SHOWN);
    if (this.problem === null && !NO_VALUE.test(text)) {
      const column = this.header.names[place]!;
      this.problem = [`column ${column}: ${what}`, `column ${column}: "${text}" is ${what}`, text];
    }
    return Number.NaN;
  }
}
