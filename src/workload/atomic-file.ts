import { randomBytes } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, createZstdCompress } from "node:zlib";
import { InputError } from "./errors.ts";

/** Temporary files that were neither kept nor removed yet: a process that exits removes them. */
const begun = new Set<string>();

function removeBegun(): void {
  for (const path of begun) rmSync(path, { force: true });
}

/**
 * A file that appears whole or not at all.
 *
 * Bytes go to a temporary file in the same folder, as a rename across file systems would copy. `commit` puts it in the
 * place of the old file, `discard` removes it. Call one of the two in every case; `process.exit` discards.
 *
 * A path that is not a plain file (a pipe, a device) is written to directly.
 */
export class AtomicFile {
  readonly path: string;
  /** Null if the path itself is written to. */
  private readonly temporaryPath: string | null;
  private readonly handle: FileHandle;

  private constructor(path: string, temporaryPath: string | null, handle: FileHandle) {
    this.path = path;
    this.temporaryPath = temporaryPath;
    this.handle = handle;
  }

  /** @throws {InputError} if the folder is missing or may not be written to */
  static async open(path: string): Promise<AtomicFile> {
    try {
      const existing = await stat(path).catch(() => null);
      if (existing?.isDirectory() === true) throw Object.assign(new Error(), { code: "EISDIR" });
      if (existing !== null && !existing.isFile()) return new AtomicFile(path, null, await open(path, "w"));
      const temporaryPath = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
      if (begun.size === 0) process.once("exit", removeBegun);
      begun.add(temporaryPath);
      try {
        return new AtomicFile(path, temporaryPath, await open(temporaryPath, "wx"));
      } catch (error) {
        forget(temporaryPath);
        throw error;
      }
    } catch (error) {
      throw writeFailure(path, error);
    }
  }

  /** Appends all of the bytes. Wait for it before the next call. */
  async write(bytes: Uint8Array | string): Promise<void> {
    try {
      await this.handle.writeFile(bytes);
    } catch (error) {
      throw writeFailure(this.path, error);
    }
  }

  async commit(): Promise<void> {
    try {
      if (this.temporaryPath !== null) await this.handle.sync();
      await this.handle.close();
      if (this.temporaryPath === null) return;
      await rename(this.temporaryPath, this.path);
      forget(this.temporaryPath);
    } catch (error) {
      await this.discard();
      throw writeFailure(this.path, error);
    }
  }

  /** May be called twice, and after a failed `commit`. */
  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    if (this.temporaryPath === null) return;
    await rm(this.temporaryPath, { force: true });
    forget(this.temporaryPath);
  }
}

function forget(temporaryPath: string): void {
  begun.delete(temporaryPath);
  if (begun.size === 0) process.off("exit", removeBegun);
}

/**
 * Writes the chunks one by one, waiting for the disk between them, and keeps the file only if all went well. If the
 * name ends in `.gz` or `.zst` the file is compressed.
 *
 * @throws {InputError} if the path cannot be written to
 */
export async function writeFileAtomically(
  path: string,
  chunks: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>,
): Promise<void> {
  const file = await AtomicFile.open(path);
  try {
    const compressor = compressorFor(path);
    if (compressor === null) {
      for await (const chunk of chunks) await file.write(chunk);
    } else {
      await pipeline(
        Readable.from(chunks, { objectMode: true }),
        compressor,
        async (compressed: AsyncIterable<Uint8Array>) => {
          for await (const chunk of compressed) await file.write(chunk);
        },
      );
    }
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/**
 * Checks before much work is done that a file can be written there. A pipe or a device is not opened: its reader would
 * take the end of that for the end of the file.
 *
 * @throws {InputError} if the folder is missing or may not be written to
 */
export async function checkWritable(path: string): Promise<void> {
  const existing = await stat(path).catch(() => null);
  if (existing !== null && !existing.isFile() && !existing.isDirectory()) return;
  const file = await AtomicFile.open(path);
  await file.discard();
}

function compressorFor(path: string): Transform | null {
  if (path.endsWith(".gz")) return createGzip();
  if (path.endsWith(".zst")) return createZstdCompress();
  return null;
}

/** What a person can correct is an `InputError`; a full or broken disk is a failure of the machine. */
function writeFailure(path: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return new InputError(
        existsSync(dirname(path))
          ? `cannot be written: nothing can be stored in ${dirname(path)}`
          : "cannot be written: its folder does not exist",
        { file: path },
      );
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new InputError("cannot be written: permission denied", { file: path });
    case "EISDIR":
    case "ENOTEMPTY":
      return new InputError("cannot be written: a folder of that name exists", { file: path });
    case "ENAMETOOLONG":
      return new InputError("cannot be written: the name is too long", { file: path });
    case "ENOSPC":
    case "EDQUOT":
      return new Error(`${path}: the disk is full; nothing was kept`, { cause: error });
    case "EIO":
      return new Error(`${path}: the disk reports a write error`, { cause: error });
    default:
      return error;
  }
}
