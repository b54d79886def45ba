import { readFile, stat } from "node:fs/promises";

import type { SiteFile } from "../export/index.ts";
import { findPolicy, type NamedPolicy } from "../core/index.ts";
import { InputError } from "../workload/index.ts";

/** The largest file of a site's settings that is read. */
const MAX_BYTES = 1 << 24;

/** @throws {InputError} naming the file that cannot be read */
export async function readSiteFiles(files: readonly string[]): Promise<SiteFile[]> {
  return Promise.all(
    files.map(async (file) => {
      const found = await stat(file).catch(() => null);
      if (found === null || !found.isFile()) throw new InputError("there is no such file", { file });
      if (found.size > MAX_BYTES)
        throw new InputError(`a file of settings has at most ${MAX_BYTES} bytes`, { file });
      return { file, text: await readFile(file, "utf8") };
    }),
  );
}

/** Whether a plugin's program decides which jobs pass which. A heuristic of a plugin's only orders machines. */
export function isPluginPolicy({ kind, heuristic }: NamedPolicy): boolean {
  return kind.name !== heuristic.name && findPolicy(kind.name) === undefined;
}

/** @throws {InputError} for a policy of a plugin's, saying what can be exported */
export function refusePluginPolicy(policy: NamedPolicy): void {
  if (!isPluginPolicy(policy)) return;
  throw new InputError(
    `policy ${policy.name} is a plugin's: its program decides which jobs pass which, and no batch system runs that, so nothing of it can be exported. ` +
      "What can: the policy of Croft's whose waits come nearest to its own in a simulation (croft simulate LOG --policy all,NAME --plugin FILE), as in --policy easy",
  );
}
