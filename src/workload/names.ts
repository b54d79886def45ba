import { isUtf8 } from "node:buffer";

import { InputError } from "./errors.ts";
import { ByteTable, NOT_THERE } from "./byte-table.ts";
import { decodeText } from "./input/text.ts";

const MAX_NAMES = 10_000_000;
/** Numbers below this are looked up in an array, which is faster than a `Map`. */
const DENSE_NUMBERS = 1 << 16;
const UNSEEN = -1;

/** Gives every distinct name of a column a code, in order of appearance. */
export class Names {
  readonly list: string[] = [];
  /** The number of distinct byte strings that were not UTF-8. */
  notUtf8 = 0;
  /** Made when a name is first asked for as text. A log that is read as bytes does without it. */
  private codes: Map<string | number, number> | null = null;
  private denseCodes: Int32Array | null = null;
  private readonly byBytes = new ByteTable();

  codeOf(name: string): number {
    return this.codesByText().get(name) ?? this.add(name, name);
  }

  /** The code of the name `bytes[start..end)`, without making a string of one that is known. */
  codeOfBytes(bytes: Uint8Array, start: number, end: number): number {
    const known = this.byBytes.find(bytes, start, end);
    if (known >= 0) return known;
    const name = decodeText(bytes, start, end);
    if (!isUtf8(bytes.subarray(start, end))) this.notUtf8++;
    // If the bytes are ASCII and new, the name is new, unless names were also added as text or numbers.
    const isNew = known === NOT_THERE && this.codes === null && name.length === end - start && isAscii(name);
    const code = isNew ? this.add(name, name) : this.codeOf(name);
    if (known === NOT_THERE) this.byBytes.add(bytes, start, end, code);
    return code;
  }

  /** Whether the name `bytes[start..end)` has a code. */
  includesBytes(bytes: Uint8Array, start: number, end: number): boolean {
    return this.byBytes.find(bytes, start, end) >= 0;
  }

  /** @param nameOf the name of number `id`; called once for each */
  codeOfNumber(id: number, nameOf: (id: number) => string = String): number {
    const dense = id >= 0 && id < DENSE_NUMBERS && Number.isInteger(id);
    if (!dense) return this.codesByText().get(id) ?? this.add(id, nameOf(id));
    this.denseCodes ??= new Int32Array(DENSE_NUMBERS).fill(UNSEEN);
    const code = this.denseCodes[id]!;
    if (code !== UNSEEN) return code;
    return (this.denseCodes[id] = this.add(id, nameOf(id)));
  }

  private codesByText(): Map<string | number, number> {
    if (this.codes === null) {
      this.codes = new Map();
      for (let code = 0; code < this.list.length; code++) this.codes.set(this.list[code]!, code);
    }
    return this.codes;
  }

  private add(key: string | number, name: string): number {
    if (this.list.length >= MAX_NAMES) {
      throw new InputError(`more than ${MAX_NAMES} distinct names in one column`);
    }
    const code = this.list.push(name) - 1;
    this.codes?.set(key, code);
    return code;
  }
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}
