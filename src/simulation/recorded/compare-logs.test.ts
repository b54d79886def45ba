import { describe, expect, it } from "vitest";

import type { CodedColumn, Workload } from "../../workload/index.ts";
import { workloadOf } from "../../workload/workload-of.ts";
import { compareLogs } from "./compare-logs.ts";

const DAY = 86_400;

interface Job {
  readonly wait: number;
  readonly user: string;
  readonly cores?: number;
  readonly runtime?: number;
}

/** A log of these jobs, one every so many days. */
function log(name: string, everyDays: number, jobs: readonly Job[]): Workload {
  const names = [...new Set(jobs.map(({ user }) => user))];
  const user: CodedColumn = { names, codes: Int32Array.from(jobs, (job) => names.indexOf(job.user)) };
  return workloadOf({
    name,
    submitSeconds: Float64Array.from(jobs, (_, at) => at * everyDays * DAY),
    runtimeSeconds: Float64Array.from(jobs, ({ runtime = 3600 }) => runtime),
    coresMilli: Int32Array.from(jobs, ({ cores = 1 }) => cores * 1000),
    recordedWaitSeconds: Float64Array.from(jobs, ({ wait }) => wait),
    user,
  });
}

describe("two logs", () => {
  const before = log("may", 1, [
    { wait: 100, user: "ann" },
    { wait: 300, user: "bob", cores: 4 },
    { wait: Number.NaN, user: "bob" },
    { wait: 200, user: "" },
  ]);
  const after = log("july", 2, [
    { wait: 50, user: "ann" },
    { wait: 70, user: "eve", cores: 100, runtime: 30 },
  ]);
  const comparison = compareLogs(before, after);

  it("are compared as a whole, with how much work each is", () => {
    expect(comparison.before).toMatchObject({
      name: "may",
      jobs: 3,
      jobsWithoutWait: 1,
      spanSeconds: 3 * DAY,
      jobsPerDay: 4 / 3,
      coreHoursPerDay: 7 / 3,
      waitMeanSeconds: 200,
      waitMedianSeconds: 200,
      waitMaxSeconds: 300,
    });
    expect(comparison.all).toMatchObject({
      change: 60 / 200 - 1,
      interval: null,
      judgement: "cannot be judged",
    });
    expect(comparison.noIntervalBecause).toMatch(/shorter than 14 days/);
  });

  it("are compared by user and size, with those that are in one only", () => {
    const users = comparison.users!.map((each) => [
      each.name,
      each.jobsBefore,
      each.jobsAfter,
      each.waitMeanSecondsBefore,
      each.waitMeanSecondsAfter,
    ]);
    expect(users).toEqual([
      ["ann", 1, 1, 100, 50],
      ["bob", 1, 0, 300, null],
      ["eve", 0, 1, null, 70],
    ]);
    expect(comparison.cores.map(({ name, jobsBefore, jobsAfter }) => [name, jobsBefore, jobsAfter])).toEqual([
      ["1 core or less", 2, 1],
      ["2 to 4 cores", 1, 0],
      ["65 to 256 cores", 0, 1],
    ]);
    expect(comparison.runtimes.map(({ name }) => name)).toEqual(["up to 1 min", "up to 1 h"]);
    expect(comparison.queues).toBeUndefined();
  });

  it("are refused where one tells no waits", () => {
    const silent = workloadOf({
      name: "silent",
      submitSeconds: Float64Array.of(0),
      runtimeSeconds: Float64Array.of(1),
      coresMilli: Int32Array.of(1000),
    });
    expect(() => compareLogs(before, silent)).toThrow("workload silent does not tell when its jobs started");
  });
});
