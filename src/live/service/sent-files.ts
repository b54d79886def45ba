import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

import { FILE_DAYS, MOST_FILES_BYTES, MOST_FILES, MOST_PART_BYTES } from "../limits.ts";
import { Refusal } from "../refusal.ts";

/** How much of a file is there. */
export interface SentFile {
  readonly bytes: number;
  readonly isWhole: boolean;
}

const PART = ".part";
const DAY_SECONDS = 86_400;

/**
 * Files that clients have sent for their jobs, each under the SHA-256 of its bytes: jobs on any machine fetch them, and a
 * file that is there is not sent again. One that nobody has sent or fetched for `FILE_DAYS` goes.
 */
export class SentFiles {
  private readonly folder: string;
  private readonly unixSeconds: () => number;
  /** One part at a time is written. */
  private last: Promise<unknown> = Promise.resolve();
  /** What is kept, as it was last counted; null: it was not yet. */
  private kept: { bytes: number; files: number } | null = null;

  /** @param folder it is made when the first file comes */
  constructor(folder: string, unixSeconds: () => number) {
    this.folder = folder;
    this.unixSeconds = unixSeconds;
  }

  /**
   * Adds a part where the file has just so much. The last part makes it whole.
   *
   * @param from where in the file the part begins
   * @param size of the whole file, in bytes
   * @returns how much is there afterwards: another client may have sent some of it
   * @throws Refusal where there is no room, or the whole has another hash
   */
  add(hash: string, from: number, size: number, part: Uint8Array): Promise<SentFile> {
    const added = this.last.then(() => this.addNow(hash, from, size, part)).catch(noRoom);
    this.last = added.catch(() => undefined);
    return added;
  }

  /** A piece of it from a byte on, empty at its end; null: it is not there, or not whole. */
  async read(hash: string, from: number): Promise<{ bytes: Uint8Array; size: number } | null> {
    const path = join(this.folder, hash);
    const file = await open(path).catch(notThere);
    if (file === null) return null;
    try {
      const { size } = await file.stat();
      if (from === 0) await this.touch(path);
      const bytes = new Uint8Array(Math.max(0, Math.min(MOST_PART_BYTES, size - from)));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
      return { bytes: bytes.subarray(0, bytesRead), size };
    } finally {
      await file.close();
    }
  }

  private async addNow(hash: string, from: number, size: number, part: Uint8Array): Promise<SentFile> {
    const path = join(this.folder, hash);
    const whole = await stat(path).catch(notThere);
    if (whole !== null) {
      await this.touch(path);
      return { bytes: whole.size, isWhole: true };
    }
    const temporary = path + PART;
    let begun = await stat(temporary).catch(notThere);
    if (begun !== null && begun.size >= size) {
      // What somebody has begun to send under this hash has other bytes: it was not whole with so many.
      await rm(temporary);
      [begun, this.kept] = [null, null];
    }
    const bytes = begun?.size ?? 0;
    const isAsked = part.length === 0 && size > 0;
    if (isAsked || from !== bytes) return { bytes, isWhole: false };
    if (from + part.length > size) throw new Refusal(422, `the part reaches beyond the file's ${size} bytes`);
    const kept = await this.makeRoom(size - bytes, begun === null);
    const isLast = from + part.length === size;
    await append(temporary, part, isLast);
    kept.bytes += part.length;
    if (begun === null) kept.files++;
    if (!isLast) return { bytes: from + part.length, isWhole: false };
    if ((await hashOf(temporary)) !== hash) {
      await rm(temporary);
      this.kept = null;
      throw new Refusal(422, "what was sent has another hash, and was thrown away: send the file again");
    }
    await rename(temporary, path);
    return { bytes: size, isWhole: true };
  }

  /**
   * Counts what is kept, at the first part of each file: those that nobody wants any more go.
   *
   * @throws Refusal where the others leave no room
   */
  private async makeRoom(bytes: number, isNew: boolean): Promise<{ bytes: number; files: number }> {
    if (isNew || this.kept === null) this.kept = await this.count();
    const { kept } = this;
    if (kept.bytes + bytes <= MOST_FILES_BYTES && kept.files + (isNew ? 1 : 0) <= MOST_FILES) return kept;
    throw new Refusal(
      409,
      `the farm keeps ${kept.files} files of ${kept.bytes} bytes, and at most ${MOST_FILES} of ${MOST_FILES_BYTES}: one that nobody fetches goes after ${FILE_DAYS} days, and its operator can remove them from the data folder`,
    );
  }

  private async count(): Promise<{ bytes: number; files: number }> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const oldest = this.unixSeconds() - FILE_DAYS * DAY_SECONDS;
    const kept = { bytes: 0, files: 0 };
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(notThere);
      if (found === null) continue;
      if (found.mtimeMs / 1000 < oldest) await rm(path, { force: true });
      else {
        kept.bytes += found.size;
        kept.files++;
      }
    }
    return kept;
  }

  private async touch(path: string): Promise<void> {
    const now = this.unixSeconds();
    await utimes(path, now, now);
  }
}

/** @param isLast what is whole is on the disk */
async function append(path: string, part: Uint8Array, isLast: boolean): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    await file.appendFile(part);
    if (isLast) await file.sync();
  } finally {
    await file.close();
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const bytes of createReadStream(path)) hash.update(bytes as Uint8Array);
  return hash.digest("hex");
}

/** @throws Refusal where the disk is full */
function noRoom(error: NodeJS.ErrnoException): never {
  if (error.code !== "ENOSPC" && error.code !== "EDQUOT") throw error;
  throw new Refusal(503, `there is no room on the farm's disk (${error.message}): send the file again later`);
}

function notThere(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
