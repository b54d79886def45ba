import { mkdirSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { renderReport, type ReportInput } from "../../report/index.ts";
import { InputError, writeFileAtomically } from "../../workload/index.ts";

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
    throw new InputError(`nothing can be written there: ${(error as Error).message}`, { file: folder });
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

/** Makes the folder and those above it. Returns the ones that were missing, outermost first. */
function makeFolder(folder: string): string[] {
  const missing: string[] = [];
  try {
    let path = resolve(folder);
    for (; statSync(path, { throwIfNoEntry: false }) === undefined; path = dirname(path))
      missing.unshift(path);
    if (!statSync(path).isDirectory()) throw new Error(`${path} is a file`);
    // One by one: asked for all at once, Node.js never comes back from a file system such as /proc.
    for (const each of missing) mkdirSync(each);
  } catch (error) {
    throw new InputError(`the folder cannot be made: ${(error as Error).message}`, { file: folder });
  }
  return missing;
}
