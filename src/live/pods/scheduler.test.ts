import { afterEach, describe, expect, it } from "vitest";

import { planFor, PodWorld } from "./world.fixture.ts";

let world: PodWorld;
afterEach(() => world.close());

describe("pods that name croft", () => {
  it("are bound to nodes with room, and wait where there is none, until one has ended", async () => {
    world = await PodWorld.make();
    world.node("n1", { cores: "2" });
    world.open();
    for (const name of ["a", "b", "c"]) world.pod(name);
    await world.placed("a", "b");
    await world.told("c", "WaitingForTurn");
    expect(world.placeOf("c")).toBeUndefined();
    expect(world.eventsOf("c")).toEqual([]);
    world.end("a");
    await world.placed("c");
  });

  it("are left alone where they name another scheduler, whose pods take room", async () => {
    world = await PodWorld.make();
    world.node("n1", { cores: "2" });
    world.pod("theirs", { schedulerName: "default-scheduler" });
    world.pod("theirs-bound", { schedulerName: "default-scheduler", nodeName: "n1" });
    world.pod("nominated", { schedulerName: "default-scheduler" });
    world.open();
    world.pod("a");
    world.pod("b");
    await world.placed("a");
    await world.told("b", "WaitingForTurn");
    expect(world.placeOf("theirs")).toBeUndefined();
    world.remove("theirs-bound");
    await world.placed("b");
  });

  it("are found as they are by the next scheduler, and bound once", async () => {
    world = await PodWorld.make();
    world.node("n1", { cores: "3" });
    const first = world.open();
    for (const name of ["a", "b"]) world.pod(name);
    await world.placed("a", "b");
    await first.close();
    world.pod("c");
    world.pod("d");
    world.open();
    await world.placed("c");
    await world.told("d", "WaitingForTurn");
    world.remove("a");
    await world.placed("d");
  });

  it("wait for a node that can hold them, and are told so", async () => {
    world = await PodWorld.make(planFor());
    world.node("n1");
    world.open();
    world.pod("large", { cores: "8" });
    await world.told("large", "Unschedulable");
    expect(world.conditionOf("large")?.message).toBe("0/1 nodes can take it: 1 have too few cores (cpu)");
    await world.until("an event", () => world.eventsOf("large").length === 1);
    world.node("n2", { cores: "8" });
    await world.placed("large");
    expect(world.placeOf("large")).toBe("n2");
  });
});
