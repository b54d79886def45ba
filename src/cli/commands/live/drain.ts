import { Command } from "commander";

import type { MachineView } from "../../../live/service/farm-views.ts";
import { InputError } from "../../../workload/errors.ts";
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
    toEach(names, flags, "drain", { reason: flags.reason }),
  );
}

export function undrainCommand(): Command {
  const command = new Command("undrain")
    .description("let drained machines take jobs again")
    .argument("<machine...>", "POOL/MACHINE, or a pool's name for all of its drained machines")
    .option("--json", "print the machines as a JSON array");
  return addFarmOptions(command).action((names: string[], flags: JobsFlags) =>
    toEach(names, flags, "undrain"),
  );
}

async function toEach(
  names: readonly string[],
  flags: JobsFlags,
  verb: "drain" | "undrain",
  body?: object,
): Promise<void> {
  const farm = farmOf(flags);
  const done: MachineView[] = [];
  const all = await farm.get<MachineView[]>("/v1/machines");
  // All are looked up before anything is done.
  const meantBy = names.map((name) => {
    const meant = all.filter(({ pool, name: machine }) => name === pool || name === `${pool}/${machine}`);
    if (meant.length === 0)
      throw new InputError(`the farm has no machine and no pool ${JSON.stringify(name)}`);
    return { meant, isPool: meant.some(({ pool }) => pool === name) };
  });
  for (const { meant, isPool } of meantBy)
    for (const { pool, name: machine, state } of meant)
      if (!isPool || verb === "drain" || state === "drained")
        done.push(
          await farm.send<MachineView>(
            "POST",
            `/v1/pools/${encodeURIComponent(pool)}/machines/${encodeURIComponent(machine)}/${verb}`,
            body,
          ),
        );
  if (flags.json === true) await print(JSON.stringify(done, null, 2));
}
