import { afterEach, describe, expect, it } from "vitest";

import type { Affinity } from "./objects.ts";
import type { PodFields } from "./world.fixture.ts";
import { nodeOf, planFor, podOf, PodWorld } from "./world.fixture.ts";
import { unsupported } from "./unsupported.ts";

let world: PodWorld;
afterEach(() => world.close());

const container = (resources: object, more: object = {}): object => ({ name: "main", resources, ...more });
const near = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "zone" }] };
const term = (expression: object): Affinity => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [expression] as never }],
    },
  },
});

/** An example of each feature that is not supported, by its name in the table. */
const examples: Record<string, PodFields> = {
  "pod affinity": { affinity: { podAffinity: near } },
  "pod anti-affinity": { affinity: { podAntiAffinity: near } },
  "topology spread": {
    topologySpreadConstraints: [{ whenUnsatisfiable: "DoNotSchedule", topologyKey: "zone" }] as never,
  },
  "operator of node affinity": { affinity: term({ key: "zone", operator: "Like", values: ["a"] }) },
  "operator of tolerations": { tolerations: [{ key: "a", operator: "Gt" as "Exists", value: "1" }] },
  "resource claims": { resourceClaims: [{ name: "gpu" }] },
  volumes: { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] },
  "host ports": {
    containers: [container({}, { ports: [{ hostPort: 80 }, { hostPort: 443 }, { hostPort: 80 }] })],
  },
  "other resources": {
    containers: [container({ requests: { "example.org/fpga": "1", "ephemeral-storage": "1Gi" } })],
  },
  "workload reference": { workloadRef: { name: "w" } },
};

/** What each is told. */
const messages: Record<string, string> = {
  "pod affinity": "it asks to be near other pods (required podAffinity by zone)",
  "pod anti-affinity": "it asks to be away from other pods (required podAntiAffinity by zone)",
  "topology spread": "it asks to be spread (topologySpreadConstraints with DoNotSchedule by zone)",
  "operator of node affinity":
    "its node affinity has an operator or a field that is not known here: Like of zone",
  "operator of tolerations": "a toleration of it has an operator that is not known here: Gt of a",
  "resource claims":
    "it asks for devices by resource claims (gpu), which its scheduler would have to allocate",
  volumes:
    "it has a volume that may bind it to some nodes (data: persistentVolumeClaim); these have no say: configMap, downwardAPI, emptyDir, gitRepo, hostPath, image, nfs, projected, secret",
  "host ports": "it asks for ports of its node (hostPort 80, 443)",
  "other resources":
    "it requests what is not counted here (example.org/fpga, ephemeral-storage): only cpu, memory and the pool's gpuResource are",
  "workload reference": "it is of a gang by workloadRef (w): a PodGroup is understood",
};

describe("what is not supported", () => {
  it("leaves the pod pending, with a condition and an event that say so", async () => {
    world = await PodWorld.make();
    world.node("n1");
    world.open();
    expect(Object.keys(examples)).toEqual(unsupported.map(({ name }) => name));
    const names = Object.keys(examples).map((_, at) => `pod-${at}`);
    Object.values(examples).forEach((fields, at) => world.pod(names[at], fields));
    for (const [at, { name: feature }] of unsupported.entries()) {
      const name = names[at];
      const message = messages[feature];
      await world.told(name, "Unsupported");
      expect(world.conditionOf(name)).toMatchObject({
        status: "False",
        message: `croft does not schedule it: ${message}`,
      });
      await world.until(`an event of ${name}`, () => world.eventsOf(name).length === 1);
      expect(world.eventsOf(name)).toEqual([`Unsupported: croft does not schedule it: ${message}`]);
    }
    // What it is beside is not held up.
    world.pod("plain");
    await world.placed("plain");
    expect(names.filter((name) => world.placeOf(name) !== undefined)).toEqual([]);
    // Each was told once: what is told twice has the same name, which the API refuses.
    expect(await world.metrics.text()).not.toMatch(/^rest_client_requests_total.*code="409".*method="POST"/m);
  });

  it("nor a node with the labels that the pool asks for, which it names", async () => {
    world = await PodWorld.make(planFor({ nodeSelector: { "croft.dev/pool": "batch", os: "linux" } }));
    world.node("n1", { labels: { os: "linux" } });
    world.open();
    world.pod("a");
    await world.told("a", "Unschedulable");
    expect(world.conditionOf("a")?.message).toBe(
      "no node has the label croft.dev/pool=batch,os=linux of the pool's nodeSelector",
    );
    world.node("n2", { labels: { os: "linux", "croft.dev/pool": "batch" } });
    await world.placed("a");
  });

  it("of a run time that is none is told", async () => {
    world = await PodWorld.make();
    world.node("n1");
    world.open();
    world.pod("a", { annotations: { "croft.dev/run-time": "soon" } });
    await world.told("a", "Unsupported");
  });

  it("as a preference has no say, and is told once the pod is bound", async () => {
    world = await PodWorld.make();
    world.node("n1");
    world.open();
    world.pod("a", { topologySpreadConstraints: [{ whenUnsatisfiable: "ScheduleAnyway" }] });
    await world.placed("a");
    await world.until("an event", () => world.eventsOf("a").length === 1);
    expect(world.eventsOf("a")[0]).toContain("Ignored: its preferences among nodes");
  });
});

