import * as fc from "fast-check";
import { expect, it } from "vitest";

import { Database } from "../store/database.ts";
import { listEvents } from "../store/job-views.ts";
import { RecentEvents } from "./recent-events.ts";

const KEPT = 5;
const users = ["ann", "bob"];

/** A database with a job of each user. */
function withJobs(): Database {
  const database = new Database(":memory:");
  database.commit(
    users.map((user, at) => ({
      sql: `INSERT INTO job (number, id, name, user, state, reason, machines, submitted_at, attempt, retries_left,
                             is_held, is_paused, priority, request, environment)
              VALUES (?, ?, 'true', ?, 'waiting', '', '[]', 0, 1, 0, 0, 0, 50, '{}', 1)`,
      values: [at + 1, user, user],
    })),
  );
  return database;
}

it("are those of the database, whoever follows, and however many come at once", () => {
  const turn = fc.record({
    jobs: fc.array(fc.constantFrom(null, 1, 2), { maxLength: 2 * KEPT }),
    isFollowed: fc.boolean(),
  });
  const filter = fc.record({
    after: fc.nat(40),
    job: fc.constantFrom(null, 1, 2),
    user: fc.constantFrom(null, ...users),
    limit: fc.integer({ min: 1, max: 20 }),
  });
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 8 }), fc.array(filter, { minLength: 1 }), (turns, filters) => {
      const database = withJobs();
      const recent = new RecentEvents(database, KEPT);
      for (const { jobs, isFollowed } of turns) {
        database.commit(
          jobs.map((job) => ({
            sql: "INSERT INTO event (at, kind, job, actor, text) VALUES (1, 'held', ?, NULL, '')",
            values: [job],
          })),
        );
        recent.readOn(isFollowed);
        for (const each of filters) {
          const listed = listEvents(database, each);
          // Null: they are older than what is kept.
          const kept = recent.list(each);
          expect(kept ?? listed).toEqual(listed);
          if (each.after >= recent.last) expect(kept).not.toBeNull();
        }
      }
      database.close();
    }),
    { numRuns: 100 },
  );
});

it("are asked for once a turn while they are followed", () => {
  const database = withJobs();
  let asked = 0;
  const counting = new Proxy(database, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== "function") return value;
      return (...values: unknown[]): unknown => {
        asked++;
        return Reflect.apply(value, target, values);
      };
    },
  });
  const recent = new RecentEvents(counting);
  const event = { sql: "INSERT INTO event (at, kind, text) VALUES (1, 'held', '')", values: [] };
  recent.readOn(true);
  asked = 0;
  database.commit([event]);
  recent.readOn(true);
  for (let follower = 0; follower < 1000; follower++)
    expect(recent.list({ after: 0, job: null, user: null, limit: 10 })).toHaveLength(1);
  expect(asked).toBe(1);
});
