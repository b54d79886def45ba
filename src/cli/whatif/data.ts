import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

import type { Command } from "commander";

import { defaultData } from "../../live/client/places.ts";

export interface DataFlags {
  readonly data?: string;
}

/** Every command that reads a farm's past has this. It reads the files themselves, so that the farm does nothing for it. */
export function addDataOption(command: Command): Command {
  return command.option(
    "--data <folder>",
    "the farm's data folder, as of croft serve, or a backup ($XDG_STATE_HOME/croft)",
  );
}

/** The path of the database. */
export function databaseOf({ data }: DataFlags): string {
  const path = resolve(data ?? defaultData(process.env));
  return existsSync(path) && statSync(path).isFile() ? path : join(path, "croft.db");
}
