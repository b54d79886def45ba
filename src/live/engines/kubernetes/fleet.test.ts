import { describe, expect, it } from "vitest";

import type { Machine, Report } from "../engine.ts";
import { Fleet } from "./fleet.ts";
import type { Node, Pod, Taint, Toleration } from "./objects.ts";

function fleet(tolerations: readonly Toleration[] = []) {
  const reports: Report[] = [];
  const made = new Fleet(
    { tolerations, gpuResource: "nvidia.com/gpu" },
    ({ metadata: { name } }) => name.startsWith("croft-"),
    (report) => reports.push(report),
  );
  return { fleet: made, reports };
}

interface NodeShape {
  readonly ready?: string;
  readonly unschedulable?: boolean;
  readonly taints?: readonly Taint[];
}

function node(name: string, { ready = "True", unschedulable = false, taints = [] }: NodeShape = {}): Node {
  return {
    metadata: { name, uid: name, resourceVersion: "1", labels: { zone: "a" } },
    spec: { unschedulable, taints },
    status: {
      allocatable: { cpu: "3920m", memory: "7000Mi", "nvidia.com/gpu": "2" },
      conditions: [{ type: "Ready", status: ready, message: "Kubelet stopped posting node status." }],
    },
  };
}

function pod(name: string, nodeName: string, requests: Record<string, string>): Pod {
  return {
    metadata: { name, namespace: "x", uid: name, resourceVersion: "1" },
    spec: { nodeName, containers: [{ resources: { requests } }] },
  };
}

function stateOf(shape: NodeShape, tolerations?: readonly Toleration[]): Pick<Machine, "state" | "reason"> {
  const { fleet: made } = fleet(tolerations);
  made.see(node("n", shape));
  made.complete();
  const { state, reason } = made.get("n")!;
  return { state, reason };
}

describe("nodes as machines", () => {
  it("have what others' pods leave, and ours do not count", () => {
    const { fleet: made, reports } = fleet();
    made.seePod(pod("other", "n", { cpu: "1", memory: "1000Mi", "nvidia.com/gpu": "1" }));
    made.seePod(pod("croft-1", "n", { cpu: "1", memory: "1Gi" }));
    made.see(node("n"));
    // Told before all pods were seen, a machine would be too large.
    expect(reports).toEqual([]);
    made.complete();
    expect(made.all()).toEqual([
      {
        name: "n",
        coresMilli: 2920,
        memoryMiB: 6000,
        whole: { coresMilli: 3920, memoryMiB: 7000, gpuMilli: 2000 },
        gpuMilli: 1000,
        attributes: { zone: "a" },
        state: "up",
        reason: "",
      },
    ]);
    made.removePod(pod("other", "n", {}));
    expect(made.get("n")).toMatchObject({ coresMilli: 3920, memoryMiB: 7000, gpuMilli: 2000 });
    expect(reports).toHaveLength(2);
  });

  it("tell nothing where nothing has changed for them", () => {
    const { fleet: made, reports } = fleet();
    made.see(node("n"));
    made.complete();
    const before = reports.length;
    made.see(node("n"));
    made.seePod(pod("croft-1", "n", { cpu: "1" }));
    made.seePod(pod("elsewhere", "another", { cpu: "1" }));
    expect(reports).toHaveLength(before);
  });

  it("never have less than nothing", () => {
    const { fleet: made } = fleet();
    made.see(node("n"));
    made.complete();
    made.seePod(pod("static", "n", { cpu: "100", memory: "1Ti" }));
    expect(made.get("n")).toMatchObject({ coresMilli: 0, memoryMiB: 0 });
  });

  it("go with their nodes, also those that an earlier engine has seen", () => {
    const { fleet: made, reports } = fleet();
    made.see(node("n"));
    made.complete();
    const machine = made.get("n")!;
    made.remove("n");
    expect(made.all()).toEqual([]);
    made.recall([{ ...machine, name: "old" }]);
    made.complete();
    expect(made.all()).toEqual([]);
    expect(reports.slice(-1)).toEqual([{ kind: "machine-removed", name: "old" }]);
  });

  it("are down, drained or up", () => {
    expect(stateOf({})).toEqual({ state: "up", reason: "" });
    for (const ready of ["False", "Unknown"])
      expect(stateOf({ ready, unschedulable: true })).toEqual({
        state: "down",
        reason: "Kubelet stopped posting node status.",
      });
    const taints = [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }];
    expect(stateOf({ unschedulable: true, taints })).toEqual({ state: "drained", reason: "it is cordoned" });
    expect(stateOf({ taints: [{ key: "a", effect: "PreferNoSchedule" }] }).state).toBe("up");
  });

  it.each<[string, Toleration[], string]>([
    ["none", [], "drained"],
    ["key and value", [{ key: "pool", operator: "Equal", value: "batch", effect: "NoSchedule" }], "up"],
    ["another value", [{ key: "pool", operator: "Equal", value: "web", effect: "NoSchedule" }], "drained"],
    ["another effect", [{ key: "pool", operator: "Exists", effect: "NoExecute" }], "drained"],
    ["the key, any effect", [{ key: "pool", operator: "Exists" }], "up"],
    ["everything", [{ operator: "Exists" }], "up"],
  ])("with a taint, by tolerations: %s", (_what, tolerations, state) => {
    const taints = [{ key: "pool", value: "batch", effect: "NoSchedule" }];
    const seen = stateOf({ taints }, tolerations);
    expect(seen.state).toBe(state);
    if (state === "drained") expect(seen.reason).toBe("its taint pool=batch:NoSchedule is not tolerated");
  });
});
