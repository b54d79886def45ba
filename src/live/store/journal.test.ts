import { expect, it } from "vitest";

import { Database } from "./database.ts";
import { journalDropped } from "./journal.ts";

it("drops the oldest rows of the journal, so many at a time", () => {
  const database = new Database(":memory:");
  database.commit(
    [3, 5, 8, 13, 21].map((seq) => ({
      sql: "INSERT INTO journal (seq, entries) VALUES (?, '[]')",
      values: [seq],
    })),
  );
  const left = (): number[] =>
    database.all("SELECT seq FROM journal ORDER BY seq").map(({ seq }) => Number(seq));
  database.commit([journalDropped(13, 3)]);
  expect(left()).toEqual([13, 21]);
  database.commit([journalDropped(13, 3)]);
  expect(left()).toEqual([21]);
  database.commit([journalDropped(-5, 3)]);
  expect(left()).toEqual([21]);
});
