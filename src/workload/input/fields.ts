import type { Names } from "../names.ts";
import { parseNumber } from "./numbers.ts";
import { decodeText, isText } from "./text.ts";

/** Fields beyond this are counted, but cannot be read. */
export const MAX_FIELDS = 1024;

/**
 * The fields of one line, as positions in its bytes: no strings are made.
 *
 * `starts` and `ends` are valid for the first `count` fields, until the next line is split.
 */
export class Fields {
  bytes: Uint8Array = Buffer.alloc(0);
  /** The number of fields of the last line that was split. */
  count = 0;
  readonly starts = new Int32Array(MAX_FIELDS);
  readonly ends = new Int32Array(MAX_FIELDS);

  /** Splits `bytes[start..end)` at every `delimiter`. There is no quoting, and blanks belong to the fields. */
  splitPlainly(bytes: Uint8Array, start: number, end: number, delimiter: number): void {
    this.bytes = bytes;
    const { starts, ends } = this;
    let count = 0;
    let from = start;
    for (let at = start; at < end; at++) {
      if (bytes[at] !== delimiter) continue;
      if (count < MAX_FIELDS) {
        starts[count] = from;
        ends[count] = at;
      }
      count++;
      from = at + 1;
    }
    if (count < MAX_FIELDS) {
      starts[count] = from;
      ends[count] = end;
    }
    this.count = count + 1;
  }

  isEmpty(field: number): boolean {
    return this.starts[field] === this.ends[field];
  }

  /** Whether the field is this text, of ASCII characters only. */
  is(field: number, text: string): boolean {
    return isText(this.bytes, this.starts[field]!, this.ends[field]!, text);
  }

  /** Whether two fields hold the same bytes; false if one of them is -1. */
  areSame(field: number, other: number): boolean {
    if (field === -1 || other === -1) return false;
    const { bytes, starts, ends } = this;
    const from = starts[other]! - starts[field]!;
    if (ends[field]! - starts[field]! !== ends[other]! - starts[other]!) return false;
    for (let at = ends[field]! - 1; at >= starts[field]!; at--)
      if (bytes[at] !== bytes[at + from]) return false;
    return true;
  }

  /** NaN if the field is not a number. */
  number(field: number): number {
    return parseNumber(this.bytes, this.starts[field]!, this.ends[field]!);
  }

  text(field: number): string {
    return decodeText(this.bytes, this.starts[field]!, this.ends[field]!);
  }

  /** The field's code in a column of names. */
  code(field: number, names: Names): number {
    return names.codeOfBytes(this.bytes, this.starts[field]!, this.ends[field]!);
  }

  includes(field: number, byte: number): boolean {
    for (let at = this.starts[field]!; at < this.ends[field]!; at++) {
      if (this.bytes[at] === byte) return true;
    }
    return false;
  }
}
