import { Command, Option } from "commander";

import type { ServerFlags } from "../../../live/client/client.ts";
import type { ListedJob } from "../../../live/store/reader/tasks.ts";
import { addFarmOptions, farmOf } from "../../live/farm.ts";
import { jobTable } from "../../live/job-text.ts";
import { watch } from "../../live/watch.ts";
import { names, positiveInteger } from "../../options.ts";
import { print } from "../../terminal.ts";

interface JobsFlags extends ServerFlags {
  readonly user?: string;
  readonly state?: readonly string[];
  readonly pool?: string;
  readonly name?: string;
  readonly limit?: number;
  readonly watch?: true;
  readonly json?: true;
}

/** The last so many, of more than a farm lists at once. */
const LISTED = 1000;
/** Of the table: its titles. */
const HEAD_ROWS = 1;

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
    .addOption(new Option("--watch", "show them again every second, on the terminal").conflicts("json"))
    .option("--json", "as a JSON array");
  return addFarmOptions(command).action(
    async ({ user, state, pool, name, limit = LISTED, watch: isWatched, json, ...server }: JobsFlags) => {
      const query = new URLSearchParams();
      if (user !== undefined) query.set("user", user);
      if (state !== undefined) query.set("state", state.join(","));
      if (pool !== undefined) query.set("pool", pool);
      if (name !== undefined) query.set("name", name);
      const farm = farmOf(server);
      const list = (most: number): Promise<ListedJob[]> => {
        query.set("limit", String(Math.max(1, Math.min(limit, most))));
        return farm.get<ListedJob[]>(`/v1/jobs?${query.toString()}`);
      };
      const shown = async (most: number): Promise<string> =>
        jobTable(await list(most), farm.unixMilliseconds);
      if (isWatched === true) return watch((rows) => farm.insist(() => shown(rows - HEAD_ROWS)));
      await print(json === true ? JSON.stringify(await list(limit), null, 2) : await shown(limit));
    },
  );
}
