import { describe, expect, it } from "vitest";

import type { Farm } from "../../workload/index.ts";
import { defaultFarm } from "../service/farm-plan.ts";
import { planOf } from "./plan.ts";

const LEAST = { namespace: "croft", schedule: "all" };

function farmWith(settings: object, pool: object = {}, farm: object = {}): Farm {
  const made = defaultFarm();
  const engine = { kind: "kubernetes", settings: { ...LEAST, ...settings } };
  return { ...made, pools: [{ ...made.pools[0], name: "cluster", engine, ...pool }], ...farm };
}

describe("the pool whose pods are scheduled", () => {
  it("has what the file says, and defaults", () => {
    expect(planOf(farmWith({}), null)).toMatchObject({
      namespace: "croft",
      schedulerName: "croft",
      gpuResource: "nvidia.com/gpu",
      familyLabel: null,
      packing: null,
      victim: null,
    });
    expect(planOf(farmWith({ familyLabel: "example.org/flow" }), "cluster")).toMatchObject({
      familyLabel: "example.org/flow",
      packing: "relaxed",
    });
    const evicting = farmWith({ evict: true }, {}, { preemption: { keepsMemory: true, victim: "last" } });
    expect(planOf(evicting, null).victim).toBe("last");
  });

  it.each<[string, Farm, string | null, string]>([
    ["no such pool", farmWith({}), "other", "pool other: it has engine"],
    ["own jobs", farmWith({ schedule: "own" }), null, "no pool has engine"],
    [
      "another engine",
      farmWith({}, { engine: { kind: "local", settings: LEAST } }),
      null,
      "is of the engine kubernetes",
    ],
    ["shares", farmWith({}, { shares: [{ path: "/a", share: 1 }] }), null, "shares has no effect"],
    ["licences", farmWith({}, { licences: [{ name: "x", count: 1 }] }), null, "licences has no effect"],
    [
      "preemption",
      farmWith({}, {}, { preemption: { keepsMemory: true, victim: "last" } }),
      null,
      "only where that is allowed: say preemption: { victim: none } in the file, or evict: true",
    ],
    ["evictions without preemption", farmWith({ evict: true }), null, "evict: true has no effect under"],
    ["evictions by another word", farmWith({ evict: "yes" }), null, "evict: "],
    ["limits", farmWith({}, {}, { limits: [] }), null, "limits and reservations have no effect"],
    ["an image", farmWith({ image: "python" }), null, "image: there is no such setting"],
    ["tolerations", farmWith({ tolerations: [] }), null, "tolerations: there is no such setting"],
    ["no namespace", farmWith({ namespace: "" }), null, "namespace: give a text"],
    [
      "packing without families",
      farmWith({ packing: "exclusive" }),
      null,
      "packing: it is for pods that have families",
    ],
    [
      "families that are not packed",
      farmWith({ familyLabel: "flow", packing: "none" }),
      null,
      "packing: it is for",
    ],
    ["a label that is none", farmWith({ familyLabel: "a b" }), null, "familyLabel: give the name of a label"],
    [
      "the name of another",
      farmWith({ schedulerName: "default-scheduler" }),
      null,
      "schedulerName: give a name",
    ],
  ])("is refused with %s", (_, farm, pool, message) => {
    expect(() => planOf(farm, pool)).toThrow(message);
  });

  it("has to be named where there are several", () => {
    const farm = farmWith({});
    const two = { ...farm, pools: [farm.pools[0], { ...farm.pools[0], name: "second" }] };
    expect(() => planOf(two, null)).toThrow("name one by --pool: cluster, second");
    expect(planOf(two, "second").pool.name).toBe("second");
  });
});
