import { Command } from "commander";

import { JOBS_HELP, addFarmOptions, farmOf, jobNames, type JobsFlags } from "../../live/farm.ts";
import { exitAs, untilOver } from "../../live/until-over.ts";
import { print } from "../../terminal.ts";

export function waitCommand(): Command {
  const command = new Command("wait")
    .description("wait until jobs are over; exits with their status, that of the first that has failed")
    .argument("<job...>", JOBS_HELP)
    .option("--json", "print the jobs as a JSON array");
  return addFarmOptions(command).action(async (texts: string[], flags: JobsFlags) => {
    const jobs = await untilOver(farmOf(flags), jobNames(texts));
    if (flags.json === true) await print(JSON.stringify(jobs, null, 2));
    exitAs(jobs);
  });
}
