import { dirname } from "node:path";

import { sourceTitle, type ByteSource } from "../input/bytes.ts";
import type { Farm } from "./farm.ts";
import type { FarmChecks } from "./file/checks.ts";
import { farmShape } from "./file/farm-shape.ts";
import { resolveFarm } from "./file/resolve.ts";
import { readYaml } from "../input/yaml.ts";

/**
 * Reads a farm from its file, YAML or JSON. Lists of machines that it names are read too.
 *
 * @param checks what knows the names of policies and rules; names are not looked at without it
 * @throws InputError naming file, line, column and path where the file is no farm
 */
export async function readFarm(source: ByteSource, checks: FarmChecks = {}): Promise<Farm> {
  const file = farmShape.read(await readYaml(source));
  const folder = typeof source === "string" ? dirname(source) : ".";
  return resolveFarm(file, checks, sourceTitle(source), folder);
}
