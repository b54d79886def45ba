/**
 * Fills `out` from Parquet's hybrid of runs and bit-packed groups of eight, the encoding of definition levels and
 * dictionary indexes.
 *
 * @param width the bits of a value, 0 to 24
 * @throws {Error} if the bytes end too early
 */
export function decodeRuns(
  bytes: Uint8Array,
  start: number,
  width: number,
  out: Uint8Array | Int32Array,
): void {
  if (width === 0) return;
  const end = bytes.length;
  const mask = (1 << width) - 1;
  const valueBytes = (width + 7) >> 3;
  let at = start;
  let filled = 0;
  while (filled < out.length) {
    let header = 0;
    let shift = 0;
    for (;;) {
      if (at >= end || shift > 28) throw new Error("a page's runs are cut short");
      const byte = bytes[at++]!;
      header |= (byte & 127) << shift;
      if (byte < 128) break;
      shift += 7;
    }
    const length = header >>> 1;
    if ((header & 1) === 0) {
      if (at + valueBytes > end) throw new Error("a page's runs are cut short");
      let value = 0;
      for (let i = 0; i < valueBytes; i++) value |= bytes[at++]! << (8 * i);
      const to = Math.min(filled + length, out.length);
      out.fill(value & mask, filled, to);
      filled = to;
    } else {
      const to = Math.min(filled + length * 8, out.length);
      // Some writers leave out the padding of the last group.
      if (at + Math.ceil(((to - filled) * width) / 8) > end) throw new Error("a page's runs are cut short");
      const next = at + length * width;
      let bits = 0;
      let held = 0;
      for (; filled < to; filled++) {
        while (held < width) {
          bits |= bytes[at++]! << held;
          held += 8;
        }
        out[filled] = bits & mask;
        bits >>>= width;
        held -= width;
      }
      at = next;
    }
  }
}
