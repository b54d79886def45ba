import { chmod, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import { folderFailure, InputError, makeFolder, writeFileAtomically } from "../workload/index.ts";
import type { ExportedFile } from "./exporter.ts";

/** Lists what an export wrote, so that a later one recognises the folder. */
const MANIFEST = "croft-export.json";

/**
 * Writes the files and a list of them. A folder that holds an earlier export is brought up to date: files of it that
 * are no longer part of the export are removed, all others stay.
 *
 * @throws {InputError} where the folder holds anything else, or cannot be written to
 */
export async function writeExport(
  folder: string,
  system: string,
  files: readonly ExportedFile[],
): Promise<void> {
  const earlier = await earlierFiles(folder);
  makeFolder(folder);
  const names = files.map(({ name }) => name);
  // Written before the files, so that an interrupted export can be repeated, and again after them.
  await writeManifest(folder, system, [...new Set([...earlier, ...names])]);
  for (const { name, text, isExecutable } of files) {
    const path = join(folder, name);
    await writeFileAtomically(path, [text]);
    await chmod(path, isExecutable ? 0o755 : 0o644);
  }
  for (const name of earlier) if (!names.includes(name)) await rm(join(folder, name), { force: true });
  await writeManifest(folder, system, names);
}

async function writeManifest(folder: string, system: string, files: readonly string[]): Promise<void> {
  const text = JSON.stringify({ croftExport: system, files }, null, 2);
  await writeFileAtomically(join(folder, MANIFEST), [`${text}\n`]);
}

/** The files of an earlier export in the folder; none where the folder is missing or empty. */
async function earlierFiles(folder: string): Promise<string[]> {
  let present: string[];
  try {
    present = await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw folderFailure(folder, "no folder to write to", folder, error);
  }
  if (present.length === 0) return [];
  const names = await readFile(join(folder, MANIFEST), "utf8").then(namesInManifest, () => null);
  if (names === null)
    throw new InputError("holds files that are no earlier export: name an empty folder or a new one", {
      file: folder,
    });
  // Only names that are in the folder: a wrong list must not touch files outside it.
  return names.filter((name) => present.includes(name));
}

function namesInManifest(text: string): string[] | null {
  try {
    const { croftExport, files } = JSON.parse(text) as { croftExport?: unknown; files?: unknown };
    if (typeof croftExport !== "string" || !Array.isArray(files)) return null;
    return files.filter((name) => typeof name === "string");
  } catch {
    return null;
  }
}
