import { createHash, randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { open, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import type { Client } from "../../live/client/client.ts";
import { FILE_DAYS } from "../../live/limits.ts";
import { ownHome } from "../../workload/own-user.ts";
import type { FileHashes } from "./send-files.ts";

/** Files that were sent to the farm, fetched for one run. A file that an earlier run has fetched here is not fetched again. */
export class FetchedFiles {
  private readonly farm: Client;
  /** Of this run alone. */
  private readonly folder = mkdtempSync(join(tmpdir(), "croft-unit-"));
  private readonly cache: string;

  constructor(farm: Client) {
    this.farm = farm;
    this.cache = usersCache() ?? this.folder;
  }

  async text(hash: string): Promise<string> {
    return readFile(await fetched(this.farm, hash, this.cache), "utf8");
  }

  /** A folder under which these files are at the paths that they had where they were sent from. */
  async atTheirPaths(hashes: FileHashes): Promise<string> {
    const root = join(this.folder, "root");
    for (const [path, hash] of Object.entries(hashes)) {
      const place = join(root, path);
      mkdirSync(dirname(place), { recursive: true });
      symlinkSync(await fetched(this.farm, hash, this.cache), place);
    }
    return root;
  }

  /** The run has ended. */
  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** The file's path, once it is there. */
async function fetched(farm: Client, hash: string, cache: string): Promise<string> {
  const path = join(cache, hash);
  const now = Date.now() / 1000;
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) {
    utimesSync(path, now, now);
    return path;
  }
  // Other runs on this machine may fetch it at the same time: the last one to rename gives the same file.
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  const file = await open(temporary, "wx", 0o600);
  try {
    const sum = createHash("sha256");
    for (let from = 0; ;) {
      const { body, headers } = await farm.insist(() => farm.raw("GET", `/v1/files/${hash}?from=${from}`));
      sum.update(body);
      await file.appendFile(body);
      from += body.length;
      if (from >= Number(headers["croft-file-bytes"])) break;
    }
    if (sum.digest("hex") !== hash) throw new Error(`the farm's file ${hash} came with other bytes`);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return path;
}

/** Where the user keeps fetched files: those that were not used for long go. Null where there can be no such folder. */
function usersCache(): string | null {
  const folder = join(
    process.env["XDG_CACHE_HOME"] || join(ownHome(process.env), ".cache"),
    "croft",
    "files",
  );
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const oldest = Date.now() - FILE_DAYS * 86_400_000;
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (found !== undefined && found.mtimeMs < oldest) rmSync(path, { force: true });
    }
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    return null;
  }
}
