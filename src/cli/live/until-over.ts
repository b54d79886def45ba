import type { Client } from "../../live/client/client.ts";
import type { JobView } from "../../live/store/job-views.ts";
import { say } from "../terminal.ts";
import { printable } from "./farm.ts";

const LOOK_SECONDS = 30;
const OVER: readonly string[] = ["ended", "failed", "cancelled", "lost", "rejected"];

/** Waits until jobs are over, also while the farm is away. */
export async function untilOver(farm: Client, names: readonly string[]): Promise<JobView[]> {
  const jobs: JobView[] = [];
  for (const name of names) {
    let job: JobView;
    const path = `/v1/jobs/${name}?wait=${LOOK_SECONDS}`;
    do job = await farm.insist(() => farm.get<JobView>(path, LOOK_SECONDS));
    while (!OVER.includes(job.state));
    jobs.push(job);
  }
  return jobs;
}

/** Exits with the status of the first job that has failed, and says why where that was not the job's own doing. */
export function exitAs(jobs: readonly JobView[]): void {
  const failed = jobs.find((job) => statusOf(job) !== 0);
  if (failed === undefined) return;
  process.exitCode = statusOf(failed);
  if (failed.state !== "ended")
    say(`croft: job ${failed.number} is ${failed.state}: ${printable(failed.reason)}`);
}

/** As a shell has it: 128 and the signal for a job that was ended by one. */
function statusOf({ state, exitStatus, exitSignal }: JobView): number {
  if (state === "ended") return 0;
  if (exitSignal !== null) return 128 + exitSignal;
  return exitStatus === null || exitStatus === 0 ? 1 : exitStatus;
}
