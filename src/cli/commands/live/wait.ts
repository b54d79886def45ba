import { Command } from "commander";

import { JOBS_HELP, addFarmOptions, farmOf, type JobsFlags } from "../../live/farm.ts";
import { namedOrChosen } from "../../live/chosen-names.ts";
import { addFilterOptions, type FilterFlags } from "../../live/job-filter.ts";
import { exitAs, untilOver } from "../../live/until-over.ts";
import { print } from "../../terminal.ts";

type WaitFlags = JobsFlags & FilterFlags;

export function waitCommand(): Command {
  const command = new Command("wait")
    .description("wait until jobs are over; exits with their status, that of the first that has failed")
    .argument("[job...]", `${JOBS_HELP}; or choose them by what they are:`);
  addFilterOptions(command).option("--json", "print the jobs as a JSON array");
  return addFarmOptions(command).action(async (texts: string[], flags: WaitFlags) => {
    const farm = farmOf(flags);
    // What comes later to a choice is not waited for.
    const jobs = await untilOver(farm, await namedOrChosen(farm, texts, flags));
    if (flags.json === true) await print(JSON.stringify(jobs, null, 2));
    exitAs(jobs);
  });
}
