import { constants } from "node:fs";
import { access, mkdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { renderReport, type ReportInput } from "../../report/index.ts";
import { writeFileAtomically, InputError } from "../../workload/index.ts";

/**
 * Refuses a folder that cannot be written to, before the simulation and not after it.
 * Makes nothing: a run that is broken off leaves nothing.
 */
export async function checkFolder(folder: string): Promise<void> {
  let existing = resolve(folder);
  for (;;) {
    const found = await stat(existing).catch((error: NodeJS.ErrnoException) => error);
    if (found instanceof Error) {
      if (found.code !== "ENOENT") throw new InputError(`cannot be used: ${found.message}`, { file: folder });
      existing = dirname(existing);
      continue;
    }
    if (!found.isDirectory()) {
      throw new InputError(`cannot be a folder: ${existing} is a file`, { file: folder });
    }
    await access(existing, constants.W_OK | constants.X_OK).catch(() => {
      throw new InputError(`cannot be written to: you have no permission to write in ${existing}`, {
        file: folder,
      });
    });
    return;
  }
}

/** Writes `report.html` and `results.json`, the report's own input. Returns the report's path. */
export async function writeFolder(folder: string, input: ReportInput): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new InputError(`cannot be made: ${(error as Error).message}`, { file: folder });
  }
  const report = join(folder, "report.html");
  await writeFileAtomically(join(folder, "results.json"), [JSON.stringify(input, null, 2), "\n"]);
  await writeFileAtomically(report, [renderReport(input)]);
  return report;
}
