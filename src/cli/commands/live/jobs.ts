import { Command, Option } from "commander";

import type { ServerFlags } from "../../../live/client/client.ts";
import { sortKeys } from "../../../live/store/sort-keys.ts";
import type { ListedJob } from "../../../live/reader/tasks.ts";
import { addFarmOptions, farmOf } from "../../live/farm.ts";
import { jobTable } from "../../live/job-text.ts";
import { addFilterOptions, filterQuery, type FilterFlags } from "../../live/job-filter.ts";
import { watch } from "../../live/watch.ts";
import { positiveInteger, wholeNumber } from "../../options.ts";
import { print } from "../../terminal.ts";

interface JobsFlags extends ServerFlags, FilterFlags {
  readonly limit?: number;
  readonly afterNumber?: number;
  readonly sort?: string;
  readonly watch?: true;
  readonly json?: true;
}

/** The last so many, of more than a farm lists at once. */
const LISTED = 1000;
/** Of the table: its titles. */
const HEAD_ROWS = 1;

export function jobsCommand(): Command {
  const command = new Command("jobs").description("list the jobs of a farm, the last ones");
  addFilterOptions(command)
    .option(
      "--limit <number>",
      "the last so many (1000), or the first with --sort or --after-number",
      positiveInteger,
    )
    .option("--after-number <job>", "the jobs after this one in the order: the next page", wholeNumber)
    .addOption(
      new Option(
        "--sort <key>",
        "from the first on by this; with - before it from the last: --sort=-ended",
      ).choices(sortKeys.flatMap((key) => [key, `-${key}`])),
    )
    .addOption(new Option("--watch", "show them again every second, on the terminal").conflicts("json"))
    .option("--json", "as a JSON array");
  return addFarmOptions(command).action(async (flags: JobsFlags) => {
    const { limit = LISTED, afterNumber, sort } = flags;
    const query = filterQuery(flags);
    if (afterNumber !== undefined) query.set("above", String(afterNumber));
    if (sort !== undefined) query.set("sort", sort);
    const farm = farmOf(flags);
    const list = (most: number): Promise<ListedJob[]> => {
      query.set("limit", String(Math.max(1, Math.min(limit, most))));
      return farm.get<ListedJob[]>(`/v1/jobs?${query.toString()}`);
    };
    const shown = async (most: number): Promise<string> => jobTable(await list(most), farm.unixMilliseconds);
    if (flags.watch === true) return watch((rows) => farm.insist(() => shown(rows - HEAD_ROWS)));
    await print(flags.json === true ? JSON.stringify(await list(limit), null, 2) : await shown(limit));
  });
}
