import { describe, expect, it } from "vitest";

import type { FractionalInstance } from "../instance.ts";
import { bestGreedy } from "./greedy.ts";
import { HostLoads } from "./host-loads.ts";
import { hostPicks, type Counted } from "./host-picks.ts";
import { orderedServices, serviceOrders } from "./service-orders.ts";

type Amounts = readonly [cores: number, memory: number];

function instanceOf(
  hosts: readonly Amounts[],
  services: readonly (readonly [need: Amounts, requirement: Amounts])[],
): FractionalInstance {
  const capacity = Float64Array.from(hosts.flat());
  const need = Float64Array.from(services.flatMap(([amounts]) => amounts));
  const requirement = Float64Array.from(services.flatMap(([, amounts]) => amounts));
  return {
    dimensions: 2,
    hosts: hosts.length,
    services: services.length,
    elementaryCapacity: capacity,
    aggregateCapacity: capacity,
    elementaryRequirement: requirement,
    elementaryNeed: need,
    aggregateRequirement: requirement,
    aggregateNeed: need,
  };
}

describe("the best of many", () => {
  const instance = instanceOf(
    [[1, 1]],
    [
      [
        [2, 0],
        [0, 0.1],
      ],
    ],
  );
  const pairs = serviceOrders.map((order) => ({ order, pick: hostPicks[0] }));

  it("says that not all were tried where that is too much work", () => {
    expect(bestGreedy(instance, pairs, 1, 0)).toEqual({
      hostOf: new Int32Array([0]),
      minYield: 0.5,
      isCutShort: true,
    });
    expect(bestGreedy(instance, pairs, 1)).toEqual({ hostOf: new Int32Array([0]), minYield: 0.5 });
  });
});

describe("orders of services", () => {
  const instance = instanceOf(
    [[1, 1]],
    [
      [
        [0.1, 0],
        [0.3, 0.3],
      ],
      [
        [0.5, 0],
        [0, 0.1],
      ],
      [
        [0.3, 0.3],
        [0, 0.5],
      ],
    ],
  );

  it.each([
    ["S1", [1, 2, 3]],
    ["S2", [2, 3, 1]],
    ["S3", [3, 2, 1]],
    ["S4", [3, 1, 2]],
    ["S5", [1, 3, 2]],
    ["S6", [3, 2, 1]],
    ["S7", [3, 1, 2]],
  ])("%s", (name, expected) => {
    const order = serviceOrders.find((each) => each.name === name)!;
    expect([...orderedServices(instance, order)].map((service) => service + 1)).toEqual(expected);
  });
});

describe("picks of hosts", () => {
  // The first two services are placed, on hosts 1 and 2; hosts 1 to 4 can take the third.
  const instance = instanceOf(
    [
      [1, 1],
      [0.8, 1],
      [0.5, 0.9],
      [2, 0.4],
    ],
    [
      [
        [0.9, 0],
        [0, 0.1],
      ],
      [
        [0, 0],
        [0.1, 0.6],
      ],
      [
        [0.4, 0],
        [0, 0.3],
      ],
    ],
  );

  it.each<[string, Counted, number]>([
    // Cores left are 0.1, 0.7, 0.5, 2 with all counted, and 1, 0.7, 0.5, 2 with requirements only.
    ["P1", "all", 4],
    ["P1", "requirements", 4],
    // (0.9 + 0.4) ÷ 1, 0.5 ÷ 0.8, 0.4 ÷ 0.5, 0.4 ÷ 2.
    ["P2", "all", 4],
    // 1.3 ÷ 1.6, 0.4 ÷ 0.8, 0.4 ÷ 1.1, 0.4 ÷ 2.1.
    ["P2", "requirements", 4],
    // Memory left is 0.9, 0.4, 0.9, 0.4.
    ["P3", "all", 2],
    ["P5", "requirements", 1],
    // In total 1, 1.1, 1.4, 2.4 with all counted, and 1.9, 1.1, 1.4, 2.4.
    ["P4", "all", 1],
    ["P4", "requirements", 2],
    ["P6", "all", 4],
    ["P7", "all", 1],
  ])("%s, %s counted", (name, counted, expected) => {
    const loads = new HostLoads(instance);
    loads.put(0, 0);
    loads.put(1, 1);
    const pick = hostPicks.find((each) => each.name === name)!;
    const dimension = pick.dimension?.(instance, 2) ?? 0;
    const scores = [0, 1, 2, 3].map((host) => pick.score(loads, host, 2, counted, dimension));
    expect(scores.indexOf(Math.min(...scores)) + 1).toBe(expected);
    expect([0, 1, 2, 3].map((host) => loads.hasRoom(host, 2))).toEqual([true, true, true, true]);
  });
});
