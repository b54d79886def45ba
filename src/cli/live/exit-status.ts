import { FarmError } from "../../live/client/farm-error.ts";
import { InputError } from "../../workload/errors.ts";
import { wrap } from "../../workload/wrap.ts";
import type { JobDetails } from "./job-text.ts";

/**
 * How commands end that ask a farm, for scripts. A job may end with any status, and few programs end with those from 110
 * on. The page docs/live/submit.md has the same lines.
 */
export const liveStatuses = {
  done: [0, "it was done; of jobs that were waited for, all ended with status 0"],
  job: [
    1,
    "up to 255: the job's own, from `submit --wait`, `submit --follow` and `wait`; 128 and the signal's number where a signal ended it. Nothing else ends with 1",
  ],
  usage: [2, "the command was called wrongly"],
  noFarm: [
    110,
    "no farm answers, it was away for too long, or it can write nothing at present (a full disk)",
  ],
  notThere: [
    111,
    "there is no such job, machine or token; `wait`, `logs` and `job` find no job of a choice that names no `--state`",
  ],
  refused: [112, "refused: you may not, or it cannot be done as things stand"],
  cancelled: [113, "the job that was waited for is `cancelled`"],
  rejected: [114, "the job is `rejected`: no pool could ever hold it"],
  lost: [115, "the job is `lost`: its machine went away under it"],
  endedByFarm: [
    116,
    "the job was ended for its time, its memory, its cores or its output, or from outside the farm, or it could not be started; whatever status it left",
  ],
  other: [117, "something else went wrong"],
} as const satisfies Record<string, readonly [status: number, meaning: string]>;

/** For `--help`. */
export const EXIT_STATUS_HELP = [
  "",
  "Exit status, where a farm is asked:",
  ...Object.values(liveStatuses).flatMap(([status, meaning]) => {
    const [first, ...rest] = wrap(meaning.replaceAll("`", ""), 73);
    return [`${String(status).padStart(5)}  ${first}`, ...rest.map((line) => `       ${line}`)];
  }),
].join("\n");

/** Of a command that asks a farm. */
export function statusOfError(error: unknown): number {
  if (error instanceof InputError) return liveStatuses.usage[0];
  return error instanceof FarmError ? statusOfAnswer(error.status) : liveStatuses.other[0];
}

/** @param status as HTTP has it; 0: nothing was answered */
export function statusOfAnswer(status: number): number {
  switch (status) {
    case 0:
    // Of a service that stops, or of a proxy in front of one that is away.
    case 502:
    case 503:
    case 504:
      return liveStatuses.noFarm[0];
    case 404:
      return liveStatuses.notThere[0];
    default:
      return liveStatuses[status < 500 ? "refused" : "other"][0];
  }
}

/** Of a job that is over. */
export function statusOfJob({ state, exitStatus, exitSignal, attempts }: JobDetails): number {
  if (state === "ended") return liveStatuses.done[0];
  if (state !== "failed")
    return liveStatuses[state === "cancelled" || state === "lost" ? state : "rejected"][0];
  const outcome = attempts.at(-1)?.outcome ?? null;
  if (outcome?.kind !== "exited" || outcome.cause !== "itself") return liveStatuses.endedByFarm[0];
  // As a shell has it.
  return exitStatus ?? (exitSignal === null ? liveStatuses.other[0] : 128 + exitSignal);
}
