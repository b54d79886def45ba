import { Command } from "commander";

import { convertCommand } from "./workload/convert.ts";
import { generateCommand } from "./workload/generate.ts";
import { inspectCommand } from "./workload/inspect.ts";

export function workloadCommand(): Command {
  return new Command("workload")
    .description("look into logs, turn them into other formats, make synthetic ones")
    .addCommand(inspectCommand())
    .addCommand(convertCommand())
    .addCommand(generateCommand());
}
