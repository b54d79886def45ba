import * as fc from "fast-check";
import { expect, it } from "vitest";

import { jobStates } from "../service/job-states.ts";
import { Database, type Write } from "./database.ts";
import { listJobs, type JobFilter } from "./job-views.ts";

const over = ["ended", "failed", "cancelled", "lost", "rejected"];
const names = ["a", "b"];

interface Row {
  readonly user: string;
  readonly name: string;
  readonly pool: string | null;
  readonly state: string;
}

function insert({ user, name, pool, state }: Row, at: number): Write {
  return {
    sql: `INSERT INTO job (number, id, name, user, state, reason, pool, machines, submitted_at, ended_at, attempt,
                           retries_left, is_held, is_paused, priority, request, environment)
            VALUES (?, ?, ?, ?, ?, '', ?, '[]', 0, ?, 1, 0, 0, 0, 50, '{}', 1)`,
    values: [at + 1, String(at), name, user, state, pool, over.includes(state) ? 1 : null],
  };
}

const oneOf = fc.constantFrom(...names);
const filters: fc.Arbitrary<JobFilter> = fc.record(
  {
    limit: fc.integer({ min: 1, max: 12 }),
    user: oneOf,
    name: oneOf,
    pool: oneOf,
    above: fc.nat(30),
    states: fc.array(fc.constantFrom(...jobStates), { minLength: 1, maxLength: 4 }),
  },
  { requiredKeys: ["limit"] },
);

it("lists what a filter takes, the last ones or the first ones above a number", () => {
  const rows = fc.array(
    fc.record({ user: oneOf, name: oneOf, pool: fc.option(oneOf), state: fc.constantFrom(...jobStates) }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(rows, fc.array(filters), (all, some) => {
      const database = new Database(":memory:");
      database.commit(all.map(insert));
      for (const filter of some) {
        const { user, name, pool, above, states, limit } = filter;
        const taken = all.flatMap((row, at) =>
          (user === undefined || row.user === user) &&
          (name === undefined || row.name === name) &&
          (pool === undefined || row.pool === pool) &&
          (above === undefined || at + 1 > above) &&
          (states === undefined || states.includes(row.state))
            ? [at + 1]
            : [],
        );
        const wanted = above === undefined ? taken.slice(-limit) : taken.slice(0, limit);
        expect(listJobs(database, filter).map(({ number }) => number)).toEqual(wanted);
      }
      database.close();
    }),
    { numRuns: 100 },
  );
});

it.each<[string, Omit<JobFilter, "limit">]>([
  ["state that is over", { states: ["lost"] }],
  ["states", { states: ["lost", "failed", "running"] }],
  ["pool", { pool: "p" }],
  ["name", { name: "n" }],
  ["user", { user: "u" }],
])("goes through no list of all jobs, and sorts none, for a %s", (_, filter) => {
  const database = new Database(":memory:");
  const plans: string[] = [];
  const explaining = new Proxy(database, {
    get: (target, name) => {
      if (name !== "iterate") return Reflect.get(target, name) as unknown;
      return (sql: string, ...values: string[]) => {
        for (const { detail } of target.all(`EXPLAIN QUERY PLAN ${sql}`, ...values))
          plans.push(String(detail));
        return target.iterate(sql, ...values);
      };
    },
  });
  for (const above of [{}, { above: 5 }]) listJobs(explaining, { limit: 10, ...filter, ...above });
  // The partial index of jobs that are not over is a list of its own.
  const bad = plans.filter((plan) => /^SCAN job(?! USING (COVERING )?INDEX job_present)|ORDER BY/.test(plan));
  expect(bad).toEqual([]);
  expect(plans.join("\n")).toMatch(/SEARCH job/);
});
