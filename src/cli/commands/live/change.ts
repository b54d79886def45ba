import { Command, InvalidArgumentError } from "commander";

import type { JobView } from "../../../live/store/job-views.ts";
import { InputError } from "../../../workload/errors.ts";
import { addFarmOptions, farmOf, jobNames, priority as priorityOf, type JobsFlags } from "../../live/farm.ts";
import { duration } from "../../options.ts";
import { print } from "../../terminal.ts";

interface ChangeFlags extends JobsFlags {
  readonly priority?: number;
  readonly time?: number | null;
  readonly pool?: string;
}

export function changeCommand(): Command {
  const command = new Command("change")
    .description("change what waiting jobs ask for")
    .argument("<job...>", "their numbers")
    .option("--priority <0-99>", "a higher one goes first", priorityOf)
    .option("--time <time>", "how long they may run: 30m, 12h, none", timeOrNone)
    .option("--pool <name>", "they go to another pool, or to a virtual pool that chooses one")
    .option("--json", "print the jobs as a JSON array");
  return addFarmOptions(command).action(
    async (texts: string[], { priority, time, pool, json, ...server }: ChangeFlags) => {
      if (priority === undefined && time === undefined && pool === undefined)
        throw new InputError("say what to change: --priority, --time, --pool");
      const farm = farmOf(server);
      const jobs: JobView[] = [];
      for (const name of jobNames(texts))
        jobs.push(
          await farm.send<JobView>("PATCH", `/v1/jobs/${name}`, {
            ...(priority === undefined ? {} : { priority }),
            ...(time === undefined ? {} : { timeSeconds: time }),
            ...(pool === undefined ? {} : { pool }),
          }),
        );
      if (json === true) await print(JSON.stringify(jobs, null, 2));
    },
  );
}

function timeOrNone(text: string): number | null {
  if (text === "none") return null;
  const seconds = duration(text);
  if (seconds === 0) throw new InvalidArgumentError("Give a time above 0, or none.");
  return seconds;
}
