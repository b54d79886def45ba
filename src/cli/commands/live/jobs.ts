import { Command } from "commander";

import type { ServerFlags } from "../../../live/client/client.ts";
import type { JobView } from "../../../live/store/job-views.ts";
import { addFarmOptions, farmOf } from "../../live/farm.ts";
import { jobTable } from "../../live/job-text.ts";
import { names, positiveInteger } from "../../options.ts";
import { print } from "../../terminal.ts";

interface JobsFlags extends ServerFlags {
  readonly user?: string;
  readonly state?: readonly string[];
  readonly pool?: string;
  readonly name?: string;
  readonly limit?: number;
  readonly json?: true;
}

export function jobsCommand(): Command {
  const command = new Command("jobs")
    .description("list the jobs of a farm, the last ones")
    .option("--user <name>", "only this user's")
    .option(
      "--state <states>",
      "only in these states: waiting, held, running, suspended, ended, failed, …",
      names,
    )
    .option("--pool <name>", "only in this pool")
    .option("--name <name>", "only of this name")
    .option("--limit <number>", "the last so many (1000)", positiveInteger)
    .option("--json", "as a JSON array");
  return addFarmOptions(command).action(
    async ({ user, state, pool, name, limit, json, ...server }: JobsFlags) => {
      const query = new URLSearchParams();
      if (user !== undefined) query.set("user", user);
      if (state !== undefined) query.set("state", state.join(","));
      if (pool !== undefined) query.set("pool", pool);
      if (name !== undefined) query.set("name", name);
      if (limit !== undefined) query.set("limit", String(limit));
      const farm = farmOf(server);
      const jobs = await farm.get<JobView[]>(`/v1/jobs?${query.toString()}`);
      await print(json === true ? JSON.stringify(jobs, null, 2) : jobTable(jobs, farm.unixMilliseconds));
    },
  );
}
