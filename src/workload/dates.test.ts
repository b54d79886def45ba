import { expect, it } from "vitest";

import { parseDate } from "./dates.ts";

it.each([
  ["2026-02-28T00:00Z", "2026-02-28T00:00:00.000Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ["2026-12-31T23:30-01:00", "2027-01-01T00:30:00.000Z"],
  ["2026-02-29T00:00Z", null],
  ["2026-02-30", null],
  ["2026-11-31T10:00", null],
  ["2026-13-01", null],
  ["2026-00-10", null],
  ["yesterday", null],
])("%s is %s", (text, expected) => {
  const milliseconds = parseDate(text);
  expect(Number.isNaN(milliseconds) ? null : new Date(milliseconds).toISOString()).toBe(expected);
});
