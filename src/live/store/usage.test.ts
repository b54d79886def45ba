import { describe, expect, it } from "vitest";

import { Database, type Write } from "./database.ts";
import { usageOf, type UsageAsked } from "./usage.ts";

interface Run {
  readonly startedAt: number | null;
  readonly endedAt?: number;
  readonly cores?: number;
  readonly gpus?: number;
  readonly memoryMiB?: number;
  readonly usage?: object;
}

interface Job {
  readonly user?: string;
  readonly project?: string;
  readonly submittedAt?: number;
  readonly endedAt?: number;
  readonly timeSeconds?: number;
  readonly runs: readonly Run[];
}

function rowsOf(number: number, { user = "ann", project = "", submittedAt = 0, ...job }: Job): Write[] {
  return [
    {
      sql: `INSERT INTO job (number, id, name, user, project, state, reason, machines, submitted_at, ended_at, attempt,
              retries_left, is_held, is_paused, priority, time_seconds, request, environment)
              VALUES (?, ?, 'n', ?, ?, 'ended', '', '[]', ?, ?, 1, 0, 0, 0, 50, ?, '{}', 1)`,
      values: [
        number,
        String(number),
        user,
        project,
        submittedAt,
        job.endedAt ?? null,
        job.timeSeconds ?? null,
      ],
    },
    ...job.runs.map(({ startedAt, endedAt, cores = 1, gpus = 0, memoryMiB = 0, usage }, at) => ({
      sql: `INSERT INTO attempt (job, attempt, engine_job, engine_attempt, pool, placement, state, decision, started_at,
              ended_at, outcome) VALUES (?, ?, 1, 1, 'p', ?, 'over', 1, ?, ?, ?)`,
      values: [
        number,
        at + 1,
        JSON.stringify([{ machine: "m", coresMilli: cores * 1000, memoryMiB, gpuMilli: gpus * 1000 }]),
        startedAt,
        endedAt ?? null,
        endedAt === undefined ? null : JSON.stringify({ kind: "exited", usage: usage ?? {} }),
      ],
    })),
  ];
}

function usage(jobs: readonly Job[], asked: Partial<UsageAsked> = {}, months: readonly string[] = []) {
  const database = new Database(":memory:");
  database.commit(jobs.flatMap((job, at) => rowsOf(at + 1, job)));
  database.commit(months.map((name) => ({ sql: "INSERT INTO archive (name) VALUES (?)", values: [name] })));
  const found = usageOf(database, { by: "user", since: 0, now: 7200, user: null, ...asked });
  database.close();
  return found;
}

describe("what jobs have used", () => {
  it("is what they had in the period, by the hours in it, of what runs too", () => {
    const jobs: Job[] = [
      { endedAt: 3600, runs: [{ startedAt: 0, endedAt: 3600, cores: 4, gpus: 1, memoryMiB: 2048 }] },
      { runs: [{ startedAt: 3600, cores: 2 }] },
      { user: "eve", endedAt: 900, runs: [{ startedAt: 0, endedAt: 900 }] },
    ];
    const [ann, eve] = usage(jobs).rows;
    expect(ann).toMatchObject({
      name: "ann",
      jobs: 2,
      runs: 2,
      runsEnded: 1,
      coreHours: 6,
      gpuHours: 1,
      memoryGiBHours: 2,
    });
    expect(eve).toMatchObject({ name: "eve", coreHours: 0.25 });
    // From half of the first run on; eve's is over then.
    expect(usage(jobs, { since: 1800 }).rows).toMatchObject([{ name: "ann", coreHours: 4 }]);
    expect(usage(jobs, { user: "eve" }).rows.map(({ name }) => name)).toEqual(["eve"]);
  });

  it("is told by project and pool as well", () => {
    const jobs: Job[] = [
      { project: "/a", endedAt: 3600, runs: [{ startedAt: 0, endedAt: 3600 }] },
      { endedAt: 7200, runs: [{ startedAt: 0, endedAt: 7200 }] },
    ];
    const names = (by: UsageAsked["by"]) =>
      usage(jobs, { by }).rows.map(({ name, jobs: count }) => [name, count]);
    expect(names("project")).toEqual([
      ["", 1],
      ["/a", 1],
    ]);
    expect(names("pool")).toEqual([["p", 2]]);
  });

  it("tells waits to the first start, of those that started first in the period", () => {
    const jobs: Job[] = [
      {
        submittedAt: 10,
        endedAt: 200,
        runs: [
          { startedAt: null, endedAt: 20 },
          { startedAt: 40, endedAt: 200 },
        ],
      },
      {
        submittedAt: 10,
        endedAt: 200,
        runs: [
          { startedAt: 100, endedAt: 120 },
          { startedAt: 150, endedAt: 200 },
        ],
      },
    ];
    expect(usage(jobs).rows).toMatchObject([{ runs: 3, waitMeanSeconds: 60, waitMaxSeconds: 90 }]);
    expect(usage(jobs, { since: 110 }).rows).toMatchObject([{ waitMeanSeconds: null, waitMaxSeconds: null }]);
  });

  it("holds what was used against what was asked for, where it is known, and says of how many that is", () => {
    const jobs: Job[] = [
      {
        endedAt: 100,
        timeSeconds: 400,
        runs: [
          {
            startedAt: 0,
            endedAt: 100,
            cores: 2,
            memoryMiB: 1000,
            usage: { elapsedSeconds: 100, cpuSeconds: 100, memoryPeakMiB: 250 },
          },
        ],
      },
      {
        endedAt: 100,
        runs: [{ startedAt: 0, endedAt: 100, usage: { elapsedSeconds: null, cpuSeconds: null } }],
      },
    ];
    expect(usage(jobs).rows).toMatchObject([
      {
        runsEnded: 2,
        coresUsed: { part: 0.5, known: 1 },
        memoryUsed: { part: 0.25, known: 1 },
        timeUsed: { part: 0.25, known: 1 },
      },
    ]);
    const nothing = { part: null, known: 0 };
    expect(usage(jobs.slice(1)).rows).toMatchObject([
      { coresUsed: nothing, memoryUsed: nothing, timeUsed: nothing },
    ]);
  });

  it("says from when on it is counted, where months of the period are in files", () => {
    const october = Date.UTC(2026, 9) / 1000;
    const november = Date.UTC(2026, 10) / 1000;
    expect(usage([], { since: october }, ["2026-09", "2026-10"]).countedSince).toBe(november);
    expect(usage([], { since: november }, ["2026-10"]).countedSince).toBeNull();
    expect(usage([], { since: 0 }).countedSince).toBeNull();
  });
});
