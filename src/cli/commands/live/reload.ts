import { Command } from "commander";

import type { ServerFlags } from "../../../live/client/client.ts";
import { addFarmOptions, farmOf } from "../../live/farm.ts";
import { print } from "../../terminal.ts";

export function reloadCommand(): Command {
  const command = new Command("reload").description("let a farm read its file again; jobs run on");
  return addFarmOptions(command).action(async (flags: ServerFlags) => {
    const { changed } = await farmOf(flags).send<{ changed: boolean }>("POST", "/v1/reload");
    await print(changed ? "the farm goes on by its new file" : "nothing has changed");
  });
}
