import { Command } from "commander";

import { addFarmOptions, farmOf, type JobsFlags } from "../../live/farm.ts";
import { print } from "../../terminal.ts";

export function reloadCommand(): Command {
  const command = new Command("reload")
    .description("let a farm read its file again; jobs run on")
    .option("--json", "print {changed} as JSON");
  return addFarmOptions(command).action(async (flags: JobsFlags) => {
    const { changed } = await farmOf(flags).send<{ changed: boolean }>("POST", "/v1/reload");
    if (flags.json === true) return print(JSON.stringify({ changed }));
    await print(changed ? "the farm uses its new file" : "nothing has changed");
  });
}
