import { Command } from "commander";

import type { MachineView } from "../../../live/service/farm-views.ts";
import { addFarmOptions, farmOf, type JobsFlags } from "../../live/farm.ts";
import { print } from "../../terminal.ts";

interface DrainFlags extends JobsFlags {
  readonly reason: string;
}

export function drainCommand(): Command {
  const command = new Command("drain")
    .description("let machines take nothing new; what runs there runs on")
    .argument("<machine...>", "POOL/MACHINE, or a pool's name for all of its machines")
    .requiredOption("--reason <text>", "why, for those who ask")
    .option("--json", "print the machines as a JSON array");
  return addFarmOptions(command).action((names: string[], flags: DrainFlags) =>
    toAll(names, flags, "drain", { reason: flags.reason }),
  );
}

export function undrainCommand(): Command {
  const command = new Command("undrain")
    .description("let drained machines take jobs again")
    .argument("<machine...>", "POOL/MACHINE, or a pool's name for all of its drained machines")
    .option("--json", "print the machines as a JSON array");
  return addFarmOptions(command).action((names: string[], flags: JobsFlags) =>
    toAll(names, flags, "undrain"),
  );
}

async function toAll(
  machines: readonly string[],
  flags: JobsFlags,
  verb: "drain" | "undrain",
  more: object = {},
): Promise<void> {
  const done = await farmOf(flags).send<MachineView[]>("POST", `/v1/machine-lists/${verb}`, {
    machines,
    ...more,
  });
  if (flags.json === true) await print(JSON.stringify(done, null, 2));
}
