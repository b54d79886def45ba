import { describe, expect, it } from "vitest";

import { moment } from "./moments.ts";

/** In the zone of whoever runs this. */
const at = (text: string): number => new Date(text).getTime();
const now = at("2026-10-01T21:30:15");

describe("a time of an option", () => {
  it.each([
    ["22:00", "2026-10-01T22:00:00"],
    ["21:30:16", "2026-10-01T21:30:16"],
    // It is over for today.
    ["21:30:15", "2026-10-02T21:30:15"],
    ["9:05", "2026-10-02T09:05:00"],
    ["0:00", "2026-10-02T00:00:00"],
    ["+2h", "2026-10-01T23:30:15"],
    ["+0", "2026-10-01T21:30:15"],
    ["+1:30:00", "2026-10-01T23:00:15"],
    ["2026-10-01T22:00:00Z", "2026-10-01T22:00:00Z"],
    ["2026-10-01T22:00:00+02:00", "2026-10-01T20:00:00Z"],
    ["2026-10-03 07:00", "2026-10-03T07:00:00"],
    ["2026-10-03", "2026-10-03T00:00:00"],
  ])("%s is %s", (text, expected) => {
    expect(new Date(moment(text)(now)).toISOString()).toBe(new Date(at(expected)).toISOString());
  });

  it.each([
    "24:00",
    "22",
    "22:60",
    "tomorrow",
    "+",
    "+-1h",
    "2026-13-01",
    "2026-02-30",
    "2026-11-31T10:00",
    "2026-10-01T25:00",
    "",
  ])("%s is none", (text) => {
    expect(() => moment(text)(now)).toThrow(/^Give /);
  });
});
