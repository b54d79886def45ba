import { Command } from "commander";

import type { ServerFlags } from "../../../live/client/client.ts";
import { fits, type Fits, type Wanted } from "../../../live/replica/fits.ts";
import { readPresent } from "../../../live/replica/present.ts";
import { Replica } from "../../../live/replica/replica.ts";
import { withKind } from "../../../live/service/gpu-kind.ts";
import { jobRequest, type JobRequest } from "../../../live/store/job-request.ts";
import { openPast } from "../../../whatif/index.ts";
import { InputError } from "../../../workload/errors.ts";
import { addFarmOptions, farmOf, memory, priority } from "../../live/farm.ts";
import { fitsText } from "../../live/fits-text.ts";
import { defined, gpusOf, type AskedGpus } from "../../live/request-options.ts";
import { duration, positive, positiveInteger } from "../../options.ts";
import { print } from "../../terminal.ts";
import { databaseOf, type DataFlags } from "../../whatif/data.ts";

interface FitsFlags extends DataFlags, ServerFlags {
  readonly cores?: number;
  readonly memory?: number;
  readonly gpus?: AskedGpus;
  readonly time?: number;
  readonly priority?: number;
  readonly requires?: string;
  readonly pool?: string;
  readonly licences?: string;
  readonly project?: string;
  readonly group?: string;
  readonly tasks: number;
  readonly count: number;
  readonly json?: true;
}

export function fitsCommand(): Command {
  const command = new Command("fits")
    .description("how many such jobs would start now, in 12 hours, in a week")
    .option("--cores <number>", "cores of a task (1)", positive)
    .option("--memory <amount>", "memory of a task, such as 512M, 4G (not counted)", memory)
    .option("--gpus <number>", "GPUs of a task: 2, or of a kind a100:2 (0)", gpusOf)
    .option("--tasks <number>", "tasks of a job, which start together", positiveInteger, 1)
    .option("--time <time>", "how long each runs: 2h, 30m (no end)", duration)
    .option("--priority <number>", "0 to 99 (50)", priority)
    .option("--requires <expression>", "what a machine must have, such as 'arch == \"arm64\"'")
    .option("--pool <name>", "a pool, or a virtual pool that chooses one")
    .option("--licences <list>", "the licences of its pool that each holds while it runs: matlab=2,vcs")
    .option("--project <path>", "whose share its jobs count against, where pools have shares")
    .option("--group <name>", "the group whose machines its jobs come first on")
    .option("--count <number>", "how many are submitted", positiveInteger, 1000)
    .option("--json", "print {never, count, within, nowByPool, isCutShort} as JSON");
  return addFarmOptions(command)
    .option("--data <folder>", "a data folder, or a backup, to read instead: no farm is asked")
    .action(run);
}

async function run(flags: FitsFlags, command: Command): Promise<void> {
  // Options that `croft whatif` has as well are taken there.
  const { data, json } = command.optsWithGlobals<FitsFlags>();
  const { tasks, count, cores, memory: memoryMiB, gpus, time: timeSeconds } = flags;
  const { priority: urgency, requires, pool, licences, project, group } = flags;
  const job = { cores, memoryMiB, timeSeconds, priority: urgency, requires, pool };
  const asked = { ...job, licences, project, group };
  const request = defined(asked) as Partial<JobRequest>;
  let found: Fits;
  if (data === undefined)
    found = await farmOf(flags).send<Fits>("POST", "/v1/fits", { ...request, ...gpus, tasks, count });
  else if (flags.server !== undefined || flags.socket !== undefined)
    throw new InputError(
      "--data reads the files of a farm, and --server and --socket ask one: give one of them",
    );
  else {
    const { gpus: number = 0, gpuKind } = gpus ?? {};
    const kind = gpuKind === undefined ? {} : { requires: withKind(requires ?? "", gpuKind) };
    found = fitsIn(data, {
      request: jobRequest(["job"], { ...request, gpus: number, ...kind }),
      tasks,
      count,
    });
  }
  await print(json === true ? JSON.stringify(found) : fitsText(found, timeSeconds !== undefined));
}

/** From files, of a backup too. */
function fitsIn(data: string, wanted: Wanted): Fits {
  const connection = openPast(databaseOf({ data }));
  try {
    const now = Date.now() / 1000;
    const present = connection.together(() =>
      readPresent(connection, new Replica(connection), { farmSeconds: now, unixSeconds: now }),
    );
    return fits(present, wanted);
  } finally {
    connection.close();
  }
}