describe("where a pod may go", () => {
  it("follows its selector, its node affinity, taints, cordons and what is free", async () => {
    world = await PodWorld.make();
    world.node("small", { cores: "1" });
    world.node("tainted", { spec: { taints: [{ key: "only", value: "gpu", effect: "NoSchedule" }] } });
    world.node("cordoned", { spec: { unschedulable: true }, labels: { zone: "c" } });
    world.node("zone-a", { labels: { zone: "a", rank: "3" } });
    world.node("gpu", { gpus: "2", labels: { zone: "b" } });
    world.node("away", { isReady: false, labels: { zone: "away" } });
    world.open();
    const gpu = { containers: [container({ limits: { "nvidia.com/gpu": "1" } })] };
    world.pod("selected", { nodeSelector: { zone: "a" } });
    world.pod("above", { affinity: term({ key: "rank", operator: "Gt", values: ["2"] }) });
    world.pod("with-gpu", gpu);
    world.pod("tolerant", {
      tolerations: [{ key: "only", operator: "Exists" }],
      cores: "3",
      affinity: term({ key: "zone", operator: "DoesNotExist" }),
    });
    world.pod("nowhere", { nodeSelector: { zone: "d" } });
    world.pod("on-cordoned", { nodeSelector: { zone: "c" } });
    world.pod("on-away", { nodeSelector: { zone: "away" } });
    await world.placed("selected", "above", "with-gpu", "tolerant");
    expect(["selected", "above", "with-gpu", "tolerant"].map((name) => world.placeOf(name))).toEqual([
      "zone-a",
      "zone-a",
      "gpu",
      "tainted",
    ]);
    for (const name of ["nowhere", "on-cordoned", "on-away"]) await world.told(name, "Unschedulable");
    expect(world.conditionOf("on-away")?.message).toContain("1 were not ready");
    world.server.set("nodes", nodeOf("cordoned", { labels: { zone: "c" } }));
    world.node("away", { labels: { zone: "away" } });
    await world.placed("on-cordoned", "on-away");
  });

  it("counts its init containers, those beside it, its overhead and what it asks for as a whole", async () => {
    world = await PodWorld.make();
    world.node("n1", { cores: "4" });
    world.open();
    const cores = (cpu: string): object => container({ requests: { cpu } });
    world.pod("init", { containers: [cores("1")] as never, initContainers: [cores("5")] as never });
    world.pod("beside", {
      containers: [cores("3")] as never,
      initContainers: [{ ...cores("1"), restartPolicy: "Always" }] as never,
      overhead: { cpu: "500m" },
    });
    world.pod("whole", { containers: [cores("1")] as never, resources: { requests: { cpu: "6" } } });
    for (const name of ["init", "beside", "whole"]) await world.told(name, "Unschedulable");
    world.node("n2", { cores: "6" });
    await world.placed("beside");
    world.end("beside");
    await world.placed("init");
    world.end("init");
    await world.placed("whole");
  });

  it("does not go beyond the pods that a node takes", async () => {
    world = await PodWorld.make();
    world.node("n1", { pods: "2" });
    world.open();
    for (const name of ["a", "b", "c"]) world.pod(name, { cores: "100m" });
    await world.until(
      "two on the node",
      () => ["a", "b", "c"].filter((name) => world.placeOf(name)).length === 2,
    );
    const left = ["a", "b", "c"].find((name) => world.placeOf(name) === undefined)!;
    await world.until("the third is told", () => world.reasonOf(left) !== "");
    world.end(["a", "b", "c"].find((name) => name !== left)!);
    await world.placed(left);
  });

  it("counts a pod that was made larger on its node", async () => {
    world = await PodWorld.make();
    world.node("n1", { cores: "4" });
    world.open();
    world.pod("a", { cores: "1" });
    await world.placed("a");
    const grown = world.seen("a")!;
    world.server.set("pods", {
      ...grown,
      status: { phase: "Running", containerStatuses: [{ name: "main", allocatedResources: { cpu: "3" } }] },
    });
    world.pod("b", { cores: "2" });
    await world.until("b is told", () => world.reasonOf("b") !== "");
    expect(world.placeOf("b")).toBeUndefined();
    world.end("a");
    await world.placed("b");
  });
});

