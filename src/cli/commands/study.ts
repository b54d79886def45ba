import { Command } from "commander";

import { bucketsCommand } from "./study-buckets.ts";
import { characteriseCommand } from "./study-characterise.ts";
import { loadCommand } from "./study-load.ts";
import { onlineCommand } from "./study-online.ts";

export function studyCommand(): Command {
  return new Command("study")
    .description("the experiments of the literature on any workload, with its claims put to them")
    .addCommand(bucketsCommand())
    .addCommand(loadCommand())
    .addCommand(characteriseCommand())
    .addCommand(onlineCommand());
}
