import { access, readdir } from "node:fs/promises";
import { join } from "node:path";

import type { Database } from "../store/database.ts";

/** So many numbers after the last are looked for before it counts as the last. */
const LOOKED_AHEAD = 1000;

/**
 * The highest number that a job has had. After a backup was restored the database does not know the jobs since then,
 * some of which may still run: their output is there, and another job of that number would be mixed up with it.
 *
 * @param data the folder with all that the service keeps; null: there is none
 */
export async function lastNumber(database: Database, data: string | null): Promise<number> {
  const known = Number(database.get("SELECT max(number) AS last FROM job")?.["last"] ?? 0);
  if (data === null) return known;
  const outputs = join(data, "jobs");
  const found = await Promise.all(
    Array.from({ length: LOOKED_AHEAD }, (_, i) => isThere(join(outputs, String(known + 1 + i)))),
  );
  if (!found.includes(true)) return known;
  return (await readdir(outputs)).reduce(
    (highest, name) => (/^\d{1,15}$/.test(name) ? Math.max(highest, Number(name)) : highest),
    known,
  );
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
