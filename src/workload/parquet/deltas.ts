import { deltaBinaryUnpack } from "hyparquet/src/delta.js";

/** Writers have 4 of 32 values each, or 32. */
const MAX_MINIBLOCKS = 1 << 10;
const MAX_MINIBLOCK_VALUES = 1 << 20;
const MAX_NUMBER_BYTES = 10;
const CUT_SHORT = "a page's values are cut short";

/**
 * Decodes `count` numbers that are stored as differences (DELTA_BINARY_PACKED), into an array of 32 or 64 bits.
 *
 * @returns the position after them
 * @throws {Error} if the bytes do not hold them
 */
export function readDeltas(bytes: Uint8Array, into: Int32Array | BigInt64Array): number {
  const end = checkDeltas(bytes, into.length, into.BYTES_PER_ELEMENT * 8);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (into.length > 0) deltaBinaryUnpack({ view, offset: 0 }, into.length, into);
  return end;
}

/** hyparquet trusts the sizes of blocks, and takes minutes for a number of a million bytes. */
function checkDeltas(bytes: Uint8Array, count: number, bits: number): number {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let i = 0, unit = 1; i < MAX_NUMBER_BYTES; i++, unit *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error(CUT_SHORT);
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
    throw new Error("a page has an endless number");
  };
  const blockSize = number();
  const miniblocks = number();
  number(); // How many numbers there are, which the page's header tells too.
  number(); // The first.
  const perMiniblock = blockSize / miniblocks;
  if (!(miniblocks <= MAX_MINIBLOCKS && perMiniblock >= 8 && perMiniblock <= MAX_MINIBLOCK_VALUES)) {
    throw new Error("a page has impossible blocks");
  }
  if (perMiniblock % 8 !== 0) throw new Error("a page has impossible blocks");
  for (let left = count - 1; left > 0;) {
    number(); // The least difference of the block.
    const widths = bytes.subarray(at, at + miniblocks);
    at += miniblocks;
    for (let i = 0; i < miniblocks && left > 0; i++, left -= perMiniblock) {
      const width = widths[i] ?? Number.NaN;
      at += (perMiniblock / 8) * width;
      if (!(width <= bits && at <= bytes.length)) throw new Error(CUT_SHORT);
    }
  }
  return at;
}
