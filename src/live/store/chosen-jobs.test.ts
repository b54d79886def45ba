import { expect, it } from "vitest";

import { MOST_REQUEST_BYTES } from "../limits.ts";
import { requestsOf } from "./chosen-jobs.ts";
import { Database, IN_MEMORY } from "./database.ts";

it("jobs that are described by more than a request takes are not read all to be submitted again", () => {
  const database = new Database(IN_MEMORY);
  const jobs = 80;
  const request = JSON.stringify({ command: ["true", "x".repeat(1024 * 1024)] });
  database.commit(
    Array.from({ length: jobs }, (_, at) => ({
      sql: `INSERT INTO job (number, id, name, user, state, reason, machines, submitted_at, ended_at, attempt,
              retries_left, is_held, is_paused, priority, request, environment)
              VALUES (?, ?, 'n', 'ann', 'cancelled', '', '[]', 0, 1, 1, 0, 0, 0, 50, ?, 1)`,
      values: [at + 1, String(at), request],
    })),
  );
  const numbers = Array.from({ length: jobs }, (_, at) => at + 1);
  expect(requestsOf(database, numbers.slice(0, 60))[0].requests).toHaveLength(60);
  expect(() => requestsOf(database, numbers)).toThrow(
    `more than ${MOST_REQUEST_BYTES / 1024 / 1024} MiB, and no more can be submitted again at a time`,
  );
});
