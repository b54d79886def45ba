import type { PlainDecision, Port } from "../../core/index.ts";
import { Course, type Coming, type Run } from "../../forecast/index.ts";
import { storedRequirements, type Requirements } from "../service/requirements.ts";
import type { Connection } from "../store/connection.ts";
import { arrivalsOf, twinsOf, type Instant, type Replica } from "./replica.ts";

/** What runs on a farm, and how long its jobs are expected to run. */
export interface Present {
  readonly replica: Replica;
  /** What jobs have asked for, to which more can be added: the replica's own has the farm's numbers. */
  readonly requirements: Requirements;
  /** The farm's time. */
  readonly now: number;
  readonly runs: ReadonlyMap<number, Run>;
  readonly arrivals: ReadonlyMap<number, number>;
  readonly twins: ReadonlyMap<number, number>;
  /** How long a job that has not started is expected to run. */
  readonly runSecondsOf: (job: number) => number;
  /** The users of the jobs that are not over, by number. */
  readonly users: ReadonlyMap<number, string>;
}

/** Where nothing is known of a farm's run times. */
const UNKNOWN_SECONDS = 3600;

/** @param instant the farm's clock may be ahead of it */
export function readPresent(connection: Connection, replica: Replica, instant: Instant): Present {
  return connection.together(() => {
    replica.follow();
    return presentOf(connection, replica, instant);
  });
}

function presentOf(connection: Connection, replica: Replica, { farmSeconds, unixSeconds }: Instant): Present {
  const now = Math.max(farmSeconds, replica.now);
  const usual = usualSeconds(connection);
  const limits = new Map<number, number>();
  const users = new Map<number, string>();
  for (const [number, user, time] of connection.iterateArrays(
    "SELECT number, user, time_seconds FROM job WHERE ended_at IS NULL",
  )) {
    users.set(Number(number), String(user));
    if (time !== null) limits.set(Number(number), Number(time));
  }
  const twins = twinsOf(connection);
  const runSecondsOf = (engineJob: number): number => {
    const job = twins.get(engineJob) ?? engineJob;
    return Math.min(limits.get(job) ?? Infinity, usual(users.get(job) ?? ""));
  };
  const runs = new Map<number, Run>();
  for (const row of connection.all(
    "SELECT engine_job, engine_attempt, intent, state, started_at FROM attempt WHERE outcome IS NULL",
  )) {
    const job = Number(row["engine_job"]);
    const startedAt = row["started_at"];
    const since = startedAt === null ? now : Math.min(now, Number(startedAt) - (unixSeconds - farmSeconds));
    const done = now - since;
    // It has run longer than it should have: it goes on to its limit, or for as long again.
    const limit = limits.get(twins.get(job) ?? job) ?? Infinity;
    const expected = runSecondsOf(job);
    const total = expected > done ? expected : Number.isFinite(limit) && limit > done ? limit : 2 * done + 60;
    const isStopped = row["state"] === "suspended" || row["intent"] === "suspend";
    const attempt = Number(row["engine_attempt"]);
    runs.set(job, { runSeconds: total, doneSeconds: done, sinceSeconds: isStopped ? NaN : now, attempt });
  }
  const arrivals = arrivalsOf(connection);
  const requirements = storedRequirements(connection);
  return { replica, requirements, now, runs, arrivals, twins, runSecondsOf, users };
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
  /** What was decided since it was last asked. */
  private decisions: PlainDecision[] = [];

  /** @param port a copy, which nothing else drives */
  constructor(port: Port, present: Present, coming: Iterable<Coming> = []) {
    const { now, runs, arrivals, twins, runSecondsOf } = present;
    const apply = port.apply.bind(port);
    port.apply = (event) => {
      const answer = apply(event);
      this.decisions.push(...answer.decisions);
      return answer;
    };
    this.course = new Course({
      port,
      now,
      runs,
      arrivals,
      twins,
      runSecondsOf,
      coming: coming[Symbol.iterator](),
      firstNumber: port.highest + 1,
    });
  }

  /** All that is decided at this moment. */
  decideNow(): PlainDecision[] {
    const { course } = this;
    const { now } = course;
    while (course.nextSeconds <= now) course.step();
    return this.decisions.splice(0);
  }

  /** Goes on to the next instant. */
  step(): void {
    this.course.step();
    this.decisions.length = 0;
  }
}

/**
 * Lets several go on beside each other to a time, each at most so many instants, as long as they may. Returns whether
 * they got there; if not, all have come as far.
 */
export function goOn(
  onwards: readonly Onward[],
  until: number,
  most: number,
  mayGoOn: () => boolean,
): boolean {
  for (let left = most * onwards.length; ; left--) {
    const next = onwards.reduce((a, b) => (b.course.nextSeconds < a.course.nextSeconds ? b : a));
    if (next.course.nextSeconds > until) return true;
    if (left === 0 || !mayGoOn()) return false;
    next.step();
  }
}
