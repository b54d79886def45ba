import { Command } from "commander";

import { JOBS_HELP, addFarmOptions, eachJob, farmOf, type JobsFlags } from "../../live/farm.ts";
import { namedOrChosen } from "../../live/chosen-names.ts";
import { addFilterOptions, type FilterFlags } from "../../live/job-filter.ts";
import { jobText, type JobDetails } from "../../live/job-text.ts";
import { print } from "../../terminal.ts";

export function jobCommand(): Command {
  const command = new Command("job")
    .description("tell all about jobs of a farm")
    .argument("[job...]", `${JOBS_HELP}; or choose them by what they are:`);
  addFilterOptions(command).option("--json", "as JSON: an object for one job that is named, else an array");
  return addFarmOptions(command).action(async (texts: string[], flags: JobsFlags & FilterFlags) => {
    const farm = farmOf(flags);
    const names = await namedOrChosen(farm, texts, flags);
    const jobs = await eachJob(names, (name) => farm.get<JobDetails>(`/v1/jobs/${name}`));
    if (jobs.length === 0 && texts.length > 0) return;
    if (flags.json === true)
      await print(JSON.stringify(texts.length > 0 && names.length === 1 ? jobs[0] : jobs, null, 2));
    else await print(jobs.map((job) => jobText(job, farm.unixMilliseconds)).join("\n\n"));
  });
}
