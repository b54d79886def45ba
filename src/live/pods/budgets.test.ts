import { expect, it } from "vitest";

import { Budgets } from "./budgets.ts";
import type { ScheduledPod } from "./objects.ts";
import { podOf } from "./world.fixture.ts";

function pod(name: string, labels: Record<string, string>, phase = "Running"): ScheduledPod {
  return { ...podOf(name, { labels }), status: { phase } } as ScheduledPod;
}

function budget(selector: object | null, disruptionsAllowed: number, namespace = "work") {
  return { metadata: { name: "b", namespace }, spec: { selector }, status: { disruptionsAllowed } };
}

const web = pod("web", { app: "web", tier: "front" });

it.each([
  [{ matchLabels: { app: "web" } }, true],
  [{ matchLabels: { app: "web", tier: "back" } }, false],
  [{ matchExpressions: [{ key: "app", operator: "In", values: ["db", "web"] }] }, true],
  [{ matchExpressions: [{ key: "app", operator: "NotIn", values: ["web"] }] }, false],
  [{ matchExpressions: [{ key: "other", operator: "NotIn", values: ["web"] }] }, true],
  [{ matchExpressions: [{ key: "tier", operator: "Exists" }] }, true],
  [{ matchExpressions: [{ key: "tier", operator: "DoesNotExist" }] }, false],
  [{}, true],
  [null, false],
])("a budget that selects by %j covers the pod: %s", (selector, isCovered) => {
  const forbidden = new Budgets([budget(selector, 0)]).take([web]);
  expect([forbidden !== null, forbidden?.forbids(web) ?? false]).toEqual([isCovered, isCovered]);
});

it("counts what it has allowed, all of an eviction or nothing, and lets pods go that do not run", () => {
  const all = { matchLabels: { app: "web" } };
  const budgets = new Budgets([budget(all, 2), budget({}, 0, "elsewhere")]);
  const others = ["b", "c"].map((name) => pod(name, { app: "web" }));
  const forbidden = budgets.take([web, ...others])!;
  expect(forbidden.message).toBe("the disruption budget work/b allows 2 evictions now, fewer than it takes");
  // Two of them may do.
  expect([web, ...others].map((each) => forbidden.forbids(each))).toEqual([true, false, false]);
  expect(budgets.take(others)).toBeNull();
  expect(budgets.take([web])?.message).toContain("allows 0 evictions now");
  expect(budgets.take([pod("pending", { app: "web" }, "Pending")])).toBeNull();
});
