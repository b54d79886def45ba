import { afterEach, describe, expect, it } from "vitest";

import { VirtualClock } from "../engines/system/virtual-clock.fixture.ts";
import { planFor, podOf, PodWorld } from "./world.fixture.ts";

let world: PodWorld;
let clock: VirtualClock;
afterEach(() => world.close());

/** A scheduler of a node with one core whose role lacks these. */
async function without(...rights: string[]): Promise<void> {
  clock = new VirtualClock();
  world = await PodWorld.make(planFor(), clock);
  world.node("n1", { cores: "1" });
  for (const right of rights) world.server.forbids.add(right);
  world.open();
}

const lines = (text: string): string[] => world.log.filter((line) => line.includes(text));
const pass = (seconds: number): Promise<number> => world.passUntil(clock, seconds, () => false);

describe("a right that is missing", () => {
  it("to tell conditions is said once, and all that was not told is when it is there", async () => {
    await without("patch pods/status");
    for (const name of ["large", "larger"]) world.pod(name, { cores: "8" });
    await pass(120);
    expect(world.conditionOf("large")).toBeUndefined();
    expect(lines("pods/status")).toEqual([
      "may not patch pods/status in the namespace work: pods are not told why they are pending. kubectl apply -f examples/kubernetes/scheduler/rights.yaml gives it the right; until then it is tried now and then",
    ]);
    world.server.forbids.clear();
    await world.passUntil(
      clock,
      40,
      () => world.eventsOf("large").length + world.eventsOf("larger").length === 2,
    );
    expect([world.reasonOf("large"), world.reasonOf("larger")]).toEqual(["Unschedulable", "Unschedulable"]);
    expect(lines("pods/status").slice(1)).toEqual(["may patch pods/status again, in the namespace work"]);
    // It is missing once more.
    world.server.forbids.add("patch pods/status");
    world.pod("largest", { cores: "8" });
    await pass(10);
    expect(lines("may not patch pods/status")).toHaveLength(2);
  });

  it("to write events is said once, and they are written when it is there", async () => {
    await without("create events");
    world.pod("large", { cores: "8" });
    await pass(100);
    expect([world.reasonOf("large"), world.eventsOf("large")]).toEqual(["Unschedulable", []]);
    expect(lines("may not create events")).toHaveLength(1);
    world.server.forbids.clear();
    await world.passUntil(clock, 40, () => world.eventsOf("large").length > 0);
    expect(world.eventsOf("large")).toEqual([
      "Unschedulable: 0/1 nodes can take it: 1 have too few cores (cpu)",
    ]);
    expect(lines("may create events again")).toHaveLength(1);
  });

  it("to bind is said once, in the log and in one event, and pods are bound when it is there", async () => {
    await without("create pods/binding");
    world.node("n2", { cores: "1" });
    world.pod("a");
    await pass(100);
    expect(lines("pods/binding")).toEqual([expect.stringContaining("no pod is bound. kubectl apply -f")]);
    expect(world.eventsOf("a")).toEqual([
      expect.stringMatching(
        /^BindFailed: it could not be bound: .*; it is tried again after pauses of up to 60 s$/,
      ),
    ]);
    world.server.forbids.clear();
    await world.passUntil(clock, 70, () => world.placeOf("a") !== undefined);
    expect(world.placeOf("a")).toBeDefined();
    expect(lines("may create pods/binding again")).toHaveLength(1);
  });

  it("is told with what gives it by the names that the pool has", async () => {
    clock = new VirtualClock();
    world = await PodWorld.make(planFor({ schedulerName: "night", namespace: "lab" }), clock);
    for (const right of ["get coordination.k8s.io/leases", "list nodes"]) world.server.forbids.add(right);
    world.open();
    await pass(10);
    const copy =
      "a copy of examples/kubernetes/scheduler/rights.yaml with the namespace lab in place of croft and the lease croft-night in place of croft-croft (kubectl apply -f) gives it";
    expect(lines("may not get leases")).toEqual([expect.stringContaining(`. ${copy} the right;`)]);
    expect(lines("nodes cannot be seen")).toEqual([expect.stringContaining(`(${copy} the rights)`)]);
  });

  it("to nominate leaves victims alone, and is tried now and then", async () => {
    clock = new VirtualClock();
    world = await PodWorld.make(planFor({ victim: "lowest-priority" }), clock);
    world.node("n1", { cores: "1" });
    world.server.set("pods", { ...podOf("low", { nodeName: "n1" }), status: { phase: "Running" } });
    world.server.forbids.add("patch pods/status");
    let asked = 0;
    world.open("holder", (connection) => ({
      ...connection,
      call: (request) => {
        if (request.path.endsWith("/poddisruptionbudgets")) asked++;
        return connection.call(request);
      },
    }));
    world.pod("high", { priority: 10 });
    await pass(100);
    expect(asked).toBeGreaterThan(1);
    expect(asked).toBeLessThan(6);
    world.server.forbids.clear();
    await world.passUntil(clock, 70, () => world.server.evicted.length > 0);
    expect(world.server.evicted).toEqual(["low"]);
  });

  it.each(["nodes", "pods"])(
    "to list %s is said now and then, with what to do, and by readiness",
    async (what) => {
      await without(`list ${what}`);
      await pass(300);
      const said = lines(`the cluster's ${what} cannot be seen`);
      expect(said.length).toBeGreaterThan(1);
      expect(said.length).toBeLessThan(5);
      expect(said[0]).toMatch(
        /cannot list resource .*\(kubectl apply -f examples\/kubernetes\/scheduler\/rights.yaml gives it the rights\)$/,
      );
      expect(world.schedulers[0].whyNotReady).toBe(said[0]);
      world.server.forbids.clear();
      world.pod("a");
      await world.passUntil(clock, 60, () => world.placeOf("a") !== undefined);
      expect([world.schedulers[0].whyNotReady, lines(`${what} are seen again`).length]).toEqual([null, 1]);
    },
  );
});

it("an API server that does not answer is said now and then", async () => {
  await without();
  await world.passUntil(clock, 20, () => world.log.includes("holds the lease"));
  await world.server.stop();
  await pass(300);
  const said = lines("does not answer");
  expect(said.length).toBeGreaterThan(1);
  // A line for each way in which a connection ends, and what it keeps from being seen and held is in none of its own.
  expect(said.length).toBeLessThan(10);
  expect(said.at(-1)).toMatch(
    /^the cluster's (nodes|pods) cannot be seen: the API server http:\S+ does not answer: .* \(it is asked again by itself; kubectl cluster-info /,
  );
  expect(lines("does not hold the lease")).toEqual([expect.stringMatching(/does not answer|same reason/)]);
  await world.server.start();
});

it("nothing is told of a gang before its PodGroup is known", async () => {
  await without();
  world.server.set("podgroups", {
    metadata: { name: "g", namespace: "work" },
    spec: { minMember: 2 },
  });
  world.pod("g1", { labels: { "scheduling.x-k8s.io/pod-group": "g" } });
  await world.passUntil(clock, 30, () => world.eventsOf("g1").length > 0);
  await pass(5);
  expect(world.eventsOf("g1")).toEqual([
    "GangIncomplete: it waits for the others of its gang: there are 1 of 2 pods",
  ]);
});
