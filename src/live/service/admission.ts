import { limitsFor, limitText } from "../../simulation/index.ts";
import type { Connection } from "../store/connection.ts";
import { accountsOfJobs } from "./accounts.ts";
import type { Books, LiveJob } from "./books.ts";
import type { JobRequest } from "../store/job-request.ts";
import type { PlainFarm } from "./plain-farm.ts";
import { Refusal } from "../refusal.ts";
import type { Requirements } from "./requirements.ts";

/** The jobs of a submission for which a limit holds. */
interface Asked {
  readonly text: string;
  readonly waitingJobs: number | null;
  readonly jobsAtOnce: number | null;
  jobs: number;
}

/** The farm's limits of what may be submitted: of the jobs that wait, and of one submission. */
export class Admission {
  private readonly limits: NonNullable<PlainFarm["limits"]>;
  /**
   * By limit: the jobs that wait, or have waited. Those that do not wait any more are taken out when they are counted,
   * so that nobody else has to tell.
   */
  private readonly waiting = new Map<string, Set<LiveJob>>();

  constructor({ limits = [] }: PlainFarm, books: Books, database: Connection, requirements: Requirements) {
    this.limits = limits.filter(({ waitingJobs, jobsAtOnce }) => waitingJobs !== null || jobsAtOnce !== null);
    if (this.limits.length === 0) return;
    const accountOf = accountsOfJobs(database, requirements);
    for (const job of books.jobs.values())
      if (waits(job)) this.note(job, requirements.accounts.of(accountOf(job.number)));
  }

  /** @throws Refusal where a limit would be exceeded by all of these jobs together */
  check(user: string, jobs: readonly JobRequest[]): void {
    if (this.limits.length === 0) return;
    const asked = new Map<string, Asked>();
    for (const { group, project } of jobs)
      for (const { of, name, waitingJobs, jobsAtOnce } of limitsFor(this.limits, { user, group, project })) {
        const key = `${of} ${name}`;
        const known = asked.get(key);
        if (known !== undefined) known.jobs++;
        else asked.set(key, { text: limitText({ of, name }), jobs: 1, waitingJobs, jobsAtOnce });
      }
    for (const [key, { text, jobs: count, waitingJobs, jobsAtOnce }] of asked) {
      if (jobsAtOnce !== null && count > jobsAtOnce)
        throw new Refusal(409, `above ${text} of ${counted(jobsAtOnce)} at once: these are ${count}`);
      if (waitingJobs === null) continue;
      const present = this.count(key);
      if (present + count > waitingJobs)
        throw new Refusal(
          409,
          `above ${text} of ${counted(waitingJobs, "waiting ")}: ${present} wait, and ${count === 1 ? "this would be one more" : `these would be ${count} more`}`,
        );
    }
  }

  /** A job waits from now on. */
  note(job: LiveJob, account: Parameters<typeof limitsFor>[1]): void {
    for (const { of, name, waitingJobs } of limitsFor(this.limits, account)) {
      if (waitingJobs === null) continue;
      const key = `${of} ${name}`;
      const jobs = this.waiting.get(key) ?? new Set();
      this.waiting.set(key, jobs);
      jobs.add(job);
    }
  }

  private count(key: string): number {
    const jobs = this.waiting.get(key);
    if (jobs === undefined) return 0;
    for (const job of jobs) if (!waits(job)) jobs.delete(job);
    return jobs.size;
  }
}

function waits({ state }: LiveJob): boolean {
  return state === "waiting" || state === "held";
}

function counted(count: number, what = ""): string {
  return `${count} ${what}job${count === 1 ? "" : "s"}`;
}
