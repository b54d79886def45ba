import { link, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";

import type { AttemptId } from "../engines/attempt-id.ts";
import type { Engine } from "../engines/engine.ts";
import type { Database } from "../store/database.ts";
import { outputPath } from "./starting.ts";

const PIECE_BYTES = 1024 * 1024;

/**
 * Takes over the output that an engine has kept, before the engine drops the attempt: a file on the same disk as it is,
 * which needs no room there; else a copy. These are jobs that cannot write
 * into the farm's folder, since they run as other users or on other machines.
 */
export class OutputKeeper {
  private readonly database: Database;
  private readonly data: string;

  constructor(database: Database, data: string) {
    this.database = database;
    this.data = data;
  }

  async keep(engine: Engine, id: AttemptId): Promise<void> {
    const row = this.database.get("SELECT number FROM job WHERE id = ?", id.job);
    if (row === undefined) return;
    for (const stream of ["stdout", "stderr"] as const) {
      const path = outputPath(this.data, Number(row["number"]), id.attempt, stream);
      const file = engine.outputFile?.(id, stream) ?? null;
      if (file !== null && (await isLinked(file, path))) continue;
      let bytes = await engine.output(id, stream, 0, PIECE_BYTES);
      if (bytes === null || bytes.length === 0) continue;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const temporary = `${path}.part`;
      const copy = await open(temporary, "w", 0o600);
      let isWhole = false;
      try {
        for (
          let at = 0;
          bytes !== null && bytes.length > 0;
          bytes = await engine.output(id, stream, at, PIECE_BYTES)
        ) {
          // Whole: a single write may leave off where a disk is full.
          await copy.writeFile(bytes);
          at += bytes.length;
        }
        isWhole = true;
      } finally {
        await copy.close();
        // The engine has it still, and a part would keep the disk full.
        if (!isWhole) await rm(temporary, { force: true });
      }
      await rename(temporary, path);
    }
  }
}

/** Whether what is in a file, if anything is, is at the path now too. */
async function isLinked(file: string, path: string): Promise<boolean> {
  try {
    if ((await stat(file)).size === 0) return true;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await link(file, path);
    return true;
  } catch (error) {
    // Another disk, or one without links. What is there already is of a service that was killed.
    return (error as NodeJS.ErrnoException).code === "EEXIST";
  }
}
