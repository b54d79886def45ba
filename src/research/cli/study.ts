import { Command, Option } from "commander";

import { InputError } from "../../workload/index.ts";

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
    .addCommand(stayingHere(bucketsCommand()))
    .addCommand(loadCommand())
    .addCommand(stayingHere(optimumCommand()))
    .addCommand(stayingHere(characteriseCommand()))
    .addCommand(stayingHere(forecastCommand()))
    .addCommand(stayingHere(fractionalCommand()))
    .addCommand(stayingHere(onlineCommand()))
    .addCommand(reschedulingCommand())
    .addCommand(packingCommand())
    .addCommand(stayingHere(confidenceCommand()));
}

/** A study that is no list of runs of their own says so where it is asked to send them to a farm. */
function stayingHere(command: Command): Command {
  return command.addOption(
    new Option("--on <server>").hideHelp().argParser(() => {
      throw new InputError(
        `croft study ${command.name()} is made on this machine: leave --on out. load, packing and rescheduling can be made on a farm`,
      );
    }),
  );
}
