import type { Names } from "../names.ts";
import { parseNumber } from "./numbers.ts";

const COMMA = 44;
const QUOTE = 34;
const SEMICOLON = 59;
const EQUALS = 61;
const BLANK = 32;
/** Fields beyond this are counted, but cannot be asked for. */
const MAX_FIELDS = 1024;

const decoder = new TextDecoder();

/**
 * One comma-separated line, split without making strings.
 *
 * A field may be quoted, with `""` for a quote in it; blanks around fields do not count.
 */
export class CsvLine {
  private bytes: Uint8Array = new Uint8Array(0);
  private fieldCount = 0;
  private readonly starts = new Int32Array(MAX_FIELDS);
  private readonly ends = new Int32Array(MAX_FIELDS);

  /** The number of fields of the line split last. */
  get count(): number {
    return this.fieldCount;
  }

  /** @returns whether the quotes of the line `bytes[start..end)` are in order; if not, it has no fields. */
  split(bytes: Uint8Array, start: number, end: number): boolean {
    this.bytes = bytes;
    this.fieldCount = 0;
    let at = start;
    for (;;) {
      while (at < end && bytes[at]! <= BLANK) at++;
      if (at < end && bytes[at] === QUOTE) {
        const close = closingQuote(bytes, at + 1, end);
        const from = at + 1;
        at = close + 1;
        while (at < end && bytes[at]! <= BLANK) at++;
        if (close === -1 || (at < end && bytes[at] !== COMMA)) {
          this.fieldCount = 0;
          return false;
        }
        this.add(from, close);
      } else {
        const from = at;
        while (at < end && bytes[at] !== COMMA) at++;
        this.add(from, at);
      }
      if (at >= end) return true;
      at++;
    }
  }

  isEmpty(field: number): boolean {
    return this.starts[field] === this.ends[field];
  }

  /** NaN where the field is no number. */
  number(field: number): number {
    return parseNumber(this.bytes, this.starts[field]!, this.ends[field]!);
  }

  /** The number that `key=value` gives in a field that is a list joined by semicolons; NaN where it gives none. */
  numberOfKey(field: number, key: string): number {
    const bytes = this.bytes;
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

  includes(field: number, byte: number): boolean {
    for (let at = this.starts[field]!; at < this.ends[field]!; at++) {
      if (this.bytes[at] === byte) return true;
    }
    return false;
  }

  text(field: number): string {
    const start = this.starts[field]!;
    const text = decoder.decode(this.bytes.subarray(start, this.ends[field]));
    return this.isQuoted(start) ? text.replaceAll('""', '"') : text;
  }

  /** The field's code in a column of names. */
  code(field: number, names: Names): number {
    const start = this.starts[field]!;
    if (this.isQuoted(start)) return names.codeOf(this.text(field));
    return names.codeOfBytes(this.bytes, start, this.ends[field]!);
  }

  private isQuoted(start: number): boolean {
    return start > 0 && this.bytes[start - 1] === QUOTE;
  }

  private add(start: number, end: number): void {
    while (end > start && this.bytes[end - 1]! <= BLANK) end--;
    if (this.fieldCount < MAX_FIELDS) {
      this.starts[this.fieldCount] = start;
      this.ends[this.fieldCount] = end;
    }
    this.fieldCount++;
  }
}

/** Where the quote that ends the field is; -1: nowhere. */
function closingQuote(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if (bytes[at] !== QUOTE) continue;
    if (at + 1 < end && bytes[at + 1] === QUOTE) at++;
    else return at;
  }
  return -1;
}
