import { describe, expect, it } from "vitest";

import { PodFarm } from "./pod-farm.ts";
import { nodeOf, planFor, podOf, type PodFields } from "./world.fixture.ts";

/** A cluster of one node with 4 cores, where three of them are taken for an hour. */
class Cluster {
  readonly farm: PodFarm;
  private readonly told = new Map<string, string>();
  private at = 1e6;

  constructor(policy: string) {
    this.farm = new PodFarm(planFor({}, { policy }));
    const node = nodeOf("n1");
    this.farm.seeNode({ ...node, metadata: { ...node.metadata, uid: "n1", resourceVersion: "1" } });
    this.pod("long", { cores: "3" });
    this.pass(0);
  }

  pod(name: string, fields: PodFields, node?: string, namespace = "work"): void {
    const pod = podOf(name, { annotations: { "croft.dev/run-time": "1h" }, ...fields });
    const creationTimestamp = new Date(this.at * 1000).toISOString();
    const metadata = { ...pod.metadata, namespace, uid: name, resourceVersion: "1", creationTimestamp };
    const spec = { ...pod.spec, ...(node === undefined ? {} : { nodeName: node }) };
    this.farm.seePod({ ...pod, metadata, spec });
  }

  /** Lets time pass, and binds all that starts. */
  pass(seconds: number): void {
    this.at += seconds;
    for (const { pods } of this.farm.turn(this.at))
      for (const { pod, node } of pods) this.farm.bound(pod.metadata.uid, node);
    for (const [{ metadata }, { reason, message }] of this.farm.news())
      this.told.set(metadata.name, `${reason}: ${message}`);
  }

  /** What a pod was told last. */
  of(name: string): string | undefined {
    return this.told.get(name);
  }
}

const TURN = "WaitingForTurn: a node can hold it, and the room is taken, or kept for pods before it";

describe("a pod for which there is room", () => {
  it.each([
    ["easy", "a node has room, and there it would delay pod work/wide, which comes before it"],
    ["backfill:1", "a node has room, and there it would delay pod work/wide, which comes before it"],
    ["mix-fit", "a node has room, which is kept for pods before it, first pod work/wide"],
    ["fcfs", "it comes after pod work/wide, which finds no room, and none may pass it"],
  ])("is told for whom it is kept under %s", (policy, message) => {
    const cluster = new Cluster(policy);
    cluster.pod("wide", { cores: "4" });
    cluster.pass(10);
    cluster.pod("narrow", { annotations: { "croft.dev/run-time": "3h" } });
    cluster.pass(10);
    expect(cluster.of("narrow")).toBe(`WaitingForTurn: ${message}: it waits for its turn`);
    expect(cluster.of("wide")).toBe(`${TURN}: it waits for its turn`);
  });

  it("is not told the name where it is of another namespace", () => {
    const cluster = new Cluster("easy");
    cluster.pod("wide", { cores: "4" }, undefined, "secret");
    cluster.pass(10);
    cluster.pod("narrow", { annotations: { "croft.dev/run-time": "3h" } });
    cluster.pass(10);
    expect(cluster.of("narrow")).toContain("there it would delay a pod of another namespace, which comes");
  });

  it("is told so no more once that one has started, or is gone", () => {
    const cluster = new Cluster("easy");
    cluster.pod("wide", { cores: "4" });
    cluster.pass(10);
    cluster.pod("narrow", { annotations: { "croft.dev/run-time": "3h" } });
    cluster.pass(10);
    expect(cluster.of("narrow")).toContain("work/wide");
    cluster.pod("wide", { cores: "4" }, "n2");
    cluster.pod("foreign", { schedulerName: "other", cores: "1" }, "n1");
    cluster.pass(1);
    expect(cluster.of("narrow")).toBe(`${TURN}: it waits for its turn`);
  });
});

it("asks again when something has happened, after some seconds, and else never", () => {
  const cluster = new Cluster("easy");
  cluster.pod("wide", { cores: "4" });
  cluster.pass(10);
  expect(cluster.farm.nextTime).toBe(Infinity);
  cluster.pod("narrow", { annotations: { "croft.dev/run-time": "3h" } });
  cluster.pass(1);
  expect(cluster.of("narrow")).toBe(`${TURN}: it waits for its turn`);
  expect(cluster.farm.nextTime).toBe(1e6 + 20);
  cluster.pass(9);
  expect(cluster.of("narrow")).toContain("work/wide");
});
