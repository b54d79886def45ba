import { Command } from "commander";

import type { JobView } from "../../../live/store/job-views.ts";
import { addFarmOptions, eachJob, farmOf, type JobsFlags } from "../../live/farm.ts";
import { print } from "../../terminal.ts";

/** Commands that do one thing to each job that is named. */
export type Act = "cancel" | "hold" | "release" | "suspend" | "resume" | "rerun";

const summaries: Readonly<Record<Act, string>> = {
  cancel: "cancel jobs, and end those that run",
  hold: "keep waiting jobs from starting",
  release: "release held jobs, so that they can start",
  suspend: "stop running jobs; they keep their cores and memory",
  resume: "resume jobs that were suspended by hand",
  rerun: "submit jobs again as they were; prints the new numbers",
};

export function actCommand(act: Act): Command {
  const command = new Command(act)
    .description(summaries[act])
    .argument("<job...>", "their numbers, or ranges such as 12-20")
    .option("--json", "print the jobs as a JSON array");
  return addFarmOptions(command).action(async (texts: string[], flags: JobsFlags) => {
    const farm = farmOf(flags);
    const jobs = await eachJob(texts, (name) => {
      const path = `/v1/jobs/${name}/${act}`;
      return act === "rerun"
        ? farm.sendOnce<JobView>(path, undefined, null)
        : farm.send<JobView>("POST", path);
    });
    if (flags.json === true) await print(JSON.stringify(jobs, null, 2));
    else if (act === "rerun" && jobs.length > 0) await print(jobs.map(({ number }) => number).join("\n"));
  });
}
