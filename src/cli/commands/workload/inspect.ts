import { Command } from "commander";

import { characterise } from "../../../workload/index.ts";
import { describeWorkload } from "../../describe-workload.ts";
import { addWorkloadOptions, loadWorkload, type WorkloadFlags } from "../../input.ts";
import { sayLeftOut } from "../../left-out.ts";
import { print } from "../../terminal.ts";

export function inspectCommand(): Command {
  const command = new Command("inspect")
    .description("tell what is in a workload")
    .argument("<workload>", "the log")
    .option("--json", "every figure, as one JSON object");
  return addWorkloadOptions(command).action(async (path: string, flags: WorkloadFlags & { json?: true }) => {
    const workload = await loadWorkload(path, flags);
    sayLeftOut(workload);
    const statistics = characterise(workload);
    const { notes, farm } = workload;
    await print(
      flags.json === true
        ? JSON.stringify({ ...statistics, farm, notes }, asPlainArray)
        : describeWorkload(statistics, farm),
    );
  });
}

function asPlainArray(_key: string, value: unknown): unknown {
  return value instanceof Float64Array ? Array.from(value) : value;
}
