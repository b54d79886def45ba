import { join } from "node:path";

import { Database, type Write } from "../../src/live/store/database.ts";

const BATCH = 10_000;
/** So that their month is over. */
const AGO_SECONDS = 70 * 86_400;

/** Puts jobs that are over into the database of a farm that does not run: each with an attempt and three events. */
export function addPastJobs(data: string, count: number, requestBytes: number): void {
  const database = new Database(join(data, "croft.db"));
  const command = ["/bin/true", "x".repeat(Math.max(0, requestBytes - 60))];
  const request = JSON.stringify({ command, name: "bench" });
  const begun = Date.now() / 1000 - AGO_SECONDS;
  for (let first = 1; first <= count; first += BATCH) {
    const writes: Write[] = [];
    for (let number = first; number < first + BATCH && number <= count; number++) {
      const at = begun + number / 1e4;
      writes.push({
        sql: `INSERT INTO job (number, id, name, user, state, reason, pool, machines, submitted_at, started_at, ended_at,
                exit_status, attempt, retries_left, is_held, is_paused, priority, request, environment)
              VALUES (?, ?, 'bench', 'bench', 'ended', '', 'p', '["m"]', ?, ?, ?, 0, 1, 0, 0, 0, 50, ?, 1)`,
        values: [number, uuidOf(number), at, at + 1, at + 2, request],
      });
      writes.push({
        sql: `INSERT INTO attempt (job, attempt, engine_job, engine_attempt, pool, placement, state, decision, outcome)
              VALUES (?, 1, ?, 1, 'p', '[{"machine":"m"}]', 'over', 1, '{"kind":"exited","status":0}')`,
        values: [number, number],
      });
      for (const kind of ["submitted", "started", "ended"])
        writes.push({
          sql: "INSERT INTO event (at, kind, job, text) VALUES (?, ?, ?, '')",
          values: [at, kind, number],
        });
    }
    database.commit(writes);
  }
  database.close();
}

function uuidOf(number: number): string {
  return `01900000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
}
