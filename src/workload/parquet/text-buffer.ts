const COMMA = 44;
const QUOTE = 34;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const BLANK = 32;
const ZERO = 48;
const MINUS = 45;
const LEAST_INT32 = -(2 ** 31);

/** Enough to hand on: more would not make reading it faster. */
const FULL_BYTES = 1 << 20;
/** More than a number or a time takes. */
const SMALL_BYTES = 64;

/** Lines of CSV, cell by cell. */
export class TextBuffer {
  /** Line breaks in cells, which became blanks, so that each row is a line. */
  lineBreaks = 0;
  private bytes = Buffer.allocUnsafeSlow(FULL_BYTES * 2);
  private at = 0;

  get isFull(): boolean {
    return this.at >= FULL_BYTES;
  }

  /** What was written since the last call; valid until more is written. */
  take(): Buffer {
    const { bytes, at } = this;
    this.at = 0;
    return bytes.subarray(0, at);
  }

  endCell(): void {
    this.reserve(1);
    this.bytes[this.at++] = COMMA;
  }

  /** In place of the last `endCell`. */
  endRow(): void {
    this.bytes[this.at - 1] = NEWLINE;
  }

  ascii(text: string): void {
    this.reserve(text.length);
    const { bytes } = this;
    for (let i = 0; i < text.length; i++) bytes[this.at++] = text.charCodeAt(i);
  }

  /** Any number, as short as it can be. */
  number(value: number): void {
    // The least number of 32 bits has no positive counterpart.
    if (value !== (value | 0) || value === LEAST_INT32) {
      this.ascii(String(value));
      return;
    }
    this.reserve(SMALL_BYTES);
    if (value < 0) this.bytes[this.at++] = MINUS;
    const size = Math.abs(value);
    let digits = 1;
    for (let limit = 10; size >= limit; limit *= 10) digits++;
    this.padded(size, digits);
  }

  /** A whole number of 32 bits, of so many digits, with zeros before it. */
  padded(value: number, digits: number): void {
    this.reserve(SMALL_BYTES);
    const { bytes, at } = this;
    let rest = value;
    for (let place = at + digits - 1; place >= at; place--) {
      const tenth = (rest / 10) | 0;
      bytes[place] = ZERO + rest - tenth * 10;
      rest = tenth;
    }
    this.at = at + digits;
  }

  /** A text that may have any characters, quoted if it has to be (RFC 4180). Blanks around it are left out, as in CSV. */
  text(source: Uint8Array, start: number, end: number): void {
    let first = start;
    let last = end;
    while (first < last && source[first]! <= BLANK) first++;
    while (last > first && source[last - 1]! <= BLANK) last--;
    this.reserve(2 * (last - first) + 2);
    const { bytes } = this;
    let at = this.at;
    let isPlain = true;
    for (let from = first; from < last; from++) {
      const byte = source[from]!;
      if (byte === COMMA || byte === QUOTE || byte === NEWLINE || byte === CARRIAGE_RETURN) isPlain = false;
      bytes[at++] = byte;
    }
    if (isPlain) this.at = at;
    else this.quoted(source, first, last);
  }

  private quoted(source: Uint8Array, start: number, end: number): void {
    const { bytes } = this;
    bytes[this.at++] = QUOTE;
    for (let from = start; from < end; from++) {
      const byte = source[from]!;
      if (byte === QUOTE) bytes[this.at++] = QUOTE;
      const isBreak = byte === NEWLINE || byte === CARRIAGE_RETURN;
      if (isBreak) this.lineBreaks++;
      bytes[this.at++] = isBreak ? BLANK : byte;
    }
    bytes[this.at++] = QUOTE;
  }

  private reserve(length: number): void {
    if (this.at + length <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.at + length));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }
}
