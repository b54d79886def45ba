import { resolve } from "node:path";

import { Command } from "commander";

import { addFarmOptions, farmOf, type JobsFlags } from "../../live/farm.ts";
import { print } from "../../terminal.ts";

export function backupCommand(): Command {
  const command = new Command("backup")
    .description("write a copy of the farm's database, while it is in use")
    .argument("<file>", "where to, on the farm's machine; it must not be there yet")
    .option("--json", "print {path} as JSON");
  return addFarmOptions(command).action(async (file: string, flags: JobsFlags) => {
    const { path } = await farmOf(flags).send<{ path: string }>("POST", "/v1/backup", {
      path: resolve(file),
    });
    await print(flags.json === true ? JSON.stringify({ path }) : path);
  });
}
