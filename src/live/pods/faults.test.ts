import { afterEach, describe, expect, it } from "vitest";

import { VirtualClock } from "../engines/system/virtual-clock.fixture.ts";
import { planFor, podOf, PodWorld, NAMESPACE } from "./world.fixture.ts";

let world: PodWorld;
afterEach(() => world.close());

const GROUPS = "scheduling.x-k8s.io/pod-group";

async function withNode(cores = "4"): Promise<void> {
  world = await PodWorld.make();
  world.node("n1", { cores });
  world.open();
  world.pod("first");
  await world.placed("first");
}

describe("a cluster with faults", () => {
  it.each([429, 500])("that answers with %d for a while is asked again", async (status) => {
    await withNode();
    world.server.failing = { status, left: 5 };
    world.server.cutWatches();
    world.pod("a");
    await world.placed("a");
  });

  it("that has forgotten what has changed (410) is listed anew", async () => {
    await withNode();
    world.server.compact();
    world.pod("a");
    world.remove("first");
    await world.placed("a");
  });

  it("whose lists are old is listed until they are not", async () => {
    await withNode("2");
    const { server } = world;
    const before = server.version;
    // What a watch has not told is forgotten, so that a list has to be taken.
    server.holdEvents();
    world.pod("a");
    world.pod("b");
    server.listsAsOf = before - 1;
    server.calls.clear();
    server.compact();
    server.letEventsGo();
    await world.until("an old list was answered", () => server.calls.has("list pods"));
    expect([world.placeOf("a"), world.placeOf("b")]).toEqual([undefined, undefined]);
    world.server.listsAsOf = null;
    await world.placed("a");
    await world.told("b", "WaitingForTurn");
  });

  it("that tells each event three times is heard once", async () => {
    await withNode("2");
    world.server.eventCopies = 3;
    world.server.cutWatches();
    world.pod("a");
    world.pod("b");
    await world.placed("a");
    await world.told("b", "WaitingForTurn");
    world.end("first");
    await world.placed("b");
  });

  it("whose events are slow counts what it has bound from the answer on", async () => {
    await withNode("3");
    world.pod("a");
    await world.placed("a");
    const before = world.server.version;
    world.pod("b");
    world.pod("c");
    world.server.holdEvents();
    await world.until("one of them is bound", () => world.server.version > before + 2);
    // No watch has told of that binding, and the node is full.
    world.server.letEventsGo();
    const [placed, left] = world.placeOf("b") === undefined ? ["c", "b"] : ["b", "c"];
    await world.told(left, "WaitingForTurn");
    expect([world.placeOf(placed), world.placeOf(left)]).toEqual(["n1", undefined]);
  });

  it("whose watches stay silent, their sockets open, is listed each time", async () => {
    const clock = new VirtualClock();
    world = await PodWorld.make(planFor(), clock);
    const { server } = world;
    const secondsUntilPlaced = (name: string): Promise<number> =>
      world.passUntil(clock, 3600, () => world.placeOf(name) !== undefined);
    world.node("n1");
    world.open();
    world.pod("first");
    await secondsUntilPlaced("first");
    // Those that are open already, and all that come: as behind a proxy that has died, or keeps what it is sent.
    server.holdEvents();
    server.hasSilentWatches = true;
    for (const name of ["a", "b", "c"]) {
      world.pod(name);
      // Of two silent watches the second may have begun before the pod was made.
      expect(await secondsUntilPlaced(name)).toBeLessThan(250);
    }
  });

  it("with another pod of the same name takes it for another one", async () => {
    await withNode("1");
    const uid = world.pod("a", { cores: "2" });
    await world.told("a", "Unschedulable");
    world.remove("a");
    world.remove("first");
    const next = world.server.set("pods", podOf("a"));
    expect(next.metadata.uid).not.toBe(uid);
    await world.placed("a");
    expect(world.seen("a")?.metadata.uid).toBe(next.metadata.uid);
  });

  it("whose answers to bindings are lost is asked what came of them", async () => {
    await withNode("2");
    world.server.losesAnswers = true;
    world.pod("a");
    world.pod("b");
    await world.placed("a");
    await world.told("b", "WaitingForTurn");
  });

  it("that refuses bindings is left alone for some seconds, and nothing is kept for it", async () => {
    await withNode("2");
    world.server.refusesBindings = 403;
    world.pod("a");
    await world.told("a", "BindFailed");
    expect(world.conditionOf("a")?.message).toBe(
      "it could not be bound to n1: a fault of the test; it is tried again after pauses of up to 60 s",
    );
    world.server.refusesBindings = null;
    world.pod("b");
    await world.placed("b");
    world.remove("b");
    await world.placed("a");
  });

  it("from which a node goes has its pods elsewhere", async () => {
    await withNode("2");
    world.pod("a");
    await world.placed("a");
    world.pod("b");
    await world.told("b", "WaitingForTurn");
    world.server.unset("nodes", null, "n1");
    await world.told("b", "Unschedulable");
    world.remove("a");
    world.node("n2");
    await world.placed("b");
    expect(world.placeOf("b")).toBe("n2");
  });

  it("in which another scheduler binds a pod of croft's counts it where it is", async () => {
    await withNode("2");
    world.node("n2", { cores: "1" });
    world.server.refusesBindings = 500;
    world.pod("a");
    await world.told("a", "BindFailed");
    const pod = world.seen("a")!;
    world.server.set("pods", { ...pod, spec: { ...pod.spec, nodeName: "n2" } });
    world.server.refusesBindings = null;
    world.pod("b");
    await world.placed("b");
    expect(world.placeOf("b")).toBe("n1");
  });
});

