import type { PlainDecision, Port } from "../../core/index.ts";
import {
  Course,
  expectedSeconds,
  type Coming,
  type HeldJob,
  type JobTraits,
  type LimitedArray,
  type Run,
} from "../../forecast/index.ts";
import { storedRequirements, type Requirements } from "../service/requirements.ts";
import type { Connection } from "../store/connection.ts";
import { forFailures, heldJobs, limitedArrays } from "./held-jobs.ts";
import { arrivalsOf, twinsOf, type Instant, type Replica } from "./replica.ts";
import { learntRunTimes, traitsOfRow, UNKNOWN_TRAITS } from "./run-times.ts";

/** What runs on a farm, and how long its jobs are expected to run. */
export interface Present {
  readonly connection: Connection;
  readonly replica: Replica;
  /** What jobs have asked for, to which more can be added: the replica's own has the farm's numbers. */
  readonly requirements: Requirements;
  /** The farm's time. */
  readonly now: number;
  readonly runs: ReadonlyMap<number, Run>;
  readonly arrivals: ReadonlyMap<number, number>;
  readonly twins: ReadonlyMap<number, number>;
  /** Held jobs that the farm releases by itself. */
  readonly held: readonly HeldJob[];
  readonly arrays: readonly LimitedArray[];
  /** How long a job that has not started is expected to run. */
  readonly runSecondsOf: (job: number) => number;
  /** The users of the jobs that are not over, by number. */
  readonly users: ReadonlyMap<number, string>;
}

/** @param instant the farm's clock may be ahead of it */
export function readPresent(connection: Connection, replica: Replica, instant: Instant): Present {
  return connection.together(() => {
    replica.follow();
    return presentOf(connection, replica, instant);
  });
}

function presentOf(connection: Connection, replica: Replica, { farmSeconds, unixSeconds }: Instant): Present {
  const now = Math.max(farmSeconds, replica.now);
  const runTimes = learntRunTimes(connection);
  const traits = new Map<number, JobTraits>();
  const users = new Map<number, string>();
  for (const row of connection.iterate(
    "SELECT number, user, name, time_seconds FROM job WHERE ended_at IS NULL",
  )) {
    users.set(Number(row["number"]), String(row["user"]));
    traits.set(Number(row["number"]), traitsOfRow(row));
  }
  const twins = twinsOf(connection);
  const expected = (engineJob: number, elapsed: number): number =>
    expectedSeconds(runTimes, traits.get(twins.get(engineJob) ?? engineJob) ?? UNKNOWN_TRAITS, elapsed);
  const runs = new Map<number, Run>();
  for (const row of connection.all(
    `SELECT engine_job, engine_attempt, intent, state, started_at, suspended_seconds, suspended_at
       FROM attempt WHERE outcome IS NULL`,
  )) {
    const job = Number(row["engine_job"]);
    const at = (column: string): number =>
      row[column] === null ? now : Math.min(now, Number(row[column]) - (unixSeconds - farmSeconds));
    const done = Math.max(0, at("suspended_at") - at("started_at") - Number(row["suspended_seconds"]));
    // By the farm, or by hand, of which the decision engine knows nothing.
    const isStopped =
      row["suspended_at"] !== null || row["state"] === "suspended" || row["intent"] === "suspend";
    const attempt = Number(row["engine_attempt"]);
    runs.set(job, {
      runSeconds: expected(job, done),
      doneSeconds: done,
      sinceSeconds: isStopped ? NaN : now,
      attempt,
    });
  }
  const arrivals = arrivalsOf(connection);
  const requirements = storedRequirements(connection);
  const held = heldJobs(connection, replica.port, unixSeconds - farmSeconds);
  const arrays = limitedArrays(connection, held);
  const ofFailures = forFailures(held);
  // Mostly they are cancelled, and take no room from others.
  const runSecondsOf = (job: number): number => (ofFailures.has(job) ? 0 : expected(job, 0));
  return { connection, replica, requirements, now, runs, arrivals, twins, held, arrays, runSecondsOf, users };
}

/** Lets the farm run on from now, with what its engine decides. */
export class Onward {
  readonly course: Course;
  /** What was decided since it was last asked. */
  private decisions: PlainDecision[] = [];

  /** @param port a copy, which nothing else drives */
  constructor(port: Port, present: Present, coming: Iterable<Coming> = []) {
    const { now, runs, arrivals, twins, held, arrays, runSecondsOf } = present;
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
      held,
      arrays,
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
