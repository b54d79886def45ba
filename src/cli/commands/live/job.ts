import { Command } from "commander";

import { JOBS_HELP, addFarmOptions, eachJob, farmOf, jobNames, type JobsFlags } from "../../live/farm.ts";
import { jobText, type JobDetails } from "../../live/job-text.ts";
import { print } from "../../terminal.ts";

export function jobCommand(): Command {
  const command = new Command("job")
    .description("tell all about jobs of a farm")
    .argument("<job...>", JOBS_HELP)
    .option("--json", "as JSON: an object for one job, an array for several");
  return addFarmOptions(command).action(async (texts: string[], flags: JobsFlags) => {
    const farm = farmOf(flags);
    const jobs = await eachJob(texts, (name) => farm.get<JobDetails>(`/v1/jobs/${name}`));
    if (jobs.length === 0) return;
    if (flags.json === true)
      await print(JSON.stringify(jobNames(texts).length === 1 ? jobs[0] : jobs, null, 2));
    else await print(jobs.map((job) => jobText(job, farm.unixMilliseconds)).join("\n\n"));
  });
}
