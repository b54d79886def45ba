/**
 * Reads Thrift's compact protocol, the format of Parquet's footer and page headers.
 *
 * The library's reader trusts its input: a damaged length makes it allocate without
 * bound, step backwards, or build integers of megabytes. This one has a limit on each.
 */

export type ThriftValue = boolean | number | Uint8Array<ArrayBuffer> | readonly ThriftValue[] | ThriftStruct;

/** Fields by number. Absent ones have their default. */
export class ThriftStruct {
  private readonly fields: ReadonlyMap<number, ThriftValue>;

  constructor(fields: ReadonlyMap<number, ThriftValue>) {
    this.fields = fields;
  }

  has(field: number): boolean {
    return this.fields.has(field);
  }

  /** NaN if the field is absent or of another type; it then fails every range check. */
  number(field: number): number {
    const value = this.fields.get(field);
    return typeof value === "number" ? value : Number.NaN;
  }

  boolean(field: number, absent: boolean): boolean {
    const value = this.fields.get(field);
    return typeof value === "boolean" ? value : absent;
  }

  text(field: number): string | undefined {
    const value = this.fields.get(field);
    return value instanceof Uint8Array ? textOf(value) : undefined;
  }

  texts(field: number): string[] {
    return this.list(field).flatMap((value) => (value instanceof Uint8Array ? [textOf(value)] : []));
  }

  struct(field: number): ThriftStruct | undefined {
    const value = this.fields.get(field);
    return value instanceof ThriftStruct ? value : undefined;
  }

  structs(field: number): ThriftStruct[] {
    return this.list(field).flatMap((value) => (value instanceof ThriftStruct ? [value] : []));
  }

  private list(field: number): readonly ThriftValue[] {
    const value = this.fields.get(field);
    return Array.isArray(value) ? (value as readonly ThriftValue[]) : [];
  }
}

/** Parquet's own structures are nested some ten deep. */
const maxDepth = 32;
const maxVarintBytes = 10;

/** Reads structures from bytes, one after another. */
export class ThriftReader {
  private readonly bytes: Uint8Array<ArrayBuffer>;
  /** The position of the next byte. */
  at: number;

  constructor(bytes: Uint8Array<ArrayBuffer>, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  struct(depth = 0): ThriftStruct {
    if (depth > maxDepth) throw new Error("its header is nested too deeply");
    const fields = new Map<number, ThriftValue>();
    let field = 0;
    for (;;) {
      const head = this.byte();
      if (head === 0) return new ThriftStruct(fields);
      const type = head & 15;
      field = head >> 4 === 0 ? this.zigzag() : field + (head >> 4);
      // The value of a boolean field is in its type.
      fields.set(field, type === 1 || type === 2 ? type === 1 : this.value(type, depth));
    }
  }

  private value(type: number, depth: number): ThriftValue {
    switch (type) {
      case 1:
      case 2:
        return this.byte() === 1;
      case 3:
        return (this.byte() << 24) >> 24;
      case 4:
      case 5:
      case 6:
        return this.zigzag();
      case 7:
        this.skip(8);
        return Number.NaN; // No floating-point field of Parquet's matters here.
      case 8:
        return this.skip(this.varint());
      case 9:
      case 10:
        return this.list(depth);
      case 12:
        return this.struct(depth + 1);
      default:
        throw new Error("its header has a field of an unknown type");
    }
  }

  private list(depth: number): ThriftValue[] {
    if (depth > maxDepth) throw new Error("its header is nested too deeply");
    const head = this.byte();
    const length = head >> 4 === 15 ? this.varint() : head >> 4;
    const values: ThriftValue[] = [];
    // Every value takes at least one byte, so a false length ends with the bytes.
    for (let i = 0; i < length; i++) values.push(this.value(head & 15, depth + 1));
    return values;
  }

  private byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new Error("its header is cut short");
    this.at++;
    return byte;
  }

  private skip(length: number): Uint8Array<ArrayBuffer> {
    const from = this.at;
    if (length > this.bytes.length - from) throw new Error("its header is cut short");
    this.at += length;
    return this.bytes.subarray(from, this.at);
  }

  /** Exact up to 2^53, which is more than any count or offset. */
  private varint(): number {
    let value = 0;
    let unit = 1;
    for (let i = 0; i < maxVarintBytes; i++) {
      const byte = this.byte();
      value += (byte & 127) * unit;
      if (byte < 128) return value;
      unit *= 128;
    }
    throw new Error("its header has an endless number");
  }

  private zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
