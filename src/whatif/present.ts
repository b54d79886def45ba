import type { PlainDecision, Port } from "../core/index.ts";
import { Course, type Coming, type Run } from "../forecast/index.ts";
import type { Connection } from "../live/store/connection.ts";
import { replayPast, type Replayed } from "./replay.ts";

/** What runs on a farm, and how long its jobs are expected to run. */
export interface Present extends Replayed {
  readonly now: number;
  readonly runs: ReadonlyMap<number, Run>;
  /** How long a job that has not started is expected to run. */
  readonly runSecondsOf: (job: number) => number;
  /** The number of a job's user. */
  readonly users: ReadonlyMap<number, string>;
  readonly firstNumber: number;
  /** Answers that the decision engine still waits for, as if all went well. */
  readonly answers: readonly Answer[];
}

interface Answer {
  readonly type: "started" | "suspended" | "resumed" | "killed";
  readonly job: number;
  readonly attempt: number;
  readonly decision: number;
}

/** Where nothing is known of a farm's run times. */
const UNKNOWN_SECONDS = 3600;

/** @param unixSeconds now; the farm's clock may be ahead of it */
export function readPresent(connection: Connection, unixSeconds: number): Present {
  const replayed = replayPast(connection, "snapshot");
  const now = Math.max(unixSeconds, replayed.at);
  const usual = usualSeconds(connection);
  const limits = new Map<number, number>();
  const users = new Map<number, string>();
  let highest = 0;
  for (const [number, user, time] of connection.iterateArrays(
    "SELECT number, user, time_seconds FROM job WHERE ended_at IS NULL",
  )) {
    users.set(Number(number), String(user));
    if (time !== null) limits.set(Number(number), Number(time));
  }
  highest = Number(connection.get("SELECT max(number) AS last FROM job")?.["last"] ?? 0);
  const twins = new Map(
    connection
      .all("SELECT engine_job, job FROM twin")
      .map(({ engine_job, job }) => [Number(engine_job), Number(job)]),
  );
  const runSecondsOf = (engineJob: number): number => {
    const job = twins.get(engineJob) ?? engineJob;
    return Math.min(limits.get(job) ?? Infinity, usual(users.get(job) ?? ""));
  };
  const runs = new Map<number, Run>();
  const answers: Answer[] = [];
  for (const row of connection.all("SELECT * FROM attempt WHERE outcome IS NULL")) {
    const [job, attempt, decision] = [row["engine_job"], row["engine_attempt"], row["decision"]].map(
      Number,
    ) as [number, number, number];
    const intent = row["intent"];
    if (intent === "start") answers.push({ type: "started", job, attempt, decision });
    if (intent === "suspend") answers.push({ type: "suspended", job, attempt, decision });
    if (intent === "resume") answers.push({ type: "resumed", job, attempt, decision });
    if (intent === "end") answers.push({ type: "killed", job, attempt, decision });
    const since = row["started_at"] === null ? now : Math.min(now, Number(row["started_at"]));
    const done = now - since;
    // It has run longer than it should have: it goes on to its limit, or for as long again.
    const limit = limits.get(twins.get(job) ?? job) ?? Infinity;
    const expected = runSecondsOf(job);
    const total = expected > done ? expected : Number.isFinite(limit) && limit > done ? limit : 2 * done + 60;
    const isStopped = row["state"] === "suspended" || intent === "suspend";
    runs.set(job, { runSeconds: total, doneSeconds: done, sinceSeconds: isStopped ? NaN : now, attempt });
  }
  return { ...replayed, now, runs, runSecondsOf, users, firstNumber: highest + 1, answers };
}

/** How long a user's jobs have run on average; the farm's where a user has none. */
function usualSeconds(connection: Connection): (user: string) => number {
  const means = new Map<string, number>();
  let [sum, count] = [0, 0];
  const sql = `SELECT user, avg(ended_at - started_at) AS mean, count(*) AS jobs FROM job
    WHERE ended_at IS NOT NULL AND started_at IS NOT NULL GROUP BY user`;
  for (const { user, mean, jobs } of connection.all(sql)) {
    means.set(String(user), Math.max(1, Number(mean)));
    sum += Number(mean) * Number(jobs);
    count += Number(jobs);
  }
  const all = count === 0 ? UNKNOWN_SECONDS : Math.max(1, sum / count);
  return (user) => means.get(user) ?? all;
}

/** Lets the farm run on from now, with what its engine decides. */
export class Onward {
  readonly course: Course;
  /** What was decided since the last `take`. */
  private decisions: PlainDecision[] = [];

  /** @param port a fork, which nothing else drives */
  constructor(
    port: Port,
    { now, runs, runSecondsOf, firstNumber, answers }: Present,
    coming: Iterable<Coming> = [],
  ) {
    const apply = port.apply.bind(port);
    for (const answer of answers) apply({ ...answer, at: now });
    port.apply = (event) => {
      const answer = apply(event);
      this.decisions.push(...answer.decisions);
      return answer;
    };
    this.course = new Course({
      port,
      now,
      runs,
      runSecondsOf,
      coming: coming[Symbol.iterator](),
      firstNumber,
    });
  }

  /** All that is decided at this moment. */
  decideNow(): PlainDecision[] {
    const { course } = this;
    const { now } = course;
    do course.step();
    while (course.nextSeconds <= now);
    return this.decisions.splice(0);
  }

  /** Goes on to a time, at most so many instants. Returns whether it got there. */
  goOn(until: number, most: number): boolean {
    const { course } = this;
    for (let steps = 0; course.nextSeconds <= until; steps++) {
      if (steps >= most) return false;
      course.step();
      this.decisions.length = 0;
    }
    return true;
  }
}
