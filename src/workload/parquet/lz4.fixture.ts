/** One LZ4 block of literals only: valid, and packs nothing. */
export function literalLz4(bytes: Uint8Array): Uint8Array {
  const lengths: number[] = [Math.min(bytes.length, 15) << 4];
  for (let left = bytes.length - 15; left >= 0; left -= 255) lengths.push(Math.min(left, 255));
  return Uint8Array.from([...lengths, ...bytes]);
}

/** As one of Hadoop's frames. */
export function framedLz4(bytes: Uint8Array): Uint8Array {
  const block = literalLz4(bytes);
  const framed = new Uint8Array(8 + block.length);
  const view = new DataView(framed.buffer);
  view.setUint32(0, bytes.length);
  view.setUint32(4, block.length);
  framed.set(block, 8);
  return framed;
}
