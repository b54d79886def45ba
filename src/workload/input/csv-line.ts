import type { Names } from "../names.ts";
import { Fields, MAX_FIELDS } from "./fields.ts";
import { parseNumber } from "./numbers.ts";

const COMMA = 44;
const QUOTE = 34;
const SEMICOLON = 59;
const EQUALS = 61;
const BLANK = 32;

/**
 * One delimited line, split without making strings.
 *
 * A field may be quoted, with `""` for a quote in it. Blanks around fields are ignored.
 */
export class CsvLine extends Fields {
  /** Whether the last line that was split ended within quotes. */
  endsInQuotes = false;
  private readonly delimiter: number;

  /** @param delimiter the byte between fields; a comma by default */
  constructor(delimiter = COMMA) {
    super();
    this.delimiter = delimiter;
  }

  /** @returns whether the quotes of the line `bytes[start..end)` are balanced; if not, it has no fields */
  split(bytes: Uint8Array, start: number, end: number): boolean {
    const { delimiter, starts, ends } = this;
    this.bytes = bytes;
    this.count = 0;
    this.endsInQuotes = false;
    let count = 0;
    let at = start;
    for (;;) {
      while (at < end && bytes[at]! <= BLANK && bytes[at] !== delimiter) at++;
      let from = at;
      let to = at;
      if (at < end && bytes[at] === QUOTE) {
        from = at + 1;
        to = closingQuote(bytes, from, end);
        this.endsInQuotes = to === -1;
        if (to === -1) return false;
        at = to + 1;
        while (at < end && bytes[at]! <= BLANK && bytes[at] !== delimiter) at++;
        if (at < end && bytes[at] !== delimiter) return false;
      } else {
        while (at < end && bytes[at] !== delimiter) at++;
        to = at;
      }
      while (to > from && bytes[to - 1]! <= BLANK) to--;
      if (count < MAX_FIELDS) {
        starts[count] = from;
        ends[count] = to;
      }
      count++;
      if (at >= end) break;
      at++;
    }
    this.count = count;
    return true;
  }

  /** The number of `key=value` in a field that is a list separated by semicolons; NaN if it is not there. */
  numberOfKey(field: number, key: string): number {
    const { bytes } = this;
    const end = this.ends[field]!;
    for (let at = this.starts[field]!; at < end; at++) {
      while (at < end && bytes[at]! <= BLANK) at++;
      let matched = 0;
      while (matched < key.length && bytes[at + matched] === key.charCodeAt(matched)) matched++;
      let value = at + matched;
      while (value < end && bytes[value]! <= BLANK) value++;
      while (at < end && bytes[at] !== SEMICOLON) at++;
      if (matched === key.length && bytes[value] === EQUALS && value < at) {
        return parseNumber(bytes, value + 1, at);
      }
    }
    return Number.NaN;
  }

  override text(field: number): string {
    const text = super.text(field);
    return this.isQuoted(field) ? text.replaceAll('""', '"') : text;
  }

  override code(field: number, names: Names): number {
    return this.isQuoted(field) ? names.codeOf(this.text(field)) : super.code(field, names);
  }

  private isQuoted(field: number): boolean {
    const start = this.starts[field]!;
    return start > 0 && this.bytes[start - 1] === QUOTE;
  }
}

/** The position of the quote that ends the field; -1 if there is none. */
function closingQuote(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if (bytes[at] !== QUOTE) continue;
    if (at + 1 < end && bytes[at + 1] === QUOTE) at++;
    else return at;
  }
  return -1;
}
