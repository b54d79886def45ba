import { describe, expect, test } from "vitest";

import {
  rangeText,
  sensitivityValues,
  studyBuckets,
  studySensitivity,
} from "../../src/research/study/index.ts";
import { generators, readMachines } from "../../src/workload/index.ts";

const pool = generators.find(({ name }) => name === "netbatch-a")!;
const machines = await readMachines("64x8c64g");

describe("what the guesses in a pool decide", () => {
  test("is the bucket experiment for every value, and where the claims hold", async () => {
    const { rows, ranges, jobs } = await studySensitivity(
      (model) => pool.generate({ jobs: 3000, model }),
      pool.model!,
      machines,
      "a",
    );
    expect(jobs).toBe(3000);
    for (const [parameter, values] of Object.entries(sensitivityValues)) {
      const own = rows.filter((row) => row.parameter === parameter);
      expect(own.map(({ value }) => value)).toEqual(
        [...new Set([...values, pool.model![parameter as keyof typeof sensitivityValues]])].sort(
          (a, b) => a - b,
        ),
      );
      expect(own.filter(({ isUsual }) => isUsual)).toHaveLength(1);
    }
    const one = rows.find(({ parameter, value }) => parameter === "memoryFactor" && value === 0.5)!;
    const workload = pool.generate({ jobs: 3000, model: { memoryFactor: 0.5 } });
    expect(one.result).toEqual(studyBuckets(workload, machines));
    // Claims about other pools, which cannot be judged, have no range.
    expect(ranges.some(({ claim }) => claim.startsWith("pool A: mix-fit"))).toBe(true);
    expect(ranges.some(({ claim }) => claim.startsWith("pool C"))).toBe(false);
    for (const { claim, holdsAsIs, holdsAt } of ranges)
      for (const { parameter, values } of holdsAt) {
        const holding = rows
          .filter((row) => row.parameter === parameter)
          .filter(({ claims }) => claims.find((each) => each.claim === claim)!.holds)
          .map(({ value }) => value);
        expect(values).toEqual(holding);
        expect(values.includes(pool.model![parameter])).toBe(holdsAsIs);
      }
  });

  test("is told as ranges of neighbours among the values tried", () => {
    const tried = [1, 4, 12, 30];
    expect(rangeText(tried, [])).toBe("none");
    expect(rangeText(tried, tried)).toBe("all");
    expect(rangeText(tried, [1, 4])).toBe("1 to 4");
    expect(rangeText(tried, [1, 12, 30])).toBe("1, 12 to 30");
  });
});
