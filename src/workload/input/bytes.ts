import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { Readable, pipeline } from "node:stream";
import type { Transform } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";

import { InputError } from "../errors.ts";

/** Where input comes from: a path, bytes in memory, or a stream that can be read only once. */
export type ByteSource = string | NamedBytes | NamedStream;

export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Chunks that come once, as from standard input, and their name. */
interface NamedStream {
  readonly name: string;
  readonly chunks: AsyncGenerator<Uint8Array>;
}

/** Stands for standard input in place of a file's name. */
export const STANDARD_INPUT = "-";

/** Large enough that the cost of an asynchronous step for each chunk does not matter. */
const CHUNK_BYTES = 1 << 20;
/** The length of the longest magic number below. */
const MAGIC_BYTES = 6;

/** The name of the source in errors. */
export function sourceName(source: ByteSource): string {
  if (typeof source !== "string") return source.name;
  return source === STANDARD_INPUT ? "standard input" : source;
}

/** The source's name without folder and known endings: `KTH-SP2-1996-2.1-cln` for its `.swf.gz`. */
export function sourceTitle(source: ByteSource): string {
  const name = basename(sourceName(source));
  const title = name.replace(
    /(\.(gz|zst|zstd|swf|csv|txt|log|netbatch|parquet|machines|ya?ml|json|sacct))+$/i,
    "",
  );
  return title === "" ? name : title;
}

/**
 * The bytes of a plain, gzip or zstd source, unpacked, in chunks of about 1 MiB.
 *
 * A chunk may be overwritten when the next one is requested.
 * @throws InputError if the file is missing, unreadable, damaged or cut short
 */
export async function* readChunks(source: ByteSource): AsyncGenerator<Uint8Array> {
  const packed = packedChunks(source);
  try {
    const head = await takeBytes(packed, MAGIC_BYTES);
    const unpacker = unpackerOf(head, sourceName(source));
    if (unpacker === null) {
      if (head.length > 0) yield head;
      yield* packed;
      return;
    }
    // The pipeline passes the errors of both streams to the loop over the last one.
    pipeline(Readable.from(copies(prepend(head, packed))), unpacker, () => {});
    yield* unpacker;
  } catch (error) {
    throw readable(error, sourceName(source));
  } finally {
    // Closes the file if the reader stopped early.
    await packed.return(undefined);
  }
}

/**
 * The first bytes of a source, unpacked. Formats are recognised by them.
 *
 * @throws InputError as `readChunks`, and if the source cannot be read a second time
 */
export async function readFirstBytes(source: ByteSource, length: number): Promise<Uint8Array> {
  const chunks = readChunks(source);
  const bytes = await takeBytes(chunks, length);
  await chunks.return(undefined);
  if (typeof source === "string" && !statSync(source).isFile()) {
    const advice = "name its format, or save it to a file";
    throw new InputError(`this is no file, and can be read once only: ${advice}`, { file: source });
  }
  return bytes.subarray(0, length);
}

/** A source, and how it begins. */
interface Beginning {
  readonly source: ByteSource;
  readonly firstBytes: Uint8Array;
}

/**
 * As `readFirstBytes`, but for standard input (`-`), pipes and streams too: the returned `source` then holds what was
 * read of them.
 */
export async function beginningOf(source: ByteSource, length: number): Promise<Beginning> {
  if (typeof source === "string" ? isPlainFile(source) : "bytes" in source) {
    return { source, firstBytes: await readFirstBytes(source, length) };
  }
  const chunks = readChunks(source);
  const taken = await takeBytes(chunks, length, true);
  return {
    source: { name: sourceName(source), chunks: prepend(taken, chunks) },
    firstBytes: taken.subarray(0, length),
  };
}

/** Whether it can be read again. A missing file counts as such: whoever opens it reports it. */
export function isPlainFile(path: string): boolean {
  if (path === STANDARD_INPUT) return false;
  try {
    const stats = statSync(path);
    return stats.isFile() || stats.isDirectory();
  } catch {
    return true;
  }
}

