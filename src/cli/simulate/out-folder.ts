import { rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { renderReport, verdictOf, verdictsOf, type ReportInput } from "../../report/index.ts";
import { folderFailure, makeFolder, writeFileAtomically } from "../../workload/index.ts";
import { verdictFigures } from "../figures.ts";

/**
 * Checks, before the simulation rather than after it, that the folder can be made and written to. It leaves nothing
 * behind, and runs synchronously so that no signal can interrupt it.
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

/** Writes `report.html` and `results.json`, all that the report shows as data. Returns the report's path. */
export async function writeFolder(folder: string, input: ReportInput): Promise<string> {
  makeFolder(folder);
  const report = join(folder, "report.html");
  const results = {
    ...input,
    verdict: verdictFigures(verdictOf(input)),
    verdicts: verdictsOf(input).map(verdictFigures),
    versions: { croft: input.version, node: process.versions.node },
  };
  await writeFileAtomically(join(folder, "results.json"), [JSON.stringify(results, null, 2), "\n"]);
  await writeFileAtomically(report, [renderReport(input)]);
  return report;
}
