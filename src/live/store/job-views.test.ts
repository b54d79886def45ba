import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { jobStates } from "./job-states.ts";
import { tagsText } from "./job-request.ts";
import { Database, type Write } from "./database.ts";
import { listJobs, type JobList } from "./job-views.ts";
import { sortKeys, type SortKey } from "./sort-keys.ts";

const over = ["ended", "failed", "cancelled", "lost", "rejected"];
const names = ["a", "b"];
const jobNames = ["a", "ab", "a*", "[a]", "b"];

interface Row {
  readonly user: string;
  readonly name: string;
  readonly pool: string | null;
  readonly state: string;
  readonly project: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly priority: number;
  readonly startedAt: number | null;
  readonly endedAt: number;
  readonly array: number | null;
}

function insert({ state, startedAt, endedAt, array, ...row }: Row, at: number): Write {
  const { user, name, pool, project, tags, priority } = row;
  return {
    sql: `INSERT INTO job (number, id, name, user, state, reason, pool, machines, submitted_at, started_at, ended_at,
                           attempt, retries_left, is_held, is_paused, priority, request, environment, project, tags)
            VALUES (?, ?, ?, ?, ?, '', ?, '[]', ?, ?, ?, 1, 0, 0, 0, ?, ?, 1, ?, ?)`,
    values: [
      at + 1,
      String(at),
      name,
      user,
      state,
      pool,
      at + 1,
      startedAt,
      over.includes(state) ? endedAt : null,
      priority,
      JSON.stringify(array === null ? {} : { array: { first: array, index: 1 } }),
      project,
      tagsText(tags),
    ],
  };
}

const oneOf = fc.constantFrom(...names);
const tag = fc.constantFrom("k=a", "k=b", "l=a");
const lists: fc.Arbitrary<JobList> = fc.record(
  {
    limit: fc.integer({ min: 1, max: 12 }),
    user: oneOf,
    name: fc.constantFrom(...jobNames, "a?", "*b", "[*", "*"),
    pool: oneOf,
    project: oneOf,
    tags: fc.array(tag, { minLength: 1, maxLength: 2 }),
    array: fc.constantFrom(1, 3),
    above: fc.integer({ min: 1, max: 30 }),
    states: fc.array(fc.constantFrom(...jobStates), { minLength: 1, maxLength: 4 }),
    sort: fc.record({ by: fc.constantFrom(...sortKeys), isReversed: fc.boolean() }),
  },
  { requiredKeys: ["limit"] },
);
const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({
    user: oneOf,
    name: fc.constantFrom(...jobNames),
    pool: fc.option(oneOf),
    state: fc.constantFrom(...jobStates),
    project: fc.constantFrom("", ...names),
    tags: fc.dictionary(fc.constantFrom("k", "l"), oneOf, { noNullPrototype: true }),
    priority: fc.nat(3),
    startedAt: fc.option(fc.nat(3)),
    endedAt: fc.nat(3),
    array: fc.constantFrom(null, 1, 3),
  }),
  { maxLength: 30 },
);

type Numbered = Row & { readonly number: number };

const valueOf: Readonly<Record<SortKey, (row: Numbered) => number | string | null>> = {
  number: ({ number }) => number,
  name: ({ name }) => name,
  user: ({ user }) => user,
  priority: ({ priority }) => priority,
  submitted: ({ number }) => number,
  started: ({ startedAt }) => startedAt,
  ended: ({ state, endedAt }) => (over.includes(state) ? endedAt : null),
};

/** The order of a list, by its definition. */
function order({ by, isReversed }: NonNullable<JobList["sort"]>): (a: Numbered, b: Numbered) => number {
  const sign = isReversed ? -1 : 1;
  return (a, b) => {
    const [x, y] = [valueOf[by](a), valueOf[by](b)];
    if (x !== y && (x === null || y === null)) return x === null ? 1 : -1;
    if (x !== y) return x! < y! ? -sign : sign;
    return (a.number - b.number) * sign;
  };
}

function matches(name: string, pattern: string): boolean {
  const source = pattern.replace(/./g, (each) => (each === "*" ? ".*" : each === "?" ? "." : `\\${each}`));
  return new RegExp(`^${source.replaceAll(/\\([a-z])/g, "$1")}$`).test(name);
}