/** The largest content that is held in memory as a whole; the JavaScript engine cannot make longer strings. */
const MAX_WHOLE_BYTES = 500 * 2 ** 20;

/**
 * The whole content of a source, unpacked.
 *
 * @throws InputError as `readChunks`, and if there are more than 500 MiB
 */
export async function wholeOf(source: ByteSource): Promise<NamedBytes> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readChunks(source)) {
    bytes += chunk.length;
    if (bytes > MAX_WHOLE_BYTES)
      throw new InputError("there are more than 500 MiB of it", { file: sourceName(source) });
    // A copy, since the chunk may be overwritten when the next one is requested.
    parts.push(Uint8Array.from(chunk));
  }
  return { name: sourceName(source), bytes: Buffer.concat(parts) };
}

async function* packedChunks(source: ByteSource): AsyncGenerator<Uint8Array> {
  if (source === STANDARD_INPUT) {
    yield* process.stdin as AsyncIterable<Uint8Array>;
  } else if (typeof source === "string") {
    yield* fileChunks(source);
  } else if ("chunks" in source) {
    yield* source.chunks;
  } else {
    const { buffer, byteOffset, byteLength } = source.bytes;
    // Always a Buffer, so that the hot loops see one type of array only.
    yield Buffer.from(buffer, byteOffset, byteLength);
  }
}

/** The bytes of a file, in one buffer for all its chunks: new ones would have the collector run again and again. */
async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Copies of chunks, for whoever asks for the next one before it is done with the last. */
async function* copies(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

/** Joins chunks until there are `length` bytes or no more. Copies them if they are to be kept. */
async function takeBytes(
  chunks: AsyncGenerator<Uint8Array>,
  length: number,
  keep = false,
): Promise<Uint8Array> {
  const taken: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < length) {
    const next = await chunks.next();
    if (next.done === true) break;
    bytes += next.value.length;
    const isAll = taken.length === 0 && bytes >= length;
    taken.push(isAll && !keep ? next.value : Buffer.from(next.value));
  }
  return taken.length === 1 ? taken[0]! : Buffer.concat(taken);
}

async function* prepend(head: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  yield* rest;
}

/** How packed files begin. Those without `unpack` are only named in an error. */
const packings: readonly { name: string; magic: readonly number[]; unpack?: () => Transform }[] = [
  { name: "gzip", magic: [0x1f, 0x8b], unpack: () => createGunzip({ chunkSize: CHUNK_BYTES }) },
  {
    name: "zstd",
    magic: [0x28, 0xb5, 0x2f, 0xfd],
    unpack: () => createZstdDecompress({ chunkSize: CHUNK_BYTES }),
  },
  { name: "xz", magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { name: "bzip2", magic: [0x42, 0x5a, 0x68] },
  { name: "zip", magic: [0x50, 0x4b, 0x03, 0x04] },
  { name: "compress", magic: [0x1f, 0x9d] },
];

function unpackerOf(head: Uint8Array, file: string): Transform | null {
  const packing = packings.find(({ magic }) => magic.every((byte, at) => head[at] === byte));
  if (packing === undefined) return null;
  if (packing.unpack === undefined) {
    throw new InputError(`this is a ${packing.name} file: unpack it, or pack it with gzip or zstd`, { file });
  }
  return packing.unpack();
}

const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  ENAMETOOLONG: "there is no such file: the name is too long",
  ELOOP: "its symbolic links run in a circle",
  ERR_INVALID_ARG_VALUE: "this is not a file name",
  EISDIR: "this is a folder: name a file in it",
  EACCES: "you have no permission to read it",
  EPERM: "you have no permission to read it",
  Z_BUF_ERROR: "the packed data is cut short: fetch or pack the file again",
};

/** The error in words for people, if the input caused it. */
function readable(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  const known = systemErrors[error.code];
  if (known !== undefined) return new InputError(known, { file });
  if (/^(Z_|ZSTD_|ERR_ZSTD)/.test(error.code)) {
    return new InputError(`the packed data is damaged (${error.message})`, { file });
  }
  return error;
}
