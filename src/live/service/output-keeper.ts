import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

import type { AttemptId } from "../engines/attempt-id.ts";
import type { Engine } from "../engines/engine.ts";
import type { Database } from "../store/database.ts";
import { outputPath } from "./starting.ts";

const PIECE_BYTES = 1024 * 1024;

/**
 * Copies the output that an engine has kept, before the engine drops the attempt. These are jobs that cannot write
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
      let bytes = await engine.output(id, stream, 0, PIECE_BYTES);
      if (bytes === null || bytes.length === 0) continue;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const temporary = `${path}.part`;
      const file = await open(temporary, "w", 0o600);
      let isWhole = false;
      try {
        for (
          let at = 0;
          bytes !== null && bytes.length > 0;
          bytes = await engine.output(id, stream, at, PIECE_BYTES)
        ) {
          // Whole: a single write may leave off where a disk is full.
          await file.writeFile(bytes);
          at += bytes.length;
        }
        isWhole = true;
      } finally {
        await file.close();
        // The engine has it still, and a part would keep the disk full.
        if (!isWhole) await rm(temporary, { force: true });
      }
      await rename(temporary, path);
    }
  }
}
