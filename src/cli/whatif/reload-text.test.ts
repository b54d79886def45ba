import { expect, it } from "vitest";

import { reloadTrialText } from "./reload-text.ts";

const nothing = {
  refused: null,
  changes: [],
  evicted: [],
  stranded: [],
  startNow: [],
  later: [],
  sooner: [],
};
const trial = { ...nothing, isCutShort: false };

it("says of a job that could never go on what comes of it, stopped before or now", () => {
  const place = { user: "ann", pool: "north", machines: ["n1"] };
  const stops = { becomes: "suspended" as const, to: null, lostSeconds: 0 };
  const text = reloadTrialText({
    ...trial,
    evicted: [7, 9].map((job) => ({ job, ...place, ...stops })),
    stranded: [7, 8].map((job) => ({ job, ...place })),
  });
  expect(text).toContain("job 7 of ann on n1 of north: stopped there, for ever");
  expect(text).toContain("job 9 of ann on n1 of north: stopped there until there is room again");
  expect(text).toContain(
    "2 suspended jobs could never go on, too large for what the machines would be: cancel them, or let them end before\n" +
      "  job 7 of ann on n1 of north\n  job 8 of ann on n1 of north\n",
  );
});

it("says of each waiting job once when it starts, and nothing of what would look the same", () => {
  const start = (job: number, beforeSeconds: number | null, afterSeconds: number | null) => ({
    job,
    user: "ann",
    beforeSeconds,
    afterSeconds,
  });
  const text = reloadTrialText({
    ...trial,
    startNow: [7],
    sooner: [start(7, 3900, 0), start(8, 3900, 600)],
    later: [start(9, 7900, 7980), start(10, 3600, null)],
  });
  expect(text).toContain("1 waiting job would start at once: 7");
  expect(text).not.toContain("job 7 of ann");
  expect(text).not.toContain("job 9 of ann");
  expect(text).toContain(
    "1 waiting job is expected to start sooner:\n  job 8 of ann: in 10 min instead of in 65 min",
  );
  expect(text).toContain("  job 10 of ann: not within a week instead of in 60 min");
  expect(reloadTrialText({ ...trial, later: [start(9, 7900, 7980)] })).toContain(
    "no waiting job is expected to start at another time",
  );
});
