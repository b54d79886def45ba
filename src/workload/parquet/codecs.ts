import type { CompressionCodec } from "hyparquet";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { unpackLz4, unpackLz4Frames } from "./lz4.ts";
import { unpackSnappy } from "./snappy.ts";

/**
 * The codecs of pages. What hyparquet brings for Snappy, and its own package of codecs for LZ4, do not end, or write
 * nothing, on some damaged pages; Node.js has the others.
 */
const codecs: Partial<Record<CompressionCodec, (packed: Bytes, size: number) => Bytes>> = {
  UNCOMPRESSED: (packed) => packed,
  SNAPPY: unpackSnappy,
  GZIP: (packed, size) => gunzipSync(packed, limited(size)),
  ZSTD: (packed, size) => zstdDecompressSync(packed, limited(size)),
  BROTLI: (packed, size) => brotliDecompressSync(packed, limited(size)),
  LZ4: unpackLz4Frames,
  LZ4_RAW: unpackLz4,
};

type Bytes = Uint8Array<ArrayBuffer>;

/** @throws {Error} if the bytes are damaged, are not of `size` when unpacked, or the codec is not known */
export function unpack(packed: Bytes, size: number, codec: CompressionCodec): Bytes {
  const unpackBy = codecs[codec];
  if (unpackBy === undefined) {
    const known = Object.keys(codecs).join(", ");
    throw new Error(`pages are packed with the codec ${codec}, not with one of ${known}`);
  }
  // A page without values may have no bytes at all, which is not a stream of any codec.
  if (packed.length === 0 && size === 0) return packed;
  const full = withReason(codec, () => unpackBy(packed, size));
  if (full.length !== size) throw new Error("a page does not have the size it states");
  return full;
}

/** An error of `node:zlib` has a code, by which readers of packed files would take the whole file for packed. */
function withReason<T>(codec: CompressionCodec, unpackPage: () => T): T {
  try {
    return unpackPage();
  } catch (error) {
    throw new Error(`a page's ${codec} data is damaged (${(error as Error).message})`, { cause: error });
  }
}

function limited(size: number): { readonly maxOutputLength: number } {
  return { maxOutputLength: Math.max(size, 1) };
}
