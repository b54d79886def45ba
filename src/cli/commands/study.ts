import { Command } from "commander";

import { bucketsCommand } from "./study-buckets.ts";
import { characteriseCommand } from "./study-characterise.ts";
import { loadCommand } from "./study-load.ts";
import { packingCommand } from "./study-packing.ts";

export function studyCommand(): Command {
  return new Command("study")
    .description("published experiments on any workload, with their claims put to the figures")
    .addCommand(bucketsCommand())
    .addCommand(loadCommand())
    .addCommand(characteriseCommand())
    .addCommand(packingCommand());
}
