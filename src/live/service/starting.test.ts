import { describe, expect, it } from "vitest";

import type { StartRequest } from "../engines/engine.ts";
import { VirtualClock } from "../engines/system/virtual-clock.fixture.ts";
import { Database } from "../store/database.ts";
import type { LiveAttempt } from "./books.ts";
import { jobRequest } from "../store/job-request.ts";
import type { LivePool } from "./live-pool.ts";
import { Starting } from "./starting.ts";

/** The start of job 1 on a pool of this machine, where folders are made as `makePlace` says. */
function start(makePlace: () => Promise<unknown>) {
  const clock = new VirtualClock();
  const database = new Database(":memory:");
  database.commit([
    { sql: "INSERT INTO environment (id, hash, text) VALUES (1, '', '{}')", values: [] },
    {
      sql: `INSERT INTO job (number, id, name, user, state, reason, machines, submitted_at, attempt, retries_left,
                             is_held, is_paused, priority, request, environment)
              VALUES (1, 'id', 'true', 'ann', 'starting', '', '[]', 0, 1, 0, 0, 0, 50, ?, 1)`,
      values: [JSON.stringify(jobRequest(["true"], {}))],
    },
  ]);
  const started: StartRequest[] = [];
  const pool = {
    engine: { capabilities: { limits: { cores: "watched" }, output: "farm" } },
    start: (request: StartRequest) => void started.push(request),
  } as unknown as LivePool;
  const attempt = {
    job: { id: "id", number: 1, user: "ann", timeSeconds: null },
    attempt: 1,
    pool: 0,
    placement: [{ machine: "m", coresMilli: 1000, memoryMiB: 0, gpuMilli: 0 }],
    intent: "start",
  } as unknown as LiveAttempt;
  const parts = {
    database,
    clock,
    data: "/data",
    pools: [pool],
    runsAsUsers: false,
    umask: "022",
    makePlace,
  };
  const starting = new Starting(parts);
  starting.start(attempt);
  return { clock, attempt, started, again: () => starting.start(attempt) };
}

const failsWith = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

describe("the folder for a job's output", () => {
  it("is made as soon as the disk has room, and the job starts then", async () => {
    let make: () => Promise<unknown> = failsWith("ENOSPC");
    const { clock, started } = start(() => make());
    await clock.pass(100);
    expect(started).toEqual([]);
    make = async () => undefined;
    await clock.pass(1);
    expect(started).toMatchObject([{ stdoutPath: "/data/jobs/1/stdout" }]);
  });

  it("is not waited for any more where the job is to be ended", async () => {
    const { clock, attempt, started } = start(failsWith("ENOSPC"));
    await clock.pass(10);
    attempt.intent = "end";
    await clock.pass(2);
    // Its engine has been told to end it, and perhaps to forget it: it would take it for a new one.
    expect(started).toEqual([]);
  });

  it("does not start again what has been over and forgotten since, however often it was asked for", async () => {
    let make: () => Promise<unknown> = failsWith("ENOSPC");
    const { clock, attempt, started, again } = start(() => make());
    await clock.pass(60.5);
    again();
    await clock.pass(10);
    make = async () => undefined;
    while (started.length === 0) await clock.pass(0.125);
    again();
    Object.assign(attempt, { state: "over", intent: null });
    await clock.pass(100);
    expect(started).toHaveLength(1);
  });

  it("is tried once a second, however often the start was asked for", async () => {
    let tries = 0;
    const { clock, again } = start(() => {
      tries++;
      return failsWith("ENOSPC")();
    });
    for (let minute = 0; minute < 10; minute++) {
      await clock.pass(60.25);
      again();
    }
    tries = 0;
    await clock.pass(10);
    expect(tries).toBeLessThanOrEqual(11);
  });

  it("lets the start fail at once where something else stands in its place", async () => {
    const { clock, started } = start(failsWith("ENOTDIR"));
    await clock.pass(0);
    expect(started).toHaveLength(1);
  });
});
