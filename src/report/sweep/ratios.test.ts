import { describe, expect, it } from "vitest";

import { ratiosOf, sweepMeasures } from "./ratios.ts";
import type { SweepRow } from "./sweep-input.ts";

const [wait] = sweepMeasures;

function row(log: string, policy: string, seed: number | null, waitMeanSeconds: number, load = 1): SweepRow {
  const run = { waitMeanSeconds, boundedSlowdownMean: 1 } as SweepRow["run"];
  return { log, policy, seed, load, estimates: "log", run };
}

const of = (rows: SweepRow[]): ReturnType<typeof ratiosOf> =>
  ratiosOf(
    {
      logs: ["a", "b"].map((name) => ({ name, synthetic: false, on: "", unseen: [] })),
      policies: ["base", "p"],
      baseline: "base",
      rows,
    },
    wait,
  );

describe("the ratios of a sweep", () => {
  it("are geometric means, in which each log counts alike", () => {
    const { logs, all } = of([
      row("a", "base", null, 10),
      row("a", "p", null, 20),
      row("a", "base", null, 10, 2),
      row("a", "p", null, 80, 2),
      row("b", "base", null, 100),
      row("b", "p", null, 25),
    ]);
    // Log a: √(2 × 8) = 4; log b: 1/4; both: √(4 × 1/4) = 1.
    expect(logs.map(({ ratios }) => ratios[0].ratio)).toEqual([expect.closeTo(4), expect.closeTo(0.25)]);
    expect(all).toEqual([{ policy: "p", ratio: expect.closeTo(1), interval: null, pairs: 3, leftOut: 0 }]);
  });

  it("have an interval over seeds, by Student's t on the logarithm", () => {
    const { logs, all } = of([
      ...[1, 2].flatMap((seed) => [row("a", "base", seed, 1), row("a", "p", seed, Math.exp(seed))]),
      row("b", "base", null, 1),
      row("b", "p", null, 1),
    ]);
    // Log a: logarithms 1 and 2, mean 1.5, standard error 0.5; t of one degree is 12.706.
    const ratio = logs[0].ratios[0];
    expect(ratio.ratio).toBeCloseTo(Math.exp(1.5));
    expect(Math.log(ratio.interval!.low)).toBeCloseTo(1.5 - 12.706 * 0.5, 2);
    expect(Math.log(ratio.interval!.high)).toBeCloseTo(1.5 + 12.706 * 0.5, 2);
    // Log b is the same in both seeds: 0.5 and 1, mean 0.75, standard error 0.25.
    expect(Math.log(all[0].ratio!)).toBeCloseTo(0.75);
    expect(Math.log(all[0].interval!.high)).toBeCloseTo(0.75 + 12.706 * 0.25, 2);
  });

  it("leave out pairs of which one is 0, and say how many", () => {
    const { logs, all } = of([
      row("a", "base", null, 0),
      row("a", "p", null, 3),
      row("b", "base", null, 2),
      row("b", "p", null, 1),
    ]);
    expect(logs[0].ratios[0]).toMatchObject({ ratio: null, pairs: 0, leftOut: 1 });
    expect(all[0]).toMatchObject({ ratio: expect.closeTo(0.5), pairs: 1, leftOut: 1 });
  });
});
