import { expect, test } from "vitest";

import { aloneText, judgedAlone } from "../../src/study/claims/parts.ts";
import type { Judgement } from "../../src/study/index.ts";

/** A heuristic's lead in a part; null: the part cannot tell. */
function lead(value: number | null): Judgement {
  if (value === null) return { holds: null, evidence: "no queue" };
  return { holds: value > 0, evidence: "", figure: { what: "lead", value, unit: "points" } };
}

test("parts give the interval of the deciding figure, and how many of them bear the claim out", () => {
  // The mean is 0.02, s = 0.02 and t(2) = 4.3027: the margin is 0.0497.
  const alone = judgedAlone([lead(0.04), lead(0), lead(null), lead(0.02)], "weeks")!;
  expect(alone).toMatchObject({ parts: "weeks", judged: 3, holding: 2 });
  expect(aloneText(alone)).toBe("lead +2.0 points (95 %: −3.0 points to +7.0 points); holds in 2 of 3 weeks");
});

test("one part has no interval, and parts that cannot tell say nothing", () => {
  expect(aloneText(judgedAlone([lead(0.04), lead(null)], "traces")!)).toBe("holds in 1 of 1 traces");
  expect(judgedAlone([lead(null)], "traces")).toBeUndefined();
});

test("a figure that not every part has is not averaged over the others", () => {
  const without: Judgement = { holds: true, evidence: "" };
  expect(judgedAlone([lead(0.04), lead(0.02), without], "weeks")).toMatchObject({
    judged: 3,
    interval: null,
  });
});
