import { Command } from "commander";

import { JOBS_HELP, addFarmOptions, farmOf, jobNames, type JobsFlags } from "../../live/farm.ts";
import type { Client } from "../../../live/client/client.ts";
import type { JobView } from "../../../live/store/job-views.ts";
import { areNamed } from "../../live/chosen-jobs.ts";
import { addFilterOptions, filterQuery, type FilterFlags } from "../../live/job-filter.ts";
import { liveStatuses } from "../../live/exit-status.ts";
import { exitAs, untilOver } from "../../live/until-over.ts";
import { print, say } from "../../terminal.ts";

type WaitFlags = JobsFlags & FilterFlags;

export function waitCommand(): Command {
  const command = new Command("wait")
    .description("wait until jobs are over; exits with their status, that of the first that has failed")
    .argument("[job...]", `${JOBS_HELP}; or choose them by what they are:`);
  addFilterOptions(command).option("--json", "print the jobs as a JSON array");
  return addFarmOptions(command).action(async (texts: string[], flags: WaitFlags) => {
    const farm = farmOf(flags);
    const names = areNamed(texts, flags) ? jobNames(texts) : await chosenNames(farm, flags);
    const jobs = await untilOver(farm, names);
    if (flags.json === true) await print(JSON.stringify(jobs, null, 2));
    exitAs(jobs);
  });
}

/** Of a page: no more than a request takes. */
const PAGE = 10_000;

/** The jobs of a choice as it is now: what comes later is not waited for. */
async function chosenNames(farm: Client, flags: FilterFlags): Promise<string[]> {
  const names: string[] = [];
  const query = filterQuery(flags);
  query.set("limit", String(PAGE));
  for (let above = 0; ;) {
    query.set("above", String(above));
    const page = await farm.get<JobView[]>(`/v1/jobs?${query.toString()}`);
    for (const { number } of page) names.push(String(number));
    const last = page.at(-1);
    if (last === undefined) break;
    above = last.number;
  }
  if (names.length > 0) return names;
  say("croft: no job is of that choice");
  // That no job is in a state any more is what somebody may wait for; that there is none at all hardly is.
  if (flags.state === undefined) process.exitCode = liveStatuses.notThere[0];
  return names;
}
