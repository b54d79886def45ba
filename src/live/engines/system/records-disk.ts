import { randomBytes } from "node:crypto";
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { codeOf, nothingThere, READING, systemDisk, type Disk } from "./disk.ts";

/** Up to here a file is read or removed at once; a larger one would keep everybody waiting. */
const SMALL_BYTES = 64 * 1024;

/**
 * Files that outlive every process of this machine and not the machine itself: nothing is flushed. For records of what
 * ends with the machine anyway. Each is small, and the work of a few microseconds is done at once: to hand it to another
 * thread and to hear of it takes ten times as long.
 */
export const recordsDisk: Disk = {
  async makeFolder(path, mode = 0o700) {
    mkdirSync(path, { recursive: true, mode });
  },

  list: (path) => systemDisk.list(path),

  async read(path, fromByte, limitBytes) {
    if (limitBytes > SMALL_BYTES) return systemDisk.read(path, fromByte, limitBytes);
    const file = orNothing(() => openSync(path, READING));
    if (file === null) return null;
    try {
      const stat = fstatSync(file);
      if (!stat.isFile()) return null;
      const bytes = new Uint8Array(Math.max(0, Math.min(limitBytes, stat.size - fromByte)));
      return {
        bytes: bytes.subarray(0, fill(file, bytes, fromByte)),
        modifiedUnixSeconds: stat.mtimeMs / 1000,
      };
    } finally {
      closeSync(file);
    }
  },

  async writeWhole(path, text) {
    const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
    try {
      writeFileSync(temporary, text, { flag: "wx", mode: 0o600 });
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  },

  create: async (path, text) => create(path, text),

  async createIn(folder, name, text) {
    try {
      mkdirSync(folder, 0o700);
    } catch (error) {
      if (codeOf(error) === "ENOENT") mkdirSync(folder, { recursive: true, mode: 0o700 });
      else if (codeOf(error) !== "EEXIST") throw error;
    }
    return create(join(folder, name), text);
  },

  async append(path, text) {
    writeFileSync(path, text, { flag: "a", mode: 0o600 });
  },

  async remove(path) {
    try {
      const files = readdirSync(path).map((name) => join(path, name));
      const large = files.filter((file) => lstatSync(file).size > SMALL_BYTES);
      // Records last, and at once: without them whoever comes after a death of the service would not find the others.
      for (const file of large) await systemDisk.remove(file);
      for (const file of files) if (!large.includes(file)) unlinkSync(file);
      rmdirSync(path);
    } catch {
      await systemDisk.remove(path);
    }
  },

  give: (path, uid, gid) => systemDisk.give(path, uid, gid),
};

function create(path: string, text: string): boolean {
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
  return true;
}

function fill(file: number, bytes: Uint8Array, fromByte: number): number {
  let filled = 0;
  while (filled < bytes.length) {
    const read = readSync(file, bytes, filled, bytes.length - filled, fromByte + filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}

function orNothing<Result>(look: () => Result): Result | null {
  try {
    return look();
  } catch (error) {
    return nothingThere(error);
  }
}
