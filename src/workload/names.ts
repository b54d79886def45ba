import { InputError } from "./errors.ts";

/** Well below what one `Map` holds (2^24 keys). */
const MAX_NAMES = 10_000_000;
/** Numbers below this are looked up in an array, which is quicker than a `Map`. */
const DENSE_NUMBERS = 1 << 16;
const UNSEEN = -1;
/** More names of one hash than this are looked up as strings, or a log could be made to take for ever. */
const MAX_NAMES_PER_HASH = 8;

const decoder = new TextDecoder();

/** Gives every distinct name of a column a code, in order of appearance. */
export class Names {
  readonly list: string[] = [];
  private readonly codes = new Map<string | number, number>();
  private denseCodes: Int32Array | null = null;
  private readonly byHash = new Map<number, { readonly bytes: Uint8Array; readonly code: number }[]>();

  codeOf(name: string): number {
    return this.codes.get(name) ?? this.add(name, name);
  }

  /** The code of the name `bytes[start..end)`, without making a string of one that is known. */
  codeOfBytes(bytes: Uint8Array, start: number, end: number): number {
    let hash = 0;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + bytes[at]!) | 0;
    let known = this.byHash.get(hash);
    if (known === undefined) this.byHash.set(hash, (known = []));
    for (const name of known) if (isSame(name.bytes, bytes, start, end)) return name.code;
    const code = this.codeOf(decoder.decode(bytes.subarray(start, end)));
    if (known.length < MAX_NAMES_PER_HASH)
      known.push({ bytes: Uint8Array.from(bytes.subarray(start, end)), code });
    return code;
  }

  /** @param nameOf what number `id` is called; asked once for each. */
  codeOfNumber(id: number, nameOf: (id: number) => string = String): number {
    const dense = id >= 0 && id < DENSE_NUMBERS && Number.isInteger(id);
    if (!dense) return this.codes.get(id) ?? this.add(id, nameOf(id));
    this.denseCodes ??= new Int32Array(DENSE_NUMBERS).fill(UNSEEN);
    const code = this.denseCodes[id]!;
    if (code !== UNSEEN) return code;
    return (this.denseCodes[id] = this.add(id, nameOf(id)));
  }

  private add(key: string | number, name: string): number {
    if (this.list.length >= MAX_NAMES) {
      throw new InputError(`more than ${MAX_NAMES} distinct names in one column`);
    }
    const code = this.list.push(name) - 1;
    this.codes.set(key, code);
    return code;
  }
}

function isSame(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let at = 0; at < name.length; at++) if (name[at] !== bytes[start + at]) return false;
  return true;
}
