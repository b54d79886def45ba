import { mkdir, open, rename } from "node:fs/promises";
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
      try {
        for (
          let at = 0;
          bytes !== null && bytes.length > 0;
          bytes = await engine.output(id, stream, at, PIECE_BYTES)
        ) {
          await file.write(bytes);
          at += bytes.length;
        }
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    }
  }
}
