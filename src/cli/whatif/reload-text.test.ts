import { expect, it } from "vitest";

import { reloadTrialText } from "./reload-text.ts";

const nothing = { refused: null, changes: [], evicted: [], startNow: [], later: [], sooner: [] };
const trial = { ...nothing, isCutShort: false };

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