function takenBy(all: readonly Numbered[], list: JobList): Numbered[] {
  const { user, name, pool, project, states, array } = list;
  return all.filter(
    (row) =>
      (user === undefined || row.user === user) &&
      (name === undefined || matches(row.name, name)) &&
      (pool === undefined || row.pool === pool) &&
      (project === undefined || row.project === project) &&
      (list.tags ?? []).every((each) => each.split("=")[1] === row.tags[each.split("=")[0]]) &&
      (array === undefined || (row.array === array && row.number >= array)) &&
      (states === undefined || states.includes(row.state)),
  );
}

describe("a list of jobs", () => {
  it("has what its filter takes, in its order, from a job on", () => {
    fc.assert(
      fc.property(rows, fc.array(lists), (some, asked) => {
        const database = new Database(":memory:");
        database.commit(some.map(insert));
        const all = some.map((row, at): Numbered => ({ ...row, number: at + 1 }));
        for (const list of asked) {
          const { limit, above, sort, user } = list;
          const from = all.find(({ number }) => number === above);
          const answered = (): number[] => listJobs(database, list).map(({ number }) => number);
          const isByNumber = sort === undefined || (sort.by === "number" && !sort.isReversed);
          // By number it may be any, so that what is deleted meanwhile ends no pages.
          const isSeen = from !== undefined && (user === undefined || from.user === user);
          if (above !== undefined && !isByNumber && !isSeen) {
            expect(answered).toThrow(`there is no job ${above}`);
            continue;
          }
          const compare = order(sort ?? { by: "number", isReversed: false });
          const taken = takenBy(all, list).toSorted(compare);
          const rest = taken.filter(
            (row) => above === undefined || (isByNumber ? row.number > above : compare(row, from!) > 0),
          );
          const isLast = sort === undefined && above === undefined;
          const wanted = isLast ? rest.slice(-limit) : rest.slice(0, limit);
          expect(answered()).toEqual(wanted.map(({ number }) => number));
        }
        database.close();
      }),
      { numRuns: 200 },
    );
  });

  it.each<[string, Omit<JobList, "limit">]>([
    ["state that is over", { states: ["lost"] }],
    ["states", { states: ["lost", "failed", "running"] }],
    ["pool", { pool: "p" }],
    ["name", { name: "n" }],
    ["user", { user: "u" }],
  ])("goes through no list of all jobs, and sorts none, for a %s", (_, filter) => {
    const plans = [{}, { above: 5 }].flatMap((above) => plansOf({ ...filter, ...above }));
    // The partial index of jobs that are not over is a list of its own.
    const bad = plans.filter((plan) =>
      /^SCAN job(?! USING (COVERING )?INDEX job_present)|ORDER BY/.test(plan),
    );
    expect(bad).toEqual([]);
    expect(plans.join("\n")).toMatch(/SEARCH job/);
  });

  it.each<[string, Omit<JobList, "limit">]>([
    ["pattern of names", { name: "n*" }],
    ["project", { project: "p" }],
    ["tag", { tags: ["k=v"] }],
    ["order", { sort: { by: "ended", isReversed: true } }],
    [
      "pattern of names, a tag and an order",
      { name: "n*", tags: ["k=v"], sort: { by: "name", isReversed: false } },
    ],
  ])("goes through the index of what is asked and not through rows, for a %s", (_, filter) => {
    const scans = plansOf(filter).filter((plan) => plan.startsWith("SCAN job"));
    expect(scans).toEqual(["SCAN job USING COVERING INDEX job_listed"]);
  });

  it.each<[string, Omit<JobList, "limit">]>([
    ["user, a pattern and a tag", { user: "u", name: "n*", tags: ["k=v"] }],
    ["state and an order", { states: ["running"], sort: { by: "started", isReversed: false } }],
    ["array", { array: 5, states: ["failed"] }],
  ])("goes through a short list where there is one, for a %s", (_, filter) => {
    const plans = plansOf(filter);
    expect(plans.filter((plan) => /^SCAN job(?! USING (COVERING )?INDEX job_present)/.test(plan))).toEqual(
      [],
    );
  });
});

/** How SQLite finds what a list asks. */
function plansOf(filter: Omit<JobList, "limit">): string[] {
  const database = new Database(":memory:");
  const plans: string[] = [];
  const explaining = new Proxy(database, {
    get: (target, name) => {
      if (name !== "arrays") return Reflect.get(target, name) as unknown;
      return (sql: string, ...values: string[]) => {
        for (const { detail } of target.all(`EXPLAIN QUERY PLAN ${sql}`, ...values))
          plans.push(String(detail));
        return target.arrays(sql, ...values);
      };
    },
  });
  listJobs(explaining, { limit: 10, ...filter });
  return plans;
}
