import { dirname } from "node:path";

import { farmChecks } from "../../simulation/index.ts";
import { InputError, readFarm } from "../../workload/index.ts";
import { knownMachines } from "../service/restore.ts";
import type { Connection } from "../store/connection.ts";
import { unopenedPools } from "../service/unopened-pools.ts";
import { readPresent } from "./present.ts";
import { replicaOf, type Instant } from "./replica.ts";
import { tryReload, type ReloadTrial } from "./try-reload.ts";

/** A farm's file that somebody has sent. */
export interface TriedFile {
  readonly text: string;
  readonly name: string;
  readonly instant: Instant;
}

const LOOKING_SECONDS = 4;

/** For a farm that serves: null where it has too many jobs to be copied. */
export async function tryFile(
  connection: Connection,
  { text, name, instant }: TriedFile,
): Promise<ReloadTrial | null> {
  try {
    const source = { name, bytes: new TextEncoder().encode(text) };
    const farm = await readFarm(source, { ...farmChecks, enginesTellMachines: true, noLists });
    const planned = unopenedPools(farm, dirname(connection.path));
    const now = connection.together(() => {
      const replica = replicaOf(connection);
      if (replica === null) return null;
      return { present: readPresent(connection, replica, instant), known: knownMachines(connection) };
    });
    const until = performance.now() + 1000 * LOOKING_SECONDS;
    return now === null
      ? null
      : tryReload(now.present, farm, planned, now.known, () => performance.now() < until);
  } catch (error) {
    if (error instanceof InputError) return { refused: error.message };
    throw error;
  }
}

/** Whoever sends a file may not see files of the farm's machine by it. */
const noLists =
  "a list of machines is read where the file is, and the farm has only its text: croft reload --try with --data reads both";