describe("two schedulers of one name", () => {
  it("take turns: only who holds the lease binds", async () => {
    world = await PodWorld.make();
    world.node("n1", { cores: "2" });
    const first = world.open("first");
    world.pod("a");
    await world.placed("a");
    const second = world.open("second");
    await world.until(
      "the second has seen it",
      () => world.log.some((text) => text.includes("first")) || !second.lease.isHeld,
    );
    expect([first.lease.isHeld, second.lease.isHeld]).toEqual([true, false]);
    world.schedulers.shift();
    await first.close();
    world.pod("b");
    world.pod("c");
    await world.placed("b");
    expect(second.lease.isHeld).toBe(true);
    await world.told("c", "WaitingForTurn");
  });
});

describe("a gang", () => {
  const member = { labels: { [GROUPS]: "g" } };
  const group = (minMember: number): void =>
    void world.server.set("podgroups", {
      metadata: { name: "g", namespace: NAMESPACE },
      spec: { minMember },
    });

  it("that does not fit binds nothing, and starts together when it does", async () => {
    world = await PodWorld.make();
    world.node("n1", { cores: "2" });
    world.node("n2", { cores: "2" });
    world.open();
    world.pod("runs", { cores: "2" });
    await world.placed("runs");
    group(3);
    for (const name of ["g1", "g2"]) world.pod(name, member);
    await world.until("g1 is told", () => world.conditionOf("g1")?.message?.includes("2 of 3") === true);
    expect(world.reasonOf("g1")).toBe("GangIncomplete");
    for (const name of ["g3", "g4"]) world.pod(name, member);
    await world.told("g1", "WaitingForTurn");
    // One that could start alone does not.
    await world.until(
      "g4 is told",
      () => world.conditionOf("g4")?.message?.includes("others of its gang") === true,
    );
    const isAnyPlaced = ["g1", "g2", "g3", "g4"].some((name) => world.placeOf(name) !== undefined);
    expect(isAnyPlaced).toBe(false);
    world.end("runs");
    await world.placed("g1", "g2", "g3", "g4");
  });

  it("that no nodes could hold is told", async () => {
    world = await PodWorld.make();
    world.node("n1", { cores: "2" });
    world.open();
    group(3);
    for (const name of ["g1", "g2", "g3"]) world.pod(name, member);
    await world.told("g1", "Unschedulable");
    expect(world.conditionOf("g1")?.message).toBe(
      "0/1 nodes can take it: they have room for 2 of its 3 pods",
    );
  });

  it("that is complete and cannot start follows its PodGroup, unless that cannot be had for a moment", async () => {
    const clock = new VirtualClock();
    world = await PodWorld.make(planFor(), clock);
    world.node("n1", { cores: "3" });
    world.open();
    group(4);
    const names = ["g1", "g2", "g3", "g4"];
    for (const name of names) world.pod(name, member);
    await world.passUntil(clock, 20, () => world.reasonOf("g1") === "Unschedulable");
    world.server.failing = { status: 500, left: 3 };
    await world.passUntil(clock, 20, () => false);
    expect(names.map((name) => world.reasonOf(name))).toEqual(names.map(() => "Unschedulable"));
    group(3);
    await world.passUntil(
      clock,
      30,
      () => names.filter((name) => world.placeOf(name) !== undefined).length === 3,
    );
    expect(names.map((name) => world.placeOf(name))).toEqual(["n1", "n1", "n1", undefined]);
  });

  it("waits for its PodGroup, and is told where its pods differ", async () => {
    world = await PodWorld.make();
    world.node("n1");
    world.open();
    world.pod("g1", member);
    await world.until(
      "g1 is told",
      () =>
        world.conditionOf("g1")?.message ===
        `there is no PodGroup ${NAMESPACE}/g of scheduling.x-k8s.io/v1alpha1: make it, or install its kind where the cluster has none`,
    );
    world.remove("g1");
    group(2);
    world.pod("h1", member);
    world.pod("h2", { ...member, cores: "2" });
    await world.until("h1 is told", () => world.conditionOf("h1")?.message?.includes("differ") === true);
  });

  it("of the API's own kind is a gang too", async () => {
    world = await PodWorld.make();
    world.node("n1", { cores: "1" });
    world.open();
    world.server.set("podgroups", {
      metadata: { name: "own", namespace: NAMESPACE },
      spec: { schedulingPolicy: { gang: { minCount: 2 } } },
    });
    for (const name of ["g1", "g2"]) world.pod(name, { schedulingGroup: { podGroupName: "own" } });
    await world.told("g1", "Unschedulable");
    world.node("n2", { cores: "1" });
    await world.placed("g1", "g2");
  });

  it("of which the first binding is refused binds nothing", async () => {
    world = await PodWorld.make(planFor());
    world.node("n1");
    world.open();
    group(2);
    world.server.refusesBindings = 403;
    for (const name of ["g1", "g2"]) world.pod(name, member);
    await world.told("g2", "BindFailed");
    expect([world.placeOf("g1"), world.placeOf("g2")]).toEqual([undefined, undefined]);
    world.server.refusesBindings = null;
    await world.placed("g1", "g2");
  });
});
