import { Command } from "commander";

import type { ServerFlags } from "../../../live/client/client.ts";
import { addFarmOptions, farmOf } from "../../live/farm.ts";
import { top } from "../../top/top.ts";

interface TopFlags extends ServerFlags {
  readonly filter?: string;
}

export function topCommand(): Command {
  const command = new Command("top")
    .description("show a farm on the terminal: what is wrong, what is in use, its jobs and why they wait")
    .option(
      "--filter <words>",
      "only jobs with all of these words in their name, user, state, pool or reason",
    );
  return addFarmOptions(command)
    .addHelpText(
      "after",
      "\nKeys: q quits, arrows choose a job, Enter tells why it waits, / filters.\nWhere the output is no terminal it prints once and ends.",
    )
    .action(({ filter = "", ...server }: TopFlags) => top(farmOf(server), filter));
}
