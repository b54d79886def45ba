import { dirname } from "node:path";

import { sourceTitle, type ByteSource } from "../input/bytes.ts";
import type { Farm } from "./farm.ts";
import type { FarmChecks } from "./file/checks.ts";
import { farmShape } from "./file/farm-shape.ts";
import { resolveFarm } from "./file/resolve.ts";
import { readYaml } from "../input/yaml.ts";

/**
 * Reads a farm from its file, YAML or JSON, and the lists of machines that it names.
 *
 * @param checks checks the names of policies and rules; without it they are not checked
 * @throws InputError naming file, line, column and path if the file is not a valid farm
 */
export async function readFarm(source: ByteSource, checks: FarmChecks = {}): Promise<Farm> {
  const file = farmShape.read(await readYaml(source));
  const folder = typeof source === "string" ? dirname(source) : ".";
  return resolveFarm(file, checks, sourceTitle(source), folder);
}

/**
 * The lists of machines that a farm file names, as it names them.
 *
 * @throws InputError where the file is no valid farm
 */
export async function machineListsOf(path: string): Promise<string[]> {
  const { pools } = farmShape.read(await readYaml(path));
  return pools.flatMap(({ machines }) =>
    (machines ?? []).flatMap((entry) => ("file" in entry ? [entry.file] : [])),
  );
}
