import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { allocate } from "./allocate.ts";
import type { FractionalInstance } from "./instance.ts";
import { minYieldOf } from "./min-yield.ts";
import { verifyPlacement } from "./verify.ts";

/** Services on hosts of capacity 1 in each dimension, in one element unless told. */
function instanceOf(
  hosts: number,
  needs: readonly (readonly number[])[],
  requirements: readonly (readonly number[])[] = needs.map((row) => row.map(() => 0)),
  element = 1,
): FractionalInstance {
  const dimensions = needs[0].length;
  const need = Float64Array.from(needs.flat());
  const requirement = Float64Array.from(requirements.flat());
  return {
    dimensions,
    hosts,
    services: needs.length,
    elementaryCapacity: new Float64Array(hosts * dimensions).fill(element),
    aggregateCapacity: new Float64Array(hosts * dimensions).fill(1),
    elementaryRequirement: requirement,
    elementaryNeed: need,
    aggregateRequirement: requirement,
    aggregateNeed: need,
  };
}

function yields(instance: FractionalInstance, ...hostOf: number[]): number[] {
  return [...allocate(instance, Int32Array.from(hostOf))].map((value) => Math.round(value * 1e9) / 1e9);
}

describe("allocate", () => {
  it("gives all the same where one resource is short", () => {
    expect(yields(instanceOf(1, [[1], [1], [2]]), 0, 0, 0)).toEqual([0.25, 0.25, 0.25]);
  });

  it("fills each host by itself", () => {
    expect(yields(instanceOf(2, [[1], [1], [0.5]]), 0, 0, 1)).toEqual([0.5, 0.5, 1]);
  });

  it("hands on what someone has no more use for", () => {
    // An element of 0.3 holds the first at 0.5; the second, small enough, takes what is left of 1.
    expect(yields(instanceOf(1, [[0.6], [0.2], [0.2]], undefined, 0.3), 0, 0, 0)).toEqual([0.5, 1, 1]);
  });

  it("raises those who need nothing of what is used up", () => {
    // Dimension 1 is used up at 0.5 for the first two; the third needs dimension 2 only, beside the second.
    const needs = [
      [1, 0],
      [1, 0.4],
      [0, 1],
    ];
    expect(yields(instanceOf(1, needs), 0, 0, 0)).toEqual([0.5, 0.5, 0.8]);
  });

  it("keeps requirements free", () => {
    expect(yields(instanceOf(1, [[1], [1]], [[0.2], [0.3]]), 0, 0)).toEqual([0.25, 0.25]);
  });

  it("is right, least as large as can be, and nobody can rise but at the cost of who has no more", () => {
    const row = fc.array(
      fc.integer({ min: 0, max: 12 }).map((n) => n / 20),
      { minLength: 2, maxLength: 2 },
    );
    const service = fc.tuple(
      row,
      row.map((amounts) => amounts.map((amount) => amount / 8)),
      fc.nat(1),
    );
    fc.assert(
      fc.property(
        fc.array(service, { minLength: 1, maxLength: 7 }),
        fc.constantFrom(0.4, 0.7, 1),
        (services, element) => {
          const instance = instanceOf(
            2,
            services.map(([need]) => need),
            services.map(([, requirement]) => requirement),
            element,
          );
          const hostOf = Int32Array.from(services, ([, , host]) => host);
          const least = minYieldOf(instance, hostOf);
          fc.pre(least >= 0);
          const given = allocate(instance, hostOf);
          expect(verifyPlacement(instance, hostOf, given)).toEqual([]);
          expect(Math.min(...given)).toBeCloseTo(least, 9);
          for (let service = 0; service < given.length; service++) {
            if (given[service] >= 1 - 1e-6) continue;
            // A little more for one, a little less for all who have more than he.
            const tried = given.map((value, other) =>
              other === service ? value + 1e-5 : value > given[service] + 1e-4 ? value - 1e-4 : value,
            );
            expect(verifyPlacement(instance, hostOf, tried)).not.toEqual([]);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
