import { Command } from "commander";

import { generateCommand } from "./fractional/generate.ts";
import { solveCommand } from "./fractional/solve.ts";

export function fractionalCommand(): Command {
  return new Command("fractional")
    .description("pack services with fluid needs onto hosts, for the best minimum yield")
    .addCommand(solveCommand())
    .addCommand(generateCommand());
}
