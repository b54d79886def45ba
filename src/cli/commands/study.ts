import { Command } from "commander";

import { bucketsCommand } from "./study-buckets.ts";
import { characteriseCommand } from "./study-characterise.ts";
import { loadCommand } from "./study-load.ts";
import { reschedulingCommand } from "./study-rescheduling.ts";

export function studyCommand(): Command {
  return new Command("study")
    .description("the experiments of Shai 2014 and Zhang 2010, with their claims put to what comes out")
    .addCommand(bucketsCommand())
    .addCommand(loadCommand())
    .addCommand(characteriseCommand())
    .addCommand(reschedulingCommand());
}
