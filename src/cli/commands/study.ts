import { Command } from "commander";

import { bucketsCommand } from "./study-buckets.ts";
import { characteriseCommand } from "./study-characterise.ts";
import { loadCommand } from "./study-load.ts";

export function studyCommand(): Command {
  return new Command("study")
    .description("the experiments of Shai 2014 on any workload, with the thesis's claims put to them")
    .addCommand(bucketsCommand())
    .addCommand(loadCommand())
    .addCommand(characteriseCommand());
}
