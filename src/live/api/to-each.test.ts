import { expect, it } from "vitest";

import { MOST_TURN_BYTES, STEP_BYTES, STEP_JOBS } from "../limits.ts";
import { simulatedJob } from "../service/farm-world.fixture.ts";
import { Farm } from "../service/farm.fixture.ts";
import type { Database } from "../store/database.ts";
import type { ServiceHandle } from "./service-handle.ts";
import { toEach } from "./to-each.ts";

const LONG_BYTES = 500_000;
const JOBS = 40;

/** The most changes of jobs' rows in one transaction from now on. */
function mostChanges(database: Database): () => number {
  let most = 0;
  const commit = database.commit.bind(database);
  database.commit = (writes) => {
    most = Math.max(most, writes.filter(({ sql }) => sql.startsWith("UPDATE job SET state")).length);
    commit(writes);
  };
  return () => most;
}

const long = { command: ["pretend", "x".repeat(LONG_BYTES)] };

it("jobs with long commands, whose rows are written anew, are dealt with few at a time, after a restart too", async () => {
  const farm = await Farm.of([{ name: "one", machines: 1, cores: 4 }]);
  const { world } = farm;
  for (let i = 0; i < JOBS; i++) await farm.submit(1, { ...long, hold: true });
  world.die();
  await world.start();
  const most = mostChanges(world.database);
  const numbers = Array.from({ length: JOBS }, (_, at) => at + 1);
  const outcome = await world.act((service) =>
    toEach(
      numbers,
      { toJob: (turn, job) => service.acts.cancel(turn, job, "ann"), taking: () => ({}) },
      { service } as ServiceHandle,
      (_, refusal) => {
        throw refusal;
      },
    ),
  );
  expect(outcome).toEqual({ answer: undefined });
  expect(most()).toBeLessThanOrEqual(STEP_BYTES / LONG_BYTES + 1);
  for (let job = 1; job <= JOBS; job++) expect(farm.state(job)).toBe("cancelled");
});

it("so are those that are cancelled since the job for which they wait has failed", async () => {
  const farm = await Farm.of([{ name: "one", machines: 1, cores: 4 }]);
  await farm.submit(10, {}, { status: 1 });
  for (let i = 0; i < JOBS; i++) await farm.submit(1, { ...long, after: [{ job: 1, condition: "ok" }] });
  const most = mostChanges(farm.world.database);
  await farm.pass(100);
  expect(farm.state(1 + JOBS)).toBe("cancelled");
  // The job that has failed has a row as well.
  expect(most()).toBeLessThanOrEqual(MOST_TURN_BYTES / LONG_BYTES + 2);
});

it("what a full disk keeps from most jobs of a list is not told as done to them", async () => {
  const farm = await Farm.of([{ name: "one", machines: 1, cores: 4 }]);
  const { world } = farm;
  const numbers = Array.from({ length: 10 * STEP_JOBS }, (_, at) => at + 1);
  await farm.submit(1, {}, { jobs: numbers.map(() => simulatedJob({ hold: true })) });
  world.databaseFailsWith = "database or disk is full";
  const outcome = await world.act((service) =>
    toEach(
      numbers,
      {
        toJob: (turn, job) => service.acts.cancel(turn, job, "ann"),
        taking: (jobs) => service.acts.taking("cancel", jobs),
      },
      { service } as ServiceHandle,
      (_, refusal) => {
        throw refusal;
      },
    ),
  );
  expect(outcome).toMatchObject({
    refusal: {
      status: 503,
      message: expect.stringContaining(`; to ${2 * STEP_JOBS} more of these jobs nothing is done at all`),
    },
  });
  world.databaseFailsWith = null;
  await farm.pass(5);
  expect(farm.state(numbers.length)).toBe("held");
});
