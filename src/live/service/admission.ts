import { limitsFor, limitText } from "../../simulation/index.ts";
import type { Connection } from "../store/connection.ts";
import { requestText, type JobRequest } from "../store/job-request.ts";
import { accountsOfJobs } from "./accounts.ts";
import type { Books, LiveJob } from "./books.ts";
import type { PlainFarm } from "./plain-farm.ts";
import { Refusal } from "../refusal.ts";
import type { Requirements } from "./requirements.ts";

type Limit = NonNullable<PlainFarm["limits"]>[number];
type Applied = ReturnType<typeof limitsFor>[number];

/** The jobs of a submission for which a limit holds. */
interface Asked {
  readonly limit: Applied;
  jobs: number;
  bytes: number;
}

/** What is stored of a job. Jobs of one environment share it. */
export interface Stored {
  /** Of its request. */
  readonly bytes: number;
  readonly environment: number;
  readonly environmentBytes: number;
}

const MIB = 1024 * 1024;

/** The farm's limits of what may be submitted: of the jobs that wait, of what is stored of them, and of one submission. */
export class Admission {
  private readonly limits: readonly Limit[];
  /**
   * By limit: the jobs that wait, or have waited. Those that do not wait any more are taken out when they are counted,
   * so that nobody else has to tell.
   */
  private readonly waiting = new Map<string, Map<LiveJob, Stored>>();

  constructor({ limits = [] }: PlainFarm, books: Books, database: Connection, requirements: Requirements) {
    this.limits = limits.filter((limit) => limit.jobsAtOnce !== null || isOfWaiting(limit));
    if (this.limits.length === 0) return;
    const accountOf = accountsOfJobs(database, requirements);
    for (const job of books.jobs.values())
      if (waits(job))
        this.note(job, requirements.accounts.of(accountOf(job.number)), storedOf(database, job.number));
  }

  /**
   * @param environment of all of them
   * @throws Refusal where a limit would be exceeded by all of these jobs together
   */
  check(user: string, jobs: readonly JobRequest[], environment: Readonly<Record<string, string>>): void {
    if (this.limits.length === 0) return;
    const asked = new Map<string, Asked>();
    for (const job of jobs) {
      const { group, project } = job;
      for (const limit of limitsFor(this.limits, { user, group, project })) {
        const key = keyOf(limit);
        const known = asked.get(key) ?? { limit, jobs: 0, bytes: 0 };
        known.jobs++;
        if (limit.storedMiB !== undefined) known.bytes += requestText(job).length;
        asked.set(key, known);
      }
    }
    for (const [key, { limit, jobs: count, bytes }] of asked) {
      const { jobsAtOnce, waitingJobs, storedMiB } = limit;
      const text = limitText(limit);
      if (jobsAtOnce !== null && count > jobsAtOnce)
        throw new Refusal(409, `above ${text} of ${counted(jobsAtOnce)} at once: these are ${count}`);
      if (!isOfWaiting(limit)) continue;
      const present = this.present(key);
      if (waitingJobs !== null && present.jobs + count > waitingJobs)
        throw new Refusal(
          409,
          `above ${text} of ${counted(waitingJobs, "waiting ")}: ${present.jobs} ${present.jobs === 1 ? "waits" : "wait"}, and ${count === 1 ? "this would be one more" : `these would be ${count} more`}`,
        );
      if (storedMiB === undefined) continue;
      const more = bytes + JSON.stringify(environment).length;
      if (present.bytes + more > storedMiB * MIB)
        throw new Refusal(
          409,
          `above ${text} of ${inMiB(storedMiB * MIB)} that are stored of jobs that wait: theirs take ${inMiB(present.bytes)}, and ${count === 1 ? "this" : "these"} with the environment ${inMiB(more)}`,
        );
    }
  }

  /** A job waits from now on. */
  note(job: LiveJob, account: Parameters<typeof limitsFor>[1], stored: Stored): void {
    for (const limit of limitsFor(this.limits, account)) {
      if (!isOfWaiting(limit)) continue;
      const key = keyOf(limit);
      const jobs = this.waiting.get(key) ?? new Map<LiveJob, Stored>();
      this.waiting.set(key, jobs.set(job, stored));
    }
  }

  private present(key: string): { readonly jobs: number; readonly bytes: number } {
    const jobs = this.waiting.get(key) ?? new Map<LiveJob, Stored>();
    const environments = new Set<number>();
    let bytes = 0;
    for (const [job, { bytes: own, environment, environmentBytes }] of jobs) {
      if (!waits(job)) {
        jobs.delete(job);
        continue;
      }
      bytes += own + (environments.has(environment) ? 0 : environmentBytes);
      environments.add(environment);
    }
    return { jobs: jobs.size, bytes };
  }
}

function storedOf(database: Connection, job: number): Stored {
  const row = database.get(
    `SELECT length(request) AS bytes, environment,
       (SELECT length(text) FROM environment WHERE id = job.environment) AS environment_bytes
     FROM job WHERE number = ?`,
    job,
  )!;
  return {
    bytes: Number(row["bytes"]),
    environment: Number(row["environment"]),
    environmentBytes: Number(row["environment_bytes"]),
  };
}

function keyOf({ of, name }: Applied): string {
  return `${of} ${name}`;
}

function isOfWaiting({ waitingJobs, storedMiB }: Pick<Limit, "waitingJobs" | "storedMiB">): boolean {
  return waitingJobs !== null || storedMiB !== undefined;
}

function waits({ state }: LiveJob): boolean {
  return state === "waiting" || state === "held";
}

function counted(count: number, what = ""): string {
  return `${count} ${what}job${count === 1 ? "" : "s"}`;
}

function inMiB(bytes: number): string {
  return bytes < MIB ? `${Math.ceil(bytes / 1024)} KiB` : `${Number((bytes / MIB).toFixed(1))} MiB`;
}
