import { afterEach, describe, expect, it } from "vitest";

import { NAMESPACE, nodeOf, planFor, podOf, PodWorld } from "./world.fixture.ts";

let world: PodWorld;
afterEach(() => world.close());

const LABELS = { pool: "batch" };
const GANG = "scheduling.x-k8s.io/pod-group";

/** A scheduler of two nodes with a label, both of which are full with pods that it has bound. */
async function full(): Promise<void> {
  world = await PodWorld.make(planFor({ nodeSelector: LABELS, victim: "lowest-priority" }));
  for (const name of ["n1", "n2"]) world.node(name, { cores: "2", labels: LABELS });
  world.open();
  for (const name of ["a", "b"]) world.pod(name, { cores: "2" });
  await world.placed("a", "b");
  for (const name of ["a", "b"])
    world.server.set("pods", { ...world.seen(name)!, status: { phase: "Running" } });
}

/** A pod for which a node is away, so that all is seen by then. */
async function waitsFor(...nodes: string[]): Promise<void> {
  const name = `probe-${nodes.join("-")}`;
  world.pod(name, { cores: "2" });
  await world.until("it waits", () => world.reasonOf(name) !== "");
}

const nodesAway = (): void => {
  for (const name of ["n1", "n2"]) world.node(name, { cores: "2" });
};
const nodesBack = (): void => {
  for (const name of ["n1", "n2"]) world.node(name, { cores: "2", labels: LABELS });
};
const deleted = (): void => {
  for (const name of ["n1", "n2"]) world.server.unset("nodes", null, name);
};
const specOf =
  (spec: object, isReady = true) =>
  (): void => {
    for (const name of ["n1", "n2"]) world.node(name, { cores: "2", labels: LABELS, spec, isReady });
  };
const madeAnew = (): void => {
  for (const name of ["n1", "n2"]) {
    const node = nodeOf(name, { cores: "2", labels: LABELS });
    world.server.set("nodes", { ...node, metadata: { ...node.metadata, uid: `anew-${name}` } });
  }
};
const smaller = (): void => {
  for (const name of ["n1", "n2"]) world.node(name, { cores: "1", labels: LABELS });
};

describe("pods of ours on a node that goes and comes back", () => {
  it.each([
    ["loses its label", nodesAway, nodesBack],
    ["is deleted", deleted, nodesBack],
    ["is deleted and made anew", deleted, madeAnew],
    ["is another one of the same name", madeAnew, nodesBack],
    ["is cordoned", specOf({ unschedulable: true }), nodesBack],
    ["is tainted", specOf({ taints: [{ key: "k", effect: "NoExecute" }] }), nodesBack],
    ["is not ready", specOf({}, false), nodesBack],
    ["has fewer cores", smaller, nodesBack],
  ])("are ours: it %s", async (_, away, back) => {
    await full();
    away();
    await waitsFor("away");
    back();
    await world.told("probe-away", "WaitingForTurn");
    world.pod("large", { cores: "2", memory: "64Gi" });
    await world.told("large", "Unschedulable");
    expect(world.conditionOf("large")!.message).toBe("0/2 nodes can take it: 2 have too little memory");
    world.pod("urgent", { cores: "2", priority: 1000 });
    await world.told("urgent", "Preempting");
    expect(world.server.evicted).toHaveLength(1);
    world.remove(world.server.evicted[0]);
    await world.placed("urgent");
  });

  it("are ours for a scheduler that has begun while it was away", async () => {
    await full();
    await world.schedulers[0].close();
    nodesAway();
    world.open();
    await waitsFor("away");
    nodesBack();
    await world.told("probe-away", "WaitingForTurn");
    world.pod("urgent", { cores: "2", priority: 1000 });
    await world.told("urgent", "Preempting");
  });

  it("are ours where they were bound while it was away", async () => {
    world = await PodWorld.make(planFor({ nodeSelector: LABELS, victim: "lowest-priority" }));
    world.node("n2", { cores: "1", labels: LABELS });
    world.open();
    const pod = podOf("a", { cores: "2", nodeName: "n1" });
    world.server.set("pods", { ...pod, status: { phase: "Running" } });
    await waitsFor("away");
    world.node("n1", { cores: "2", labels: LABELS });
    await world.told("probe-away", "WaitingForTurn");
    world.pod("urgent", { cores: "2", priority: 1000 });
    await world.told("urgent", "Preempting");
  });

  it("are told apart from those of others", async () => {
    await full();
    for (const name of ["a", "b"]) world.remove(name);
    for (const node of ["n1", "n2"])
      world.server.set("pods", podOf(`theirs-${node}`, { schedulerName: "other", nodeName: node }));
    await world.until("theirs count", () => world.schedulers[0].farm.freeCoresMilli === 2000);
    world.pod("wide", { cores: "2" });
    await world.told("wide", "Unschedulable");
    expect(world.conditionOf("wide")!.message).toBe(
      "0/2 nodes can take it: 2 have too few cores (cpu) beside the pods of others",
    );
  });

  it("take what their node has not, and others are told to wait for them", async () => {
    world = await PodWorld.make(planFor());
    world.node("n1", { cores: "2" });
    for (const name of ["a", "b"]) world.server.set("pods", podOf(name, { cores: "2", nodeName: "n1" }));
    world.open();
    world.pod("c");
    await world.told("c", "WaitingForTurn");
    for (const name of ["a", "b"]) world.end(name);
    await world.placed("c");
  });

  it("are ours where a gang was bound in part", async () => {
    await full();
    for (const name of ["a", "b"]) world.remove(name);
    for (const name of ["g1", "g2"])
      world.server.set("pods", {
        ...podOf(name, { cores: "2", nodeName: name === "g1" ? "n1" : "n2", labels: { [GANG]: "g" } }),
        status: { phase: "Running" },
      });
    nodesAway();
    await waitsFor("away");
    nodesBack();
    await world.told("probe-away", "WaitingForTurn");
    world.server.set("podgroups", { metadata: { name: "g", namespace: NAMESPACE }, spec: { minMember: 2 } });
    world.remove("g2");
    await world.placed("probe-away");
  });
});
