/**
 * Checks a structure in Thrift's compact protocol, the form of Parquet's footer and page headers, before hyparquet reads
 * it. That trusts its input: a list gets the memory that its stated length asks for, lists in lists a multiple of it, and
 * a number of a million bytes takes minutes.
 *
 * @returns the position after the structure
 * @throws {Error} if the bytes do not hold the structure, or a number, a list or the nesting is out of bounds
 */
export function checkThrift(bytes: Uint8Array, at: number): number {
  const check = new ThriftCheck(bytes, at);
  check.struct(0);
  return check.at;
}

/** Parquet's own structures are nested some ten deep. */
const MAX_DEPTH = 32;
/** A number of 64 bits takes ten at most. */
const MAX_NUMBER_BYTES = 10;

class ThriftCheck {
  at: number;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  struct(depth: number): void {
    if (depth > MAX_DEPTH) throw new Error("its header is nested too deeply");
    for (;;) {
      const head = this.byte();
      if (head === 0) return;
      if (head >> 4 === 0) this.number();
      // The value of a boolean field is in its type.
      if ((head & 15) > 2) this.value(head & 15, depth);
    }
  }

  private value(type: number, depth: number): void {
    if (type <= 3) this.byte();
    else if (type <= 6) this.number();
    else if (type === 7) this.skip(8);
    else if (type === 8) this.skip(this.number());
    else if (type === 9) this.list(depth + 1);
    else if (type === 12) this.struct(depth + 1);
    else throw new Error("its header has a field of an unknown type");
  }

  private list(depth: number): void {
    if (depth > MAX_DEPTH) throw new Error("its header is nested too deeply");
    const head = this.byte();
    const length = head >> 4 === 15 ? this.number() : head >> 4;
    // Every value takes at least one byte, so a false length ends with the bytes.
    for (let i = 0; i < length; i++) this.value(head & 15, depth);
  }

  private byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new Error("its header is cut short");
    return byte;
  }

  private skip(length: number): void {
    if (length > this.bytes.length - this.at) throw new Error("its header is cut short");
    this.at += length;
  }

  private number(): number {
    let value = 0;
    for (let i = 0, unit = 1; i < MAX_NUMBER_BYTES; i++, unit *= 128) {
      const byte = this.byte();
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
    throw new Error("its header has an endless number");
  }
}
