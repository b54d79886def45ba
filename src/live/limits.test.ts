import { describe, expect, it } from "vitest";

import { arrayOf, requestOf } from "./api/submissions.ts";
import { LONGEST_COMMAND_BYTES, MOST_AFTER, MOST_JOBS, products } from "./limits.ts";
import type { JobRequest } from "./store/job-request.ts";
import { requestText } from "./store/job-request.ts";
import { sizeOf } from "./service/request-size.ts";
import { Database } from "./store/database.ts";
import { listJobs } from "./store/job-views.ts";

/** What the process may hold or write for any one thing: an eighth of the heap of the smallest machines. */
const BUDGET = 256 * 1024 * 1024;

describe("limits", () => {
  it.each(products)("hold $of, which their product would not", ({ factors, most }) => {
    expect(most).toBeLessThanOrEqual(BUDGET);
    expect(factors[0] * factors[1]).toBeGreaterThan(most);
  });
});

const array = (command: [string, ...string[]], jobs: number, after: JobRequest["after"] = []): JobRequest[] =>
  arrayOf({ command, after: [...after] }, { from: 1, to: jobs });

describe("a request", () => {
  const long: [string, ...string[]] = [
    "/bin/true",
    ..."x"
      .repeat(8)
      .split("")
      .map(() => "y".repeat(100_000)),
  ];

  it("is refused where all jobs of its array together are written with too much", () => {
    expect(() => sizeOf(array(long, 2000))).toThrow(
      /^these 2000 jobs take 1\d{3} MiB with their commands, and a request may take 64/,
    );
    const most = array(long, 75);
    const written = most.reduce((sum, request) => sum + requestText(request).length, 0);
    expect(sizeOf(most)).toBeGreaterThan(written);
    expect(() => sizeOf(array(["/bin/true"], MOST_JOBS))).not.toThrow();
  });

  it.each(["command", "directory", "comment", "tags"] as const)(
    "is counted by what is written of it, which is more than its characters where they are odd: %s",
    (field) => {
      for (const odd of ["\u0001", "\u20AC", "\\"]) {
        const text = odd.repeat(1000);
        const request = requestOf({ command: ["/bin/true"] });
        const value = { command: ["/bin/true", text], directory: `/${text}`, comment: text, tags: { text } };
        const jobs = Array.from({ length: 100 }, () => ({ ...request, [field]: value[field] }));
        const written = jobs.reduce((sum, job) => sum + Buffer.byteLength(requestText(job)), 0);
        expect(sizeOf(jobs)).toBeGreaterThan(written);
      }
    },
  );

  it("is refused where a command is longer than any that can be started", () => {
    const words = Array.from({ length: 11 }, () => "y".repeat(100_000));
    const request = requestOf({ command: ["/bin/true", ...words] });
    expect(() => sizeOf([request])).toThrow(
      `its command takes 1100021 bytes, and no system starts one of more`,
    );
    expect(LONGEST_COMMAND_BYTES).toBe(1024 * 1024);
  });

  it("is refused where all jobs of its array together wait for too many", () => {
    const after = Array.from({ length: MOST_AFTER }, (_, at) => ({ job: at + 1, condition: "ok" as const }));
    expect(() => sizeOf(array(["/bin/true"], MOST_JOBS, after))).toThrow(
      "these jobs name 10000000 jobs to wait for, together, and a request may name 20000",
    );
    expect(() => sizeOf(array(["/bin/true"], 20, after))).not.toThrow();
  });
});

describe("a list of jobs", () => {
  it("has fewer where they are very long, and the rest by the next pages", () => {
    const database = new Database(":memory:");
    const text = requestText(requestOf({ command: ["x".repeat(1_000_000)] }));
    database.commit(
      Array.from({ length: 100 }, (_, at) => ({
        sql: `INSERT INTO job (number, id, name, user, state, reason, machines, submitted_at, attempt, retries_left,
                               is_held, is_paused, priority, request, environment)
                VALUES (?, ?, 'true', 'ann', 'waiting', '', '[]', 0, 1, 0, 0, 0, 50, ?, 1)`,
        values: [at + 1, String(at), text],
      })),
    );
    const numbers = (filter: object) =>
      listJobs(database, { limit: 1000, ...filter }).map(({ number }) => number);
    const last = numbers({});
    expect(last.length).toBeLessThan(70);
    expect(last.at(-1)).toBe(100);
    const first = numbers({ above: 0 });
    expect([...first, ...numbers({ above: first.at(-1) })]).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 1),
    );
  });
});
