/**
 * Unpacks raw Snappy (google/snappy, format_description.txt): literals, and copies of what is already unpacked. Every
 * length is checked before it is used. The library's decoder does not check literals of 2 GiB and more: it steps back
 * and never ends.
 *
 * @throws {Error} if the bytes do not unpack to `fullSize` bytes
 */
export function unpackSnappy(bytes: Uint8Array, fullSize: number): Uint8Array<ArrayBuffer> {
  const full = new Uint8Array(fullSize);
  let at = 0;
  let filled = 0;
  // Skips the size, a varint that the page's header has too.
  while (at < bytes.length && bytes[at++]! >= 128);

  while (at < bytes.length) {
    const tag = bytes[at++]!;
    const kind = tag & 3;
    if (kind === 0) {
      let length = tag >>> 2;
      if (length >= 60) {
        const lengthBytes = length - 59;
        length = littleEndian(bytes, at, lengthBytes);
        at += lengthBytes;
      }
      length++;
      if (!(length <= bytes.length - at && length <= fullSize - filled)) throw damage();
      const next = at + length;
      if (length > SHORT) {
        full.set(bytes.subarray(at, next), filled);
        filled += length;
      } else for (let from = at; from < next; from++) full[filled++] = bytes[from]!;
      at = next;
    } else {
      const length = kind === 1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
      let offset = littleEndian(bytes, at, kind === 3 ? 4 : kind);
      if (kind === 1) offset += (tag >>> 5) * 256;
      at += kind === 3 ? 4 : kind;
      if (!(offset > 0 && offset <= filled && length <= fullSize - filled)) throw damage();
      // Byte by byte: a copy may read what it has just written.
      for (const end = filled + length; filled < end; filled++) full[filled] = full[filled - offset]!;
    }
  }
  if (filled !== fullSize) throw damage();
  return full;
}

/** Up to so many bytes, one at a time is faster than a call that copies them. */
const SHORT = 32;

/** NaN beyond the end. */
function littleEndian(bytes: Uint8Array, at: number, count: number): number {
  if (at + count > bytes.length) return Number.NaN;
  let value = bytes[at]!;
  for (let i = 1, unit = 256; i < count; i++, unit *= 256) value += bytes[at + i]! * unit;
  return value;
}

function damage(): Error {
  return new Error("lengths in the Snappy data do not fit");
}
