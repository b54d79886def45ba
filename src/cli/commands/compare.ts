import { Command } from "commander";

import { compareLogs } from "../../simulation/index.ts";
import { compareText } from "../compare-text.ts";
import { addWorkloadOptions, loadWorkload, type WorkloadFlags } from "../input.ts";
import { print } from "../terminal.ts";

export function compareCommand(): Command {
  const command = new Command("compare")
    .description("compare the waits in two logs of a farm, before and after a change of its settings")
    .argument("<before>", "the log of the time before")
    .argument("<after>", "the log of the time after")
    .option("--json", "every figure, as one JSON object");
  return addWorkloadOptions(command)
    .addHelpText(
      "after",
      "\nExample:\n  croft compare may.sacct july.sacct\n\nThe options are for both logs. At length: docs/compare.md",
    )
    .action(compare);
}

async function compare(before: string, after: string, flags: WorkloadFlags & { json?: true }): Promise<void> {
  const comparison = compareLogs(await loadWorkload(before, flags), await loadWorkload(after, flags));
  await print(flags.json === true ? JSON.stringify(comparison) : compareText(comparison));
}
