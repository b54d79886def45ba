import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";

import type { Client } from "../../live/client/client.ts";
import { MOST_FILE_BYTES, MOST_PART_BYTES } from "../../live/limits.ts";
import type { SentFile } from "../../live/service/sent-files.ts";
import { InputError, machineListsOf } from "../../workload/index.ts";
import { say } from "../terminal.ts";
import { hashOfFile } from "../fingerprint.ts";

/** SHA-256 of files by their paths on the machine that has sent them. */
export type FileHashes = Readonly<Record<string, string>>;

/**
 * Sends files, and what is in folders, unless the farm has them already.
 *
 * @param paths whole ones
 * @throws InputError where a file is too large
 */
export async function sendFiles(farm: Client, paths: readonly string[]): Promise<FileHashes> {
  const hashes: Record<string, string> = {};
  for (const path of paths.flatMap(filesBelow)) hashes[path] = await sendFile(farm, path);
  return hashes;
}

/**
 * The whole paths of a farm file and of the lists of machines that it names.
 *
 * @param refuse throws what is wrong
 */
export async function filesOfFarm(path: string, refuse: (problem: string) => never): Promise<string[]> {
  const lists = await machineListsOf(path);
  const whole = lists.find((list) => isAbsolute(list));
  if (whole !== undefined)
    refuse(`it names ${whole} by its whole path: name it from the farm file's folder to send it`);
  return [path, ...lists.map((list) => join(dirname(path), list))];
}

/** Sends bytes. @returns their SHA-256 */
export async function sendBytes(farm: Client, bytes: Buffer): Promise<string> {
  const hash = createHash("sha256").update(bytes).digest("hex");
  await sendParts(farm, hash, bytes.length, async (from) => bytes.subarray(from, from + MOST_PART_BYTES));
  return hash;
}

async function sendFile(farm: Client, path: string): Promise<string> {
  const { size } = statSync(path);
  if (size > MOST_FILE_BYTES)
    throw new InputError(
      `it has ${size} bytes, and a farm takes files of ${MOST_FILE_BYTES} at most: compress it, or leave --send out where the farm's machines see it`,
      { file: path },
    );
  const hash = await hashOfFile(path);
  const file = await open(path);
  try {
    const sent = await sendParts(farm, hash, size, async (from) => {
      const part = Buffer.alloc(Math.min(MOST_PART_BYTES, size - from));
      const { bytesRead } = await file.read(part, 0, part.length, from);
      return part.subarray(0, bytesRead);
    });
    if (sent > 0) say(`${path}: ${sent} bytes were sent to the farm`);
  } finally {
    await file.close();
  }
  return hash;
}

/** @returns how many bytes this call has sent; another client may have sent the rest */
async function sendParts(
  farm: Client,
  hash: string,
  size: number,
  partFrom: (from: number) => Promise<Buffer>,
): Promise<number> {
  const send = (from: number, part: Buffer): Promise<SentFile> =>
    farm.insist(() => farm.send("PUT", `/v1/files/${hash}`, { from, size, base64: part.toString("base64") }));
  let sent = 0;
  // Asks first how much is there. A file without bytes is whole with that.
  let there = await send(0, Buffer.alloc(0));
  while (!there.isWhole) {
    const part = await partFrom(there.bytes);
    if (part.length === 0)
      throw new InputError("a file became shorter while it was sent: call the same command again");
    there = await send(there.bytes, part);
    sent += part.length;
  }
  return sent;
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}
