import { Command } from "commander";

import type { JobView } from "../../../live/store/job-views.ts";
import { JOBS_HELP, addFarmOptions, farmOf, jobNames, printable, type JobsFlags } from "../../live/farm.ts";
import { print, say } from "../../terminal.ts";

const LOOK_SECONDS = 30;
const OVER: readonly string[] = ["ended", "failed", "cancelled", "lost", "rejected"];

export function waitCommand(): Command {
  const command = new Command("wait")
    .description("wait until jobs are over; exits with their status, that of the first that has failed")
    .argument("<job...>", JOBS_HELP)
    .option("--json", "print the jobs as a JSON array");
  return addFarmOptions(command).action(async (texts: string[], flags: JobsFlags) => {
    const farm = farmOf(flags);
    const jobs: JobView[] = [];
    for (const name of jobNames(texts)) {
      let job: JobView;
      const path = `/v1/jobs/${name}?wait=${LOOK_SECONDS}`;
      do job = await farm.insist(() => farm.get<JobView>(path, LOOK_SECONDS));
      while (!OVER.includes(job.state));
      jobs.push(job);
    }
    if (flags.json === true) await print(JSON.stringify(jobs, null, 2));
    const failed = jobs.find((job) => statusOf(job) !== 0);
    if (failed === undefined) return;
    process.exitCode = statusOf(failed);
    if (failed.state !== "ended")
      say(`croft: job ${failed.number} is ${failed.state}: ${printable(failed.reason)}`);
  });
}

/** As a shell has it: 128 and the signal for a job that was ended by one. */
function statusOf({ state, exitStatus, exitSignal }: JobView): number {
  if (state === "ended") return 0;
  if (exitSignal !== null) return 128 + exitSignal;
  return exitStatus === null || exitStatus === 0 ? 1 : exitStatus;
}
