import { Command } from "commander";

import { addWorkloadOptions, loadWorkload, type WorkloadFlags } from "../../input.ts";
import { sayLeftOut } from "../../left-out.ts";
import { refuseOverwriting } from "../../overwriting.ts";
import { targetOption, writerFor, writeWorkload, type TargetFlags } from "../../target.ts";

export function convertCommand(): Command {
  const command = new Command("convert")
    .description("write a workload in another format")
    .argument("<workload>", "the log")
    .argument("<file>", "what to write: its name tells the format, as in month.parquet or month.swf.gz")
    .addOption(targetOption());
  return addWorkloadOptions(command).action(
    async (from: string, file: string, flags: WorkloadFlags & TargetFlags) => {
      const writer = writerFor(file, flags);
      refuseOverwriting(file, [from]);
      const workload = await loadWorkload(from, flags);
      sayLeftOut(workload);
      await writeWorkload(workload, file, writer);
    },
  );
}
