import { parseNumber } from "../../input/numbers.ts";
import { decodeText, startsWith } from "../../input/text.ts";

const QUOTE = 34;
const BLANK = 32;

/**
 * A record of lsb.acct: fields with blanks between them, strings in quotes, with `""` for a quote.
 *
 * The fields are named by their positions, from 0. Those after a list move with its length.
 */
export class LsfRecord {
  bytes: Uint8Array = new Uint8Array(0);
  count = 0;
  /** Whether the quotes of the line are balanced. */
  isWhole = false;
  private starts = new Int32Array(256);
  private ends = new Int32Array(256);
  private quoted = new Uint8Array(256);

  read(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes;
    this.count = 0;
    this.isWhole = true;
    let at = start;
    while (at < end) {
      if (bytes[at]! <= BLANK) {
        at++;
        continue;
      }
      const isQuoted = bytes[at] === QUOTE;
      const from = isQuoted ? ++at : at;
      if (isQuoted) {
        for (; at < end; at++) {
          if (bytes[at] !== QUOTE) continue;
          if (at + 1 < end && bytes[at + 1] === QUOTE) at++;
          else break;
        }
        this.add(from, at, 1);
        // If another record runs into this one, its quote ends a string of this one, or is inside a number.
        if (at >= end || (at + 1 < end && bytes[at + 1]! > BLANK)) this.isWhole = false;
        at++;
      } else {
        for (; at < end && bytes[at]! > BLANK; at++) if (bytes[at] === QUOTE) this.isWhole = false;
        this.add(from, at, 0);
      }
    }
  }

  /** NaN if the field is missing, or not a number. */
  number(field: number): number {
    if (!(field < this.count) || this.quoted[field] === 1) return Number.NaN;
    return parseNumber(this.bytes, this.starts[field]!, this.ends[field]!);
  }

  isQuoted(field: number): boolean {
    return field < this.count && this.quoted[field] === 1;
  }

  isEmpty(field: number): boolean {
    return !(field < this.count) || this.starts[field] === this.ends[field];
  }

  begins(field: number, text: string): boolean {
    return field < this.count && startsWith(this.bytes, this.starts[field]!, this.ends[field]!, text);
  }

  text(field: number): string {
    return field < this.count ? decodeText(this.bytes, this.starts[field]!, this.ends[field]!) : "";
  }

  startOf(field: number): number {
    return this.starts[field]!;
  }

  endOf(field: number): number {
    return this.ends[field]!;
  }

  private add(start: number, end: number, quoted: number): void {
    if (this.count === this.starts.length) {
      this.starts = grown(this.starts);
      this.ends = grown(this.ends);
      const flags = new Uint8Array(2 * this.quoted.length);
      flags.set(this.quoted);
      this.quoted = flags;
    }
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.quoted[this.count++] = quoted;
  }
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}
