import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { chown, mkdir, open, readdir, rename, rm, rmdir, unlink, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Files, as engines see them. Writes are durable when their promise resolves; a promise that rejects does so with a
 * `code`, as Node's do. A file that is not there is an answer, not an error.
 */
export interface Disk {
  /** Makes a folder and those above it, 0700 unless told otherwise; one that is there stays as it is. */
  makeFolder(path: string, mode?: number): Promise<void>;
  /** The names in a folder, sorted; none where there is no folder. */
  list(path: string): Promise<string[]>;
  /** At most `limitBytes` from `fromByte` on. Null where there is no plain file. Follows no link. */
  read(path: string, fromByte: number, limitBytes: number): Promise<FileContent | null>;
  /** Puts a file in place, 0600: the old content or the new, never a part. */
  writeWhole(path: string, text: string): Promise<void>;
  /** Makes a file, 0600, that was not there before. False where something of that name is. */
  create(path: string, text: string): Promise<boolean>;
  /** As `makeFolder` and then `create`, but it waits for the disk once. */
  createIn(folder: string, name: string, text: string): Promise<boolean>;
  /** Adds to the end of a file. After a failure a part of it may be there. */
  append(path: string, content: string | Uint8Array): Promise<void>;
  /** A file, or a folder with what is in it. Nothing there: nothing to do. */
  remove(path: string): Promise<void>;
  /** Gives a file or folder to a user; only root may. */
  give(path: string, uid: number, gid: number): Promise<void>;
}

export interface FileContent {
  readonly bytes: Uint8Array;
  readonly modifiedUnixSeconds: number;
}

// Opening a pipe that someone put there must not block.
export const READING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export const systemDisk: Disk = {
  async makeFolder(path, mode = 0o700) {
    await syncFolders(path, await mkdir(path, { recursive: true, mode }));
  },

  async list(path) {
    const names = await readdir(path).catch(nothingThere);
    return names === null ? [] : names.sort();
  },

  async read(path, fromByte, limitBytes) {
    const file = await open(path, READING).catch(nothingThere);
    if (file === null) return null;
    try {
      const stat = await file.stat();
      if (!stat.isFile()) return null;
      const bytes = new Uint8Array(Math.max(0, Math.min(limitBytes, stat.size - fromByte)));
      return {
        bytes: bytes.subarray(0, await fill(file, bytes, fromByte)),
        modifiedUnixSeconds: stat.mtimeMs / 1000,
      };
    } finally {
      await file.close();
    }
  },

  async writeWhole(path, text) {
    const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
    try {
      await write(temporary, "wx", text);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
    await sync(dirname(path));
  },

  create,

  async createIn(folder, name, text) {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 });
    const [isNew] = await Promise.all([create(join(folder, name), text), syncFolders(folder, first)]);
    return isNew;
  },

  append: (path, content) => write(path, "a", content),
  async remove(path) {
    // `rm` asks about each file before it removes it; nearly all are plain files in a folder.
    const names = await readdir(path).catch(nothingThere);
    if (names !== null) {
      await Promise.all(names.map((name) => unlink(join(path, name)).catch(() => undefined)));
      if (
        await rmdir(path).then(
          () => true,
          () => false,
        )
      )
        return;
    }
    await rm(path, { recursive: true, force: true });
  },

  give: chown,
};

async function fill(file: FileHandle, bytes: Uint8Array, fromByte: number): Promise<number> {
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, fromByte + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

async function write(path: string, flags: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await fillDurably(file, content);
  } finally {
    await file.close();
  }
}

async function create(path: string, text: string): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, "wx", 0o600);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    await Promise.all([fillDurably(file, text), sync(dirname(path))]);
  } finally {
    await file.close();
  }
  return true;
}

async function fillDurably(file: FileHandle, content: string | Uint8Array): Promise<void> {
  await file.writeFile(content);
  await file.datasync();
}

/** Makes the names of a folder and of those above it durable, up to the first one that was made; undefined: none was. */
async function syncFolders(path: string, first: string | undefined): Promise<void> {
  if (first === undefined) return;
  for (let at = path; at.length >= first.length; at = dirname(at)) await sync(dirname(at));
}

/** Makes the names in a folder durable. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** ELOOP: a link where a file should be. ENXIO: a socket. */
export function nothingThere(error: unknown): null {
  if (["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"].includes(codeOf(error) ?? "")) return null;
  throw error;
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** What went wrong on a disk, for a person. */
export function diskFailure(error: unknown): string {
  switch (codeOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full";
    case "EROFS":
      return "the disk is read-only";
    case "EACCES":
    case "EPERM":
      return "the state folder may not be written to";
    case "EIO":
      return "the disk reports an error";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
