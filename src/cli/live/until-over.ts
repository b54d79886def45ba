import { stateText } from "../../live/store/job-states.ts";
import type { Client } from "../../live/client/client.ts";
import { say } from "../terminal.ts";
import { statusOfJob } from "./exit-status.ts";
import { printable } from "./printable.ts";
import type { JobDetails } from "./job-text.ts";

const LOOK_SECONDS = 30;
const OVER: readonly string[] = ["ended", "failed", "cancelled", "lost", "rejected"];

/** Waits until jobs are over, also while the farm is away. */
export async function untilOver(farm: Client, names: readonly string[]): Promise<JobDetails[]> {
  const jobs: JobDetails[] = [];
  for (const name of names) {
    let job: JobDetails;
    const path = `/v1/jobs/${name}?wait=${LOOK_SECONDS}`;
    do job = await farm.insist(() => farm.get<JobDetails>(path, LOOK_SECONDS));
    while (!OVER.includes(job.state));
    jobs.push(job);
  }
  return jobs;
}

/** Exits with the status of the first job that has failed, and says why where that was not the job's own doing. */
export function exitAs(jobs: readonly JobDetails[]): void {
  const failed = jobs.find((job) => statusOfJob(job) !== 0);
  if (failed === undefined) return;
  process.exitCode = statusOfJob(failed);
  if (failed.state !== "ended")
    say(`croft: job ${failed.number} ${stateText(failed.state)}: ${printable(failed.reason)}`);
}
