import { Command, InvalidArgumentError } from "commander";

import type { JobView } from "../../../live/store/job-views.ts";
import { InputError } from "../../../workload/errors.ts";
import {
  JOBS_HELP,
  addFarmOptions,
  eachJob,
  farmOf,
  memory as memoryOf,
  priority as priorityOf,
  type JobsFlags,
} from "../../live/farm.ts";
import { duration, positive } from "../../options.ts";
import { print } from "../../terminal.ts";

interface ChangeFlags extends JobsFlags {
  readonly priority?: number;
  readonly time?: number;
  readonly cores?: number;
  readonly memory?: number;
  readonly gpus?: number;
  readonly pool?: string;
}

export function changeCommand(): Command {
  const command = new Command("change")
    .description("change what waiting jobs ask for")
    .argument("<job...>", JOBS_HELP)
    .option("--priority <0-99>", "a higher one goes first", priorityOf)
    .option("--time <time>", "how long they may run: 30m, 12h, none", timeOrNone)
    .option("--cores <number>", "cores that each takes", positive)
    .option("--memory <amount>", "memory that each takes at most, such as 4G", memoryOf)
    .option("--gpus <number>", "GPUs that each takes", (text) => (text === "0" ? 0 : positive(text)))
    .option("--pool <name>", "they go to another pool, or to a virtual pool that chooses one")
    .option("--json", "print the jobs as a JSON array");
  return addFarmOptions(command).action(
    async (texts: string[], { priority, time, cores, memory, gpus, pool, json, ...server }: ChangeFlags) => {
      const change = Object.fromEntries(
        Object.entries({
          priority,
          timeSeconds: time === Infinity ? null : time,
          cores,
          memoryMiB: memory,
          gpus,
          pool,
        }).filter(([, value]) => value !== undefined),
      );
      if (Object.keys(change).length === 0)
        throw new InputError("say what to change: --priority, --time, --cores, --memory, --gpus, --pool");
      const farm = farmOf(server);
      const jobs = await eachJob(texts, (name) => farm.send<JobView>("PATCH", `/v1/jobs/${name}`, change));
      if (json === true) await print(JSON.stringify(jobs, null, 2));
    },
  );
}

/** Infinity stands for none: Commander takes null for an option without a value. */
function timeOrNone(text: string): number {
  if (text === "none") return Infinity;
  const seconds = duration(text);
  if (seconds === 0) throw new InvalidArgumentError("Give a time above 0, or none.");
  return seconds;
}
