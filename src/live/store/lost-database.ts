import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { InputError } from "../../workload/index.ts";

/**
 * Refuses a data folder that has what jobs printed, and no database or an empty one: a new farm would know of none of
 * them, and leave alone those that run.
 *
 * @throws InputError
 */
export function refuseLostDatabase(data: string): void {
  const file = join(data, "croft.db");
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? null;
  if (size !== null && size > 0) return;
  const jobs = join(data, "jobs");
  if (statSync(jobs, { throwIfNoEntry: false }) === undefined || readdirSync(jobs).length === 0) return;
  throw new InputError(
    `the database is ${size === null ? "not there" : "empty"}, and ${jobs} has what jobs of a farm have printed: restore a backup (docs/live/operate.md), or move jobs away too, for a farm that begins anew`,
    { file },
  );
}
