import { Command } from "commander";

import { DEFAULT_PRIORITY } from "../../../live/limits.ts";
import { counted } from "../../../report/index.ts";
import { fits, openPast, readPresent, type Fits } from "../../../whatif/index.ts";
import { memory, priority } from "../../live/farm.ts";
import { duration, positive, positiveInteger } from "../../options.ts";
import { print } from "../../terminal.ts";
import { addDataOption, databaseOf, type DataFlags } from "../../whatif/data.ts";

interface FitsFlags extends DataFlags {
  readonly cores: number;
  readonly memory: number;
  readonly gpus?: number;
  readonly tasks: number;
  readonly time?: number;
  readonly priority: number;
  readonly requires: string;
  readonly pool?: string;
  readonly group: string;
  readonly count: number;
  readonly json?: true;
}

const HOUR_SECONDS = 3600;
const within = [
  { name: "now", seconds: 0 },
  { name: "within 12 hours", seconds: 12 * HOUR_SECONDS },
  { name: "within 7 days", seconds: 168 * HOUR_SECONDS },
] as const;

export function fitsCommand(): Command {
  const command = new Command("fits")
    .description("how many such jobs would start now, in 12 hours, in a week")
    .option("--cores <number>", "cores of a task", positive, 1)
    .option("--memory <amount>", "memory of a task: 512M, 4G", memory, 0)
    .option("--gpus <number>", "GPUs of a task", positive)
    .option("--tasks <number>", "tasks of a job, which start together", positiveInteger, 1)
    .option("--time <time>", "how long each runs: 2h, 30m (no end)", duration)
    .option("--priority <number>", "0 to 99", priority, DEFAULT_PRIORITY)
    .option("--requires <expression>", "what a machine must have, such as 'arch == \"arm64\"'", "")
    .option("--pool <name>", "a pool, or a virtual pool that chooses one")
    .option("--group <name>", "the group whose machines its jobs come first on", "")
    .option("--count <number>", "how many are submitted", positiveInteger, 1000)
    .option("--json", "print {never, within, nowByPool} as JSON");
  return addDataOption(command).action(run);
}

async function run(flags: FitsFlags, command: Command): Promise<void> {
  // Options that `croft whatif` has as well are taken there.
  const all = command.optsWithGlobals<FitsFlags>();
  const connection = openPast(databaseOf(all));
  try {
    const present = readPresent(connection, Date.now() / 1000);
    const { count } = flags;
    const found = fits(
      present,
      {
        cores: flags.cores,
        memoryMiB: flags.memory,
        gpus: flags.gpus ?? 0,
        tasks: flags.tasks,
        timeSeconds: flags.time ?? null,
        priority: flags.priority,
        requires: flags.requires,
        pool: flags.pool ?? null,
        group: flags.group,
      },
      count,
      within.map(({ seconds }) => seconds),
    );
    if (all.json !== true) return await print(textOf(found, count));
    const { never, started, nowByPool, isCutShort } = found;
    const times = within.map(({ seconds }, at) => ({ seconds, jobs: started[at] }));
    await print(JSON.stringify({ never, count, within: times, nowByPool, isCutShort }));
  } finally {
    connection.close();
  }
}

function textOf({ never, started, nowByPool, isCutShort }: Fits, count: number): string {
  if (never !== null) return `none, ever: ${never}`;
  const pools = Object.entries(nowByPool).map(([pool, jobs]) => `${jobs} in ${pool}`);
  return [
    ...within.map(({ name, seconds }, at) => {
      const jobs = started[at]!;
      const where = seconds === 0 && pools.length > 1 ? ` (${pools.join(", ")})` : "";
      return `${name}: ${jobs === count ? `all ${counted(count, "job")} (--count asks for more)` : counted(jobs, "job")}${where}`;
    }),
    "if jobs run as long as their users' usually do, and nothing else comes",
    ...(isCutShort ? ["the look ahead was cut short: too much is decided in a week of this farm"] : []),
  ].join("\n");
}
