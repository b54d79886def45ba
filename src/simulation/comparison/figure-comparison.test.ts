import * as fc from "fast-check";
import { expect, it } from "vitest";

import type { DayWait } from "../figures/job-figures.ts";
import { compareFigures } from "./figure-comparison.ts";
import { compareWaits } from "./wait-comparison.ts";

/** Days with as much wasted as waited, and a stretch in proportion. */
const days = (hours: readonly number[]): Required<DayWait>[] =>
  hours.map((each, day) => {
    const seconds = 100 * 3600 * each;
    return { day, jobs: 100, waitSumSeconds: seconds, wastedSumSeconds: seconds, stretchSum: seconds / 600 };
  });

const someHours = fc.array(fc.double({ min: 0.5, max: 10, noNaN: true }), { minLength: 30, maxLength: 30 });

it("is sure of a figure as it is of waits that behave alike", () => {
  fc.assert(
    fc.property(someHours, someHours, (before, after) => {
      const [baseline, policy] = [days(before), days(after)];
      const mean = (of: readonly DayWait[]): number =>
        of.reduce((sum, { waitSumSeconds }) => sum + waitSumSeconds, 0) / of.length / 100;
      const waits = compareWaits(
        { policy: "b", run: { waitMeanSeconds: mean(baseline), days: baseline } },
        { policy: "p", run: { waitMeanSeconds: mean(policy), days: policy } },
        2,
      );
      for (const figure of ["wastedSumSeconds", "stretchSum"] as const) {
        const compared = compareFigures({ days: baseline }, { days: policy }, figure, 2)!;
        expect(compared.silence).toBe(waits.silence);
        expect(compared.change).toBeCloseTo(waits.change!, 9);
        if (waits.interval === null) expect(compared.interval).toBeNull();
        else expect(compared.interval!.low).toBeCloseTo(waits.interval.low, 9);
      }
    }),
  );
});

it("says nothing where the days are few, or are not known", () => {
  const few = days([1, 2, 3]);
  expect(compareFigures({ days: few }, { days: few }, "stretchSum", 1)).toMatchObject({
    judgement: "cannot be judged",
    silence: "few days",
  });
  const recorded: DayWait[] = [{ day: 0, jobs: 1, waitSumSeconds: 5 }];
  expect(compareFigures({ days: recorded }, { days: few }, "stretchSum", 1)).toBeNull();
});

it("is silent where nearly all that is wasted is in one part of the log, though waits are spread", () => {
  const baseline = days(Array<number>(30).fill(1));
  const once = baseline.map((day, at) => ({ ...day, wastedSumSeconds: at === 3 ? 1e9 : 1 }));
  expect(compareFigures({ days: baseline }, { days: once }, "wastedSumSeconds", 1)).toMatchObject({
    interval: null,
    silence: "one time",
  });
});
