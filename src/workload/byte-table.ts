import { InputError } from "./errors.ts";

/** The result of `find` if the bytes are not in the table. */
export const NOT_THERE = -1;
/** The result of `find` if it gave up. The bytes may be in the table, and cannot be added. */
const GAVE_UP = -2;

/** The number of steps after which a search gives up: otherwise a log could be made that takes for ever. */
const MAX_PROBES = 64;
const PRIME = 0x01000193;
const MAX_BYTES = 2 ** 31 - 1;
/** The numbers that are kept of an entry. */
const FIELDS = 4;

/**
 * Codes of byte strings, kept as the bytes themselves in one array: a string of
 * n bytes costs n + 32 bytes, and finding one makes no object.
 */
export class ByteTable {
  private count = 0;
  private used = 0;
  private bytes = new Uint8Array(1024);
  /** Of each entry its hash, where its bytes begin and end, and its code, side by side so that they are fetched at once. */
  private entries = new Int32Array(64 * FIELDS);
  /** Where an entry is, + 1, by hash; 0: free. Its length is a power of two and at least twice the entries. */
  private slots = new Int32Array(128);
  /** What the last search looked for, and the free slot at which it ended. */
  private lastHash = 0;
  private lastSlot = 0;

  /** The code of `bytes[start..end)`, or `NOT_THERE` or `GAVE_UP`. */
  find(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    const hash = hashOf(bytes, start, end);
    const { slots, entries } = this;
    const mask = slots.length - 1;
    for (let probe = 0, slot = hash & mask; probe < MAX_PROBES; probe++, slot = (slot + 1) & mask) {
      const entry = slots[slot]! - 1;
      if (entry < 0) {
        this.lastHash = hash;
        this.lastSlot = slot;
        return NOT_THERE;
      }
      if (entries[entry] !== hash) continue;
      const from = entries[entry + 1]!;
      if (entries[entry + 2]! - from === length && this.isSame(from, bytes, start, length)) {
        return entries[entry + 3]!;
      }
    }
    return GAVE_UP;
  }

  /** Adds what `find` has just looked for in vain. @throws InputError if all together are over 2 GiB. */
  add(bytes: Uint8Array, start: number, end: number, code: number): void {
    const from = this.used;
    this.used += end - start;
    if (this.used > MAX_BYTES) throw new InputError("the distinct names of one column take more than 2 GiB");
    if (this.used > this.bytes.length) this.bytes = grown(this.bytes, Math.min(MAX_BYTES, 2 * this.used));
    this.bytes.set(bytes.subarray(start, end), from);
    const entry = this.count++ * FIELDS;
    if (entry === this.entries.length) this.entries = grown(this.entries, 2 * entry);
    const { entries } = this;
    entries[entry] = this.lastHash;
    entries[entry + 1] = from;
    entries[entry + 2] = this.used;
    entries[entry + 3] = code;
    this.slots[this.lastSlot] = entry + 1;
    if (2 * this.count > this.slots.length) this.rehash();
  }

  private isSame(from: number, bytes: Uint8Array, start: number, length: number): boolean {
    const known = this.bytes;
    for (let at = 0; at < length; at++) if (known[from + at] !== bytes[start + at]) return false;
    return true;
  }

  private rehash(): void {
    const slots = new Int32Array(2 * this.slots.length);
    const mask = slots.length - 1;
    for (let entry = 0; entry < this.count * FIELDS; entry += FIELDS) {
      let slot = this.entries[entry]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry + 1;
    }
    this.slots = slots;
  }
}

/** FNV-1a, but on four bytes at a time, since multiplying takes most of the time. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  let at = start;
  for (; at + 3 < end; at += 4) {
    const four = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    hash = Math.imul(hash ^ four, PRIME);
    hash ^= hash >>> 15;
  }
  for (; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, PRIME);
  return hash ^ (hash >>> 15);
}

function grown<T extends Uint8Array | Int32Array>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}
