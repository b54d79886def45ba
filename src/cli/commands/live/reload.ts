import { dirname } from "node:path";

import { Command, Option } from "commander";

import { knownMachines } from "../../../live/service/restore.ts";
import { unopenedPools } from "../../../live/unopened-pools.ts";
import { farmChecks } from "../../../simulation/index.ts";
import { openPast, readPresent, tryReload } from "../../../whatif/index.ts";
import { readFarm } from "../../../workload/index.ts";
import { sayMachinesNotes } from "../../input.ts";
import { addFarmOptions, farmOf, type JobsFlags } from "../../live/farm.ts";
import { print } from "../../terminal.ts";
import { databaseOf, type DataFlags } from "../../whatif/data.ts";
import { reloadTrialText } from "../../whatif/reload-text.ts";

interface ReloadFlags extends JobsFlags, DataFlags {
  readonly try?: string;
}

export function reloadCommand(): Command {
  const command = new Command("reload")
    .description("let a farm read its file again; jobs run on")
    .option(
      "--try <file>",
      "change nothing: tell which jobs would have to leave, and which would wait longer",
    )
    .addOption(new Option("--data <folder>", "with --try: the farm's data folder, as of croft serve"))
    .option("--json", "print {changed} as JSON, or with --try what would become of the jobs");
  return addFarmOptions(command).action((flags: ReloadFlags) =>
    flags.try === undefined ? reload(flags) : tryFile(flags.try, flags),
  );
}

async function reload(flags: JobsFlags): Promise<void> {
  const { changed } = await farmOf(flags).send<{ changed: boolean }>("POST", "/v1/reload");
  if (flags.json === true) return print(JSON.stringify({ changed }));
  await print(changed ? "the farm uses its new file" : "nothing has changed");
}

async function tryFile(file: string, flags: ReloadFlags): Promise<void> {
  const farm = await readFarm(file, { ...farmChecks, enginesTellMachines: true, machines: sayMachinesNotes });
  const path = databaseOf(flags);
  const connection = openPast(path);
  try {
    const present = readPresent(connection, Date.now() / 1000);
    const trial = tryReload(present, farm, unopenedPools(farm, dirname(path)), knownMachines(connection));
    if (trial.refused !== null) process.exitCode = 1;
    await print(flags.json === true ? JSON.stringify(trial) : reloadTrialText(trial, present.now));
  } finally {
    connection.close();
  }
}
