import { Command } from "commander";

import type { Identity } from "../../../live/identity.ts";
import { addFarmOptions, farmOf, type JobsFlags } from "../../live/farm.ts";
import { printable } from "../../live/printable.ts";
import { print } from "../../terminal.ts";

export function whoamiCommand(): Command {
  const command = new Command("whoami")
    .description("tell who you are to a farm, and what you may do")
    .option("--json", "as a JSON object");
  return addFarmOptions(command).action(async (flags: JobsFlags) => {
    const identity = await farmOf(flags).get<Identity>("/v1/whoami");
    await print(
      flags.json === true ? JSON.stringify(identity) : `${printable(identity.user)}, ${identity.role}`,
    );
  });
}
