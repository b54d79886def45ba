import { Command } from "commander";

import { bucketsCommand } from "./study/buckets.ts";
import { characteriseCommand } from "./study/characterise.ts";
import { confidenceCommand } from "./study/confidence.ts";
import { forecastCommand } from "./study/forecast.ts";
import { fractionalCommand } from "./study/fractional.ts";
import { loadCommand } from "./study/load.ts";
import { onlineCommand } from "./study/online.ts";
import { optimumCommand } from "./study/optimum.ts";
import { packingCommand } from "./study/packing.ts";
import { reschedulingCommand } from "./study/rescheduling.ts";

export function studyCommand(): Command {
  return new Command("study")
    .description("published experiments made again, with the claims that were drawn from them")
    .addCommand(bucketsCommand())
    .addCommand(loadCommand())
    .addCommand(optimumCommand())
    .addCommand(characteriseCommand())
    .addCommand(forecastCommand())
    .addCommand(fractionalCommand())
    .addCommand(onlineCommand())
    .addCommand(reschedulingCommand())
    .addCommand(packingCommand())
    .addCommand(confidenceCommand());
}
