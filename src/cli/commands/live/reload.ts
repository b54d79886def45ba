import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";

import { Command, Option } from "commander";

import { readPresent } from "../../../live/replica/present.ts";
import { Replica } from "../../../live/replica/replica.ts";
import { tryReload, type ReloadTrial } from "../../../live/replica/try-reload.ts";
import { knownMachines } from "../../../live/service/restore.ts";
import { unopenedPools } from "../../../live/service/unopened-pools.ts";
import { farmChecks } from "../../../simulation/index.ts";
import { openPast } from "../../../whatif/index.ts";
import { InputError, readFarm } from "../../../workload/index.ts";
import { sayMachinesNotes } from "../../input.ts";
import { liveStatuses } from "../../live/exit-status.ts";
import { addFarmOptions, farmOf, type JobsFlags } from "../../live/farm.ts";
import { print } from "../../terminal.ts";
import { databaseOf, type DataFlags } from "../../whatif/data.ts";
import { changedLines, reloadTrialText } from "../../whatif/reload-text.ts";

interface Reloaded {
  readonly changed: boolean;
  readonly changes: readonly string[];
}

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
    .addOption(
      new Option(
        "--data <folder>",
        "with --try: a data folder, or a backup, to read instead: no farm is asked",
      ),
    )
    .option("--json", "print {changed, changes} as JSON, or with --try what would become of the jobs");
  return addFarmOptions(command).action((flags: ReloadFlags) =>
    flags.try === undefined ? reload(flags) : tryFile(flags.try, flags),
  );
}

async function reload(flags: ReloadFlags): Promise<void> {
  if (flags.data !== undefined)
    throw new InputError(
      "--data is for --try, which changes nothing: a farm that runs is reloaded by its socket",
    );
  const { changed, changes } = await farmOf(flags).send<Reloaded>("POST", "/v1/reload");
  if (flags.json === true) return print(JSON.stringify({ changed, changes }));
  await print(
    changed ? ["the farm uses its new file:", ...changedLines(changes)].join("\n") : "nothing has changed",
  );
}

async function tryFile(file: string, { data, json, ...flags }: ReloadFlags): Promise<void> {
  let trial: ReloadTrial;
  if (data === undefined) {
    const text = await readFile(file, "utf8").catch((error: unknown) => {
      throw new InputError(`it cannot be read: ${(error as Error).message}`, { file });
    });
    trial = await farmOf(flags).send<ReloadTrial>("POST", "/v1/reload/try", { text, name: basename(file) });
  } else if (flags.server !== undefined || flags.socket !== undefined)
    throw new InputError(
      "--data reads the files of a farm, and --server and --socket ask one: give one of them",
    );
  else trial = await triedIn(data, file);
  if (trial.refused !== null) process.exitCode = liveStatuses.refused[0];
  await print(json === true ? JSON.stringify(trial) : reloadTrialText(trial));
}

/** From the farm's files, of a backup too. */
async function triedIn(data: string, file: string): Promise<ReloadTrial> {
  const farm = await readFarm(file, { ...farmChecks, enginesTellMachines: true, machines: sayMachinesNotes });
  const path = databaseOf({ data });
  const connection = openPast(path);
  try {
    const now = Date.now() / 1000;
    const { present, known } = connection.together(() => ({
      present: readPresent(connection, new Replica(connection), { farmSeconds: now, unixSeconds: now }),
      known: knownMachines(connection),
    }));
    return tryReload(present, farm, unopenedPools(farm, dirname(path)), known);
  } finally {
    connection.close();
  }
}
