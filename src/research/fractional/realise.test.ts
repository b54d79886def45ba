import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { withEqualNeeds, withErrors, withThreshold } from "./estimates.ts";
import type { FractionalInstance } from "./instance.ts";
import { realisedYields, sharings } from "./realise.ts";
import { verifyPlacement } from "./verify.ts";

/** One host of cores 1 in elements of `element`; services with the needs given. */
function oneHost(needs: readonly number[], element = 1): FractionalInstance {
  const zeros = new Float64Array(needs.length);
  return {
    dimensions: 1,
    hosts: 1,
    services: needs.length,
    elementaryCapacity: Float64Array.of(element),
    aggregateCapacity: Float64Array.of(1),
    elementaryRequirement: zeros,
    elementaryNeed: Float64Array.from(needs),
    aggregateRequirement: zeros,
    aggregateNeed: Float64Array.from(needs),
  };
}

function realised(actual: FractionalInstance, estimated: FractionalInstance, minYield: number): object {
  const { services } = actual;
  return Object.fromEntries(
    sharings.map((sharing) => [
      sharing,
      Array.from(
        realisedYields(
          actual,
          estimated,
          new Int32Array(services),
          new Float64Array(services).fill(minYield),
          sharing,
        ),
        (value) => Math.round(value * 1e6) / 1e6,
      ),
    ]),
  );
}

describe("realisedYields", () => {
  test("gives what was planned where the estimates are right", () => {
    const actual = oneHost([0.5, 1.5]);
    expect(realised(actual, actual, 0.5)).toEqual({
      caps: [0.5, 0.5],
      weights: [0.5, 0.5],
      // Half the host each: the first needs no more.
      equal: [1, 0.333333],
    });
  });

  test("hard caps waste what weights hand on", () => {
    // Thought to need 1 each, and so allocated half the host each. In truth 0.2 and 1.
    expect(realised(oneHost([0.2, 1]), oneHost([1, 1]), 0.5)).toEqual({
      caps: [1, 0.5],
      weights: [1, 0.8],
      equal: [1, 0.8],
    });
  });

  test("equal shares forget the allocations, weights keep them", () => {
    // Thought 0.5 and 1.5: allocated 0.25 and 0.75. In truth 1 each.
    expect(realised(oneHost([1, 1]), oneHost([0.5, 1.5]), 0.5)).toEqual({
      caps: [0.25, 0.75],
      weights: [0.25, 0.75],
      equal: [0.5, 0.5],
    });
  });

  test("shares are handed on from one to the next, and no element gives more than it has", () => {
    // Equal thirds; the first needs 0.1, the second 0.4: 0.1, 0.4 and 0.5 for the third.
    expect(realised(oneHost([0.1, 0.4, 1]), oneHost([1, 1, 1]), 1 / 3)).toMatchObject({ equal: [1, 1, 0.5] });
    expect(realised(oneHost([0.1, 0.4, 1], 0.25), oneHost([1, 1, 1]), 0.2)).toMatchObject({
      equal: [1, 0.625, 0.25],
    });
  });

  test("keeps the capacities, uses them up, and equal shares are fair, on random hosts", () => {
    const needs = fc.array(
      fc.integer({ min: 1, max: 30 }).map((n) => n / 20),
      { minLength: 1, maxLength: 7 },
    );
    fc.assert(
      fc.property(needs, fc.infiniteStream(fc.integer({ min: 1, max: 30 })), (list, guesses) => {
        const actual = oneHost(list);
        const estimated = oneHost(list.map(() => guesses.next().value! / 20));
        const total = list.reduce((sum, need) => sum + need, 0);
        const planned = Math.min(1, 1 / estimated.aggregateNeed.reduce((sum, need) => sum + need, 0));
        const yields = new Float64Array(list.length).fill(planned);
        const hostOf = new Int32Array(list.length);
        for (const sharing of sharings) {
          const got = realisedYields(actual, estimated, hostOf, yields, sharing);
          // An element of 1 may be less than a need.
          expect(verifyPlacement(actual, hostOf, got)).toEqual([]);
          if (sharing === "caps") continue;
          const used = got.reduce((sum, value, service) => sum + value * list[service], 0);
          expect(used).toBeCloseTo(Math.min(1, total), 6);
          if (sharing === "equal") {
            // Who is not served in full has as much as anyone.
            const most = Math.max(...list.map((need, service) => need * got[service]));
            list.forEach((need, service) => {
              if (got[service] < 0.999 && need * got[service] < 0.999)
                expect(need * got[service]).toBeCloseTo(most, 6);
            });
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  test("with several fluid dimensions nobody holds what it cannot use", () => {
    // The first is short of dimension 2, and so takes only half of what it needs of 1.
    const actual: FractionalInstance = {
      dimensions: 2,
      hosts: 1,
      services: 2,
      elementaryCapacity: Float64Array.of(1, 1),
      aggregateCapacity: Float64Array.of(1, 1),
      elementaryRequirement: new Float64Array(4),
      elementaryNeed: Float64Array.of(0.8, 1, 0.8, 1),
      aggregateRequirement: new Float64Array(4),
      aggregateNeed: Float64Array.of(0.8, 2, 0.8, 0),
    };
    const [first, second] = realisedYields(actual, actual, new Int32Array(2), new Float64Array(2), "equal");
    expect(first).toBeCloseTo(0.5, 6);
    expect(second).toBeCloseTo(0.6 / 0.8, 6);
  });
});

describe("estimates", () => {
  const actual = { ...oneHost([0.05, 0.5]), elementaryNeed: Float64Array.of(0.05, 0.25) };

  test("are off by no more than the error, and never nothing; elementary needs in proportion", () => {
    const draws = [0, 0.75];
    const estimated = withErrors(actual, 0.1, () => draws.shift()!);
    expect([...estimated.aggregateNeed]).toEqual([0.001, expect.closeTo(0.55, 12)]);
    expect([...estimated.elementaryNeed]).toEqual([0.001, expect.closeTo(0.275, 12)]);
    expect(withErrors(actual, 0, () => 0.9)).toEqual(actual);
  });

  test("are raised to a threshold, or all the same", () => {
    expect([...withThreshold(actual, 0.2).aggregateNeed]).toEqual([0.2, 0.5]);
    expect([...withEqualNeeds(actual).aggregateNeed]).toEqual([1, 1]);
    expect([...withThreshold(oneHost([0]), 0.2).aggregateNeed]).toEqual([0]);
  });
});
