import { expect, it } from "vitest";

import { monthToMove } from "./archive.ts";
import { Database, IN_MEMORY } from "./database.ts";

const DAY_SECONDS = 86_400;
const seconds = (date: string): number => Date.parse(date) / 1000;

it("a month is moved when it has been over for as long as its jobs are kept", () => {
  const database = new Database(IN_MEMORY);
  const ended = [seconds("2026-09-03"), seconds("2026-10-05"), null];
  database.commit(
    ended.map((at, number) => ({
      sql: `INSERT INTO job (number, id, name, user, state, reason, machines, submitted_at, ended_at, attempt,
              retries_left, is_held, is_paused, priority, request, environment)
              VALUES (?, ?, 'n', 'ann', 'ended', '', '[]', 0, ?, 1, 0, 0, 0, 50, '{}', 1)`,
      values: [number + 1, String(number), at],
    })),
  );
  const moved = (now: string, days: number): string | undefined =>
    monthToMove(database, {
      folder: "/none",
      unixSeconds: seconds(now),
      retentionSeconds: days * DAY_SECONDS,
    })?.name;
  expect(moved("2026-10-07", 7)).toBeUndefined();
  expect(moved("2026-10-08", 7)).toBe("2026-09");
  expect(moved("2026-10-01", 0)).toBe("2026-09");
  expect(moved("2026-10-30", 30)).toBeUndefined();
  expect(moved("2026-10-31", 30)).toBe("2026-09");
});