describe("which pod is first", () => {
  it("goes by priority, then by age", async () => {
    world = await PodWorld.make(planFor({}, { policy: "fcfs" }));
    world.node("n1", { cores: "1" });
    world.open();
    world.pod("runs");
    await world.placed("runs");
    world.pod("usual");
    world.pod("low", { priority: -10 });
    world.pod("urgent", { priority: 1_000_000 });
    for (const name of ["usual", "low", "urgent"]) await world.told(name, "WaitingForTurn");
    const order: string[] = [];
    for (let ended = "runs"; order.length < 3; ended = order.at(-1)!) {
      world.end(ended);
      await world.until("the next", () =>
        ["usual", "low", "urgent"].some((name) => !order.includes(name) && world.placeOf(name)),
      );
      order.push(["usual", "low", "urgent"].find((name) => !order.includes(name) && world.placeOf(name))!);
    }
    expect(order).toEqual(["urgent", "usual", "low"]);
  });

  it("fills a gap by run times, of pods that a scheduler before has bound too", async () => {
    world = await PodWorld.make(planFor({}, { policy: "easy" }));
    world.node("n1", { cores: "4" });
    const first = world.open();
    const now = new Date().toISOString();
    const timed = (time: string): PodFields => ({ annotations: { "croft.dev/run-time": time } });
    world.server.set("pods", { ...podAt("long", now, { ...timed("1h"), cores: "3" }) });
    await world.placed("long");
    await first.close();
    world.open();
    world.server.set("pods", podAt("wide", "2026-01-01T00:00:01Z", { ...timed("1h"), cores: "4" }));
    await world.told("wide", "WaitingForTurn");
    world.pod("too-long", timed("3h"));
    world.pod("short", timed("30m"));
    await world.placed("short");
    await world.told("too-long", "WaitingForTurn");
    expect(world.placeOf("too-long")).toBeUndefined();
  });

  it("leaves a pod with gates alone until they are gone", async () => {
    world = await PodWorld.make();
    world.node("n1");
    world.open();
    world.pod("gated", { schedulingGates: [{ name: "quota" }] });
    world.pod("plain");
    await world.placed("plain");
    expect(world.seen("gated")?.status?.conditions).toBeUndefined();
    world.pod("gated", { schedulingGates: [] });
    await world.placed("gated");
  });

  it("keeps the pods of a family together", async () => {
    world = await PodWorld.make(
      planFor({ familyLabel: "flow", packing: "exclusive" }, { policy: "worse-fit-cores" }),
    );
    for (const name of ["n1", "n2", "n3"]) world.node(name, { cores: "4" });
    world.open();
    for (const name of ["a", "b", "c"]) world.pod(name, { labels: { flow: "one" } });
    await world.placed("a", "b", "c");
    const places = new Set(["a", "b", "c"].map((name) => world.placeOf(name)));
    expect(places.size).toBe(1);
    world.pod("ordinary");
    await world.placed("ordinary");
    expect(places.has(world.placeOf("ordinary"))).toBe(false);
    world.pod("other", { labels: { flow: "two" }, cores: "3500m" });
    await world.placed("other");
    world.pod("waits", { cores: "3500m" });
    await world.told("waits", "WaitingForTurn");
    expect(world.conditionOf("waits")?.message).toContain(", or on nodes of other families:");
  });

  it("counts what is nominated by others as taken", async () => {
    world = await PodWorld.make();
    world.node("n1", { cores: "2" });
    world.server.set("pods", {
      ...podAt("nominated", "2026-01-01T00:00:00Z", { schedulerName: "default-scheduler" }),
      status: { phase: "Pending", nominatedNodeName: "n1" },
    });
    world.open();
    world.pod("a");
    world.pod("b");
    await world.placed("a");
    await world.until("b is told", () => world.reasonOf("b") !== "");
    world.remove("nominated");
    await world.placed("b");
  });
});

function podAt(name: string, creationTimestamp: string, fields: PodFields): ReturnType<typeof podOf> {
  const pod = podOf(name, fields);
  return { ...pod, metadata: { ...pod.metadata, creationTimestamp } };
}
