import { expect, it } from "vitest";

import { leftOutText } from "./left-out.ts";

const note = (what: string, count: number) => ({ what, count });

it("what is left out of a log is told in one line, most first", () => {
  const notes = [
    note("recognised: Slurm's sacct, with a header", 1),
    note("dropped: it never started", 3),
    note("kept: ran longer than the user's estimate", 9),
    note("left out: steps of jobs", 1200),
    note("dropped: a '|' in a name shifts the columns", 1),
  ];
  expect(leftOutText({ count: 1000, notes })).toBe(
    "left out in all: 1,204, beside 1,000 jobs that are kept: steps of jobs (1,200); it never started (3); a '|' in a name shifts the columns (1)",
  );
});

it("one reason is told by its note alone", () => {
  expect(
    leftOutText({ count: 1, notes: [note("dropped: it never started", 3), note("read: x", 1)] }),
  ).toBeNull();
  expect(leftOutText({ count: 1, notes: [] })).toBeNull();
});
