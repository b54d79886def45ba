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
  bytes: Uint8Array = Buffer.alloc(0);
  count = 0;
  /** Whether the quotes of the line are balanced. */
  isWhole = false;
  private starts = new Int32Array(256);
  private ends = new Int32Array(256);
  private quoted = new Uint8Array(256);

  /** @param end where the line ends, at its line break */
  read(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes;
    let { starts, ends, quoted } = this;
    let count = 0;
    let isWhole = true;
    let at = start;
    for (;;) {
      while (at < end && bytes[at]! <= BLANK) at++;
      if (at >= end) break;
      if (count === starts.length) {
        this.grow();
        ({ starts, ends, quoted } = this);
      }
      if (bytes[at] === QUOTE) {
        starts[count] = ++at;
        for (; at < end; at++) {
          if (bytes[at] !== QUOTE) continue;
          if (at + 1 < end && bytes[at + 1] === QUOTE) at++;
          else break;
        }
        ends[count] = at;
        quoted[count++] = 1;
        // If another record runs into this one, its quote ends a string of this one, or is inside a number.
        if (at >= end || (at + 1 < end && bytes[at + 1]! > BLANK)) isWhole = false;
        at++;
      } else {
        starts[count] = at;
        // The line break ends the last field.
        for (; bytes[at]! > BLANK; at++) if (bytes[at] === QUOTE) isWhole = false;
        ends[count] = at;
        quoted[count++] = 0;
      }
    }
    this.count = count;
    this.isWhole = isWhole;
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

  private grow(): void {
    this.starts = grown(this.starts);
    this.ends = grown(this.ends);
    const flags = new Uint8Array(2 * this.quoted.length);
    flags.set(this.quoted);
    this.quoted = flags;
  }
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}
