import { accessSync, constants } from "node:fs";

import { InputError } from "../workload/index.ts";
import { Connection } from "../live/store/connection.ts";
import { migrations } from "../live/store/migrations.ts";

/**
 * The database of a farm, to be read: the service may run, and writes on beside it. Read of one moment what belongs
 * together, and soon, since the service's log grows until then.
 *
 * @param path of `croft.db` in the farm's data folder, or of a backup
 * @throws InputError where there is none, or another Croft has written it
 */
export function openPast(path: string): Connection {
  checkReadable(path);
  try {
    const connection = new Connection(path);
    const version = Number(connection.get("PRAGMA user_version")?.["user_version"]);
    if (version !== migrations.length) {
      connection.close();
      throw new InputError(
        version < migrations.length
          ? `an older Croft has written it (version ${version}; this one knows ${migrations.length}): let croft serve of this version open it first`
          : `a newer Croft has written it (version ${version}; this one knows ${migrations.length}): use that one`,
        { file: path },
      );
    }
    return connection;
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`it cannot be read: ${(error as Error).message}`, { file: path });
  }
}

/** @throws InputError where it is not there, or not for this user to read */
function checkReadable(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    const isForbidden = ["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");
    throw new InputError(
      isForbidden
        ? "only the farm's own user may read it: ask an operator for a copy (croft backup), and give that with --data"
        : "there is no farm's database: give the farm's data folder with --data",
      { file: path },
    );
  }
}
