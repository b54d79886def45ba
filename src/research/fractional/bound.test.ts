import { describe, expect, it } from "vitest";

import { closedFormBound, yieldBound } from "./bound.ts";
import { infeasibleText, whyInfeasible } from "./infeasible.ts";
import type { FractionalInstance } from "./instance.ts";

interface Rows {
  readonly elements: readonly number[];
  readonly hosts: readonly number[];
  /** Requirement and need, elementary; times `parts` in aggregate. */
  readonly services: readonly (readonly [requirement: number, need: number, parts?: number])[];
}

function oneDimension({ elements, hosts, services }: Rows): FractionalInstance {
  return {
    dimensions: 1,
    hosts: hosts.length,
    services: services.length,
    elementaryCapacity: Float64Array.from(elements),
    aggregateCapacity: Float64Array.from(hosts),
    elementaryRequirement: Float64Array.from(services, ([requirement]) => requirement),
    elementaryNeed: Float64Array.from(services, ([, need]) => need),
    aggregateRequirement: Float64Array.from(services, ([requirement, , parts = 1]) => requirement * parts),
    aggregateNeed: Float64Array.from(services, ([, need, parts = 1]) => need * parts),
  };
}

describe("closedFormBound", () => {
  it("is the slides' formula: capacity less requirements and minimum yields, over the rest of the needs", () => {
    // Two hosts; a service that requires 0.5, and three with need 1, one with minimum yield 0.4 folded in.
    const instance = oneDimension({
      elements: [1, 1],
      hosts: [1, 1],
      services: [
        [0.5, 0],
        [0, 1],
        [0, 1],
        [0.4, 0.6],
      ],
    });
    expect(closedFormBound(instance)).toBeCloseTo((2 - 0.5 - 0.4) / (1 + 1 + 0.6), 6);
  });

  it("is at most 1, and -1 where requirements are more than there is", () => {
    expect(closedFormBound(oneDimension({ elements: [1], hosts: [1], services: [[0, 0.5]] }))).toBe(1);
    expect(
      closedFormBound(
        oneDimension({
          elements: [1],
          hosts: [1],
          services: [
            [0.6, 0],
            [0.6, 0],
          ],
        }),
      ),
    ).toBe(-1);
  });
});

describe("yieldBound", () => {
  it("knows that a service has to fit somewhere", () => {
    expect(yieldBound(oneDimension({ elements: [0.5], hosts: [2], services: [[0, 1]] }))).toBeCloseTo(0.5, 5);
  });

  it("knows that large services crowd on large hosts", () => {
    // Above a yield of 0.5 the two fit on elements of 1 only, of which there is one host.
    const instance = oneDimension({
      elements: [1, 0.5, 0.5],
      hosts: [1, 4, 4],
      services: [
        [0, 1],
        [0, 1],
      ],
    });
    expect(closedFormBound(instance)).toBe(1);
    expect(yieldBound(instance)).toBeCloseTo(0.5, 5);
  });
});

describe("whyInfeasible", () => {
  const reason = (rows: Rows): string => {
    const instance = oneDimension(rows);
    expect(yieldBound(instance)).toBe(-1);
    return infeasibleText(whyInfeasible(instance)!);
  };

  it("names the service that is too large, and what is too small for it", () => {
    expect(
      reason({
        elements: [0.5, 0.4],
        hosts: [1, 2],
        services: [
          [0.1, 0],
          [0.6, 0],
        ],
      }),
    ).toBe("service 2 requires 0.6 of dimension 1 on one element of a host, and the largest has 0.5");
    expect(reason({ elements: [1, 1], hosts: [1, 2], services: [[0.5, 0, 5]] })).toBe(
      "service 1 requires 2.5 of dimension 1 on one host, and the largest has 2",
    );
  });

  it("says so where each host lacks something else", () => {
    expect(reason({ elements: [0.5, 0.1], hosts: [0.5, 2], services: [[0.3, 0, 4]] })).toBe(
      "service 1 fits on no host: each lacks something that it requires",
    );
  });

  it("names those that crowd on the few hosts that are large enough", () => {
    const services = [
      [0.1, 0],
      [0.6, 0],
      [0.6, 0],
    ] as const;
    expect(reason({ elements: [1, 0.5, 0.5], hosts: [1, 0.5, 0.5], services })).toMatch(
      /^service 2 and 1 more require so much of dimension 1 on one host that only 1 of the hosts are large enough; together they require 1\.2 of dimension 1, and those hosts have 1$/,
    );
    expect(reason({ elements: [1, 0.5], hosts: [1, 4], services })).toContain(
      "service 2 and 1 more require so much of dimension 1 on one element that only 1 of the hosts are large enough",
    );
  });

  it("does not depend on the units", () => {
    const services = [
      [0.6e-9, 0],
      [0.6e-9, 0],
    ] as const;
    expect(reason({ elements: [1e-9], hosts: [1e-9], services })).toBe(
      "all services together require 1.2e-9 of dimension 1, and all hosts together have 1e-9",
    );
    expect(reason({ elements: [0.5e-9], hosts: [1e-9], services: services.slice(0, 1) })).toBe(
      "service 1 requires 6e-10 of dimension 1 on one element of a host, and the largest has 5e-10",
    );
  });

  it("says so where all together are too many", () => {
    const services = [
      [0.75, 0],
      [0.75, 0],
    ] as const;
    expect(reason({ elements: [1], hosts: [1], services })).toBe(
      "all services together require 1.5 of dimension 1, and all hosts together have 1",
    );
  });
});
