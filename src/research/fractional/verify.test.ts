import { describe, expect, test } from "vitest";

import type { FractionalInstance } from "./instance.ts";
import { verifyPlacement, violationText } from "./verify.ts";

/** Two hosts of two elements of 0.5 each, memory 1 and 0.5; two services. */
const instance: FractionalInstance = {
  dimensions: 2,
  hosts: 2,
  services: 2,
  elementaryCapacity: Float64Array.of(0.5, 1, 0.5, 0.5),
  aggregateCapacity: Float64Array.of(1, 1, 1, 0.5),
  elementaryRequirement: Float64Array.of(0, 0.6, 0, 0.5),
  elementaryNeed: Float64Array.of(0.5, 0, 1, 0),
  aggregateRequirement: Float64Array.of(0, 0.6, 0, 0.5),
  aggregateNeed: Float64Array.of(1, 0, 1, 0),
};

const textOf = (hostOf: number[], yields: number[]): string[] =>
  verifyPlacement(instance, hostOf, yields).map(violationText);

describe("verifyPlacement", () => {
  test("has nothing to say of a placement that is right", () => {
    expect(verifyPlacement(instance, [0, 1], [1, 0.5])).toEqual([]);
  });

  test("finds a yield that one element cannot give", () => {
    expect(verifyPlacement(instance, [0, 1], [1, 0.6])).toEqual([
      { kind: "elementary", service: 1, host: 1, dimension: 0, amount: 0.6, capacity: 0.5 },
    ]);
  });

  test("finds hosts that are too full, by requirements and by needs", () => {
    expect(textOf([0, 0], [0.7, 0.4])).toEqual([
      "the services on host 1 take 1.1 in dimension 1, and it has 1",
      "the services on host 1 take 1.1 in dimension 2, and it has 1",
    ]);
  });

  test("finds an element that is too small for a requirement", () => {
    expect(textOf([1, 0], [0, 0])).toEqual([
      "service 1 takes 0.6 of an element of host 2 in dimension 2, which has 0.5",
      "the services on host 2 take 0.6 in dimension 2, and it has 0.5",
    ]);
  });

  test("finds hosts and yields that are none", () => {
    expect(textOf([2, 1], [1.5, Number.NaN])).toEqual([
      "service 1 is on host 3, which does not exist",
      "service 1 has yield 1.5, not one from 0 to 1",
      "service 2 has yield NaN, not one from 0 to 1",
    ]);
    expect(textOf([0], [1, 1])).toEqual(["1 hosts and 2 yields are given for 2 services"]);
  });

  test("sums tenths to one, and does not overlook a millionth", () => {
    const tenths: FractionalInstance = {
      dimensions: 1,
      hosts: 1,
      services: 10,
      elementaryCapacity: Float64Array.of(1),
      aggregateCapacity: Float64Array.of(1),
      elementaryRequirement: new Float64Array(10).fill(0.1),
      elementaryNeed: new Float64Array(10).fill(1e-6),
      aggregateRequirement: new Float64Array(10).fill(0.1),
      aggregateNeed: new Float64Array(10).fill(1e-6),
    };
    const all = new Int32Array(10);
    expect(verifyPlacement(tenths, all, new Float64Array(10))).toEqual([]);
    expect(verifyPlacement(tenths, all, new Float64Array(10).fill(0.1))).toHaveLength(1);
  });

  test("takes a millionth of a capacity for too much, whatever the units", () => {
    for (const unit of [1e-12, 1, 1e12]) {
      const one: FractionalInstance = {
        dimensions: 1,
        hosts: 1,
        services: 1,
        elementaryCapacity: Float64Array.of(unit),
        aggregateCapacity: Float64Array.of(unit),
        elementaryRequirement: new Float64Array(1),
        elementaryNeed: Float64Array.of(2 * unit),
        aggregateRequirement: new Float64Array(1),
        aggregateNeed: Float64Array.of(2 * unit),
      };
      expect(verifyPlacement(one, [0], [0.5])).toEqual([]);
      expect(verifyPlacement(one, [0], [0.500001])).toHaveLength(2);
    }
  });

  test("lists no more than a hundred", () => {
    const many = { ...instance, services: 500 };
    expect(verifyPlacement(many, new Int32Array(500).fill(-1), new Float64Array(500))).toHaveLength(100);
  });
});
