import { rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { renderReport, type ReportInput } from "../../report/index.ts";
import { folderFailure, makeFolder, writeFileAtomically } from "../../workload/index.ts";

/**
 * Finds out, before the simulation and not after it, whether the folder can be made
 * and written to. Leaves nothing behind, as does a simulation that is broken off:
 * that is also why this is one step that no signal comes between.
 *
 * @throws InputError where it cannot
 */
export function tryFolder(folder: string): void {
  const made = makeFolder(folder);
  const trial = join(folder, `.croft-${process.pid}.tmp`);
  try {
    writeFileSync(trial, "");
  } catch (error) {
    throw folderFailure(folder, "cannot be written to", folder, error);
  } finally {
    rmSync(trial, { force: true });
    for (const path of made.toReversed()) rmdirSync(path);
  }
}

/** Writes `report.html` and `results.json`, the report's figures. Returns the report's path. */
export async function writeFolder(folder: string, input: ReportInput): Promise<string> {
  makeFolder(folder);
  const report = join(folder, "report.html");
  await writeFileAtomically(join(folder, "results.json"), [JSON.stringify(input, null, 2), "\n"]);
  await writeFileAtomically(report, [renderReport(input)]);
  return report;
}
