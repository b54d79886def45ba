import { expect, test } from "vitest";
import type { FigureComparison } from "../simulation/comparison/figure-comparison.ts";
import type { WaitComparison } from "../simulation/comparison/wait-comparison.ts";
import { figureCautions } from "./figure-verdict.ts";
import { boundedSlowdown } from "./metrics.ts";
import { silenceText } from "./silence-text.ts";

const silences = ["few days", "backlog", "one time", "growth"] as const satisfies NonNullable<
  WaitComparison["silence"]
>[];

test.each(silences)("a verdict by stretch says %s as one by waits does", (silence) => {
  const compared: FigureComparison = {
    change: -0.2,
    interval: null,
    nextMonth: null,
    judgement: "cannot be judged",
    silence,
  };
  const [caution] = figureCautions(boundedSlowdown, compared, 6);
  expect(caution).toContain(`No confidence interval is given: ${silenceText(silence, 6, "of it")}.`);
});
