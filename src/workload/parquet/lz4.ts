type Bytes = Uint8Array<ArrayBuffer>;

const DAMAGED = "lengths in the LZ4 data do not fit";
/** A match of fewer bytes would not be shorter than the bytes (lz4_Block_format.md). */
const LEAST_MATCH = 4;
/** Before each block of Hadoop's: its size unpacked, then packed, of 32 bits each. */
const FRAME_BYTES = 8;

/**
 * Unpacks one LZ4 block, Parquet's LZ4_RAW.
 *
 * @param size its size when unpacked
 * @throws {Error} if the bytes are damaged
 */
export function unpackLz4(packed: Uint8Array, size: number): Bytes {
  const full = new Uint8Array(size);
  if (unpackBlock(packed, full, 0) !== size) throw new Error(DAMAGED);
  return full;
}

/**
 * Unpacks what files call LZ4: blocks in Hadoop's frames, as parquet-mr writes them, or else one block, as Arrow did
 * before version 0.17 (parquet-format, Compression.md).
 */
export function unpackLz4Frames(packed: Uint8Array, size: number): Bytes {
  const frames = framesOf(packed, size);
  if (frames === null) return unpackLz4(packed, size);
  const full = new Uint8Array(size);
  let to = 0;
  for (const frame of frames) to = unpackBlock(frame, full, to);
  if (to !== size) throw new Error(DAMAGED);
  return full;
}

/** The blocks; null if they are not in frames that add up to the page. */
function framesOf(packed: Uint8Array, size: number): Uint8Array[] | null {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const blocks: Uint8Array[] = [];
  let total = 0;
  let at = 0;
  while (at < packed.length) {
    if (packed.length - at < FRAME_BYTES) return null;
    total += view.getUint32(at);
    const from = at + FRAME_BYTES;
    at = from + view.getUint32(at + 4);
    if (at > packed.length) return null;
    blocks.push(packed.subarray(from, at));
  }
  return total === size ? blocks : null;
}

/** @returns the position in `full` after the block */
function unpackBlock(packed: Uint8Array, full: Uint8Array, start: number): number {
  let at = 0;
  let to = start;
  /** A length whose first part, of 4 bits, is full goes on in bytes, up to one that is not full. */
  const length = (first: number): number => {
    let total = first;
    for (let byte = first === 15 ? 255 : 0; byte === 255; total += byte) {
      if (at >= packed.length) throw new Error(DAMAGED);
      byte = packed[at++]!;
    }
    return total;
  };
  while (at < packed.length) {
    const token = packed[at++]!;
    const literals = length(token >> 4);
    if (literals > packed.length - at || literals > full.length - to) throw new Error(DAMAGED);
    full.set(packed.subarray(at, at + literals), to);
    at += literals;
    to += literals;
    // The last sequence has no match.
    if (at === packed.length) return to;
    const back = packed[at]! | (packed[at + 1]! << 8);
    at += 2;
    const matched = length(token & 15) + LEAST_MATCH;
    if (back === 0 || back > to - start || matched > full.length - to) throw new Error(DAMAGED);
    // Byte by byte, since the match may reach into what it writes.
    for (const end = to + matched; to < end; to++) full[to] = full[to - back]!;
  }
  return to;
}
