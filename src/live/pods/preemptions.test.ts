import { afterEach, describe, expect, it } from "vitest";

import { VirtualClock } from "../engines/system/virtual-clock.fixture.ts";
import { podCrashPoints, withCrashes } from "./crash-points.ts";
import { NAMESPACE, planFor, podOf, PodWorld, type PodFields } from "./world.fixture.ts";

let world: PodWorld;
afterEach(() => world.close());

const plan = planFor({ victim: "lowest-priority" });
const GANG = "scheduling.x-k8s.io/pod-group";

/** A pod that runs on a node. */
function runs(name: string, node: string, fields: PodFields = {}): void {
  world.server.set("pods", { ...podOf(name, { nodeName: node, ...fields }), status: { phase: "Running" } });
}

function budget(name: string, labels: Record<string, string>, disruptionsAllowed: number): void {
  world.server.set("poddisruptionbudgets", {
    metadata: { name, namespace: NAMESPACE },
    spec: { selector: { matchLabels: labels } },
    status: { disruptionsAllowed },
  });
}

const urgent = { priority: 1000 };
const evicted = (): readonly string[] => world.server.evicted;
const isEvicted = (...names: string[]): Promise<void> =>
  world.until(`${names.join(", ")} evicted`, () => names.every((name) => evicted().includes(name)));

describe("a pod of higher priority", () => {
  it("has one of lower priority evicted, and starts on its node when that has ended", async () => {
    world = await PodWorld.make(plan);
    world.node("n1", { cores: "1" });
    runs("low", "n1");
    world.open();
    world.pod("high", urgent);
    await isEvicted("low");
    await world.told("high", "Preempting");
    expect(world.conditionOf("high")!.message).toBe(
      "it starts on node n1 when pods of lower priority have left it: work/low",
    );
    expect(world.seen("high")!.status!.nominatedNodeName).toBe("n1");
    await world.until("low is told", () => world.eventsOf("low").length === 1);
    expect(world.eventsOf("low")).toEqual([
      "Preempted: it is evicted from node n1 for pods of higher priority: work/high",
    ]);
    // Its grace is not over: nothing starts, whatever comes.
    world.pod("later", { priority: 500 });
    await world.told("later", "WaitingForTurn");
    expect([world.placeOf("high"), world.placeOf("later")]).toEqual([undefined, undefined]);
    world.remove("low");
    await world.placed("high");
    expect(evicted()).toEqual(["low"]);
  });

  it("evicts nobody where there is room, where others are as urgent, where it says Never, or by default", async () => {
    world = await PodWorld.make(plan);
    world.node("n1", { cores: "1" });
    world.node("n2", { cores: "1" });
    runs("low", "n1");
    world.open();
    world.pod("first", urgent);
    await world.placed("first");
    expect(world.placeOf("first")).toBe("n2");
    world.pod("never", { priority: 2000, preemptionPolicy: "Never" });
    world.pod("as-low");
    await world.told("never", "WaitingForTurn");
    await world.told("as-low", "WaitingForTurn");
    expect(evicted()).toEqual([]);
    // It comes before less urgent ones all the same.
    world.remove("low");
    await world.placed("never");
    await world.close();

    world = await PodWorld.make();
    world.node("n1", { cores: "1" });
    runs("low", "n1");
    world.open();
    world.pod("high", urgent);
    await world.told("high", "WaitingForTurn");
    expect(world.server.calls.has("create pods/eviction")).toBe(false);
  });

  it("has as few evicted as make room, of the lowest priority, and none of other schedulers or of gangs", async () => {
    world = await PodWorld.make(plan);
    world.node("n1", { cores: "4" });
    runs("theirs", "n1", { schedulerName: "other" });
    runs("member", "n1", { labels: { [GANG]: "g" } });
    runs("lowest", "n1");
    runs("low", "n1", { priority: 1 });
    world.open();
    world.pod("high", urgent);
    await isEvicted("lowest");
    world.remove("lowest");
    await world.placed("high");
    world.pod("larger", { ...urgent, cores: "2" });
    await world.told("larger", "WaitingForTurn");
    expect(evicted()).toEqual(["lowest"]);
  });

  it("may be a gang, all of which starts when the victims have left", async () => {
    world = await PodWorld.make(plan);
    world.node("n1", { cores: "2" });
    runs("a", "n1");
    runs("b", "n1");
    world.server.set("podgroups", { metadata: { name: "g", namespace: NAMESPACE }, spec: { minMember: 2 } });
    world.open();
    for (const name of ["g1", "g2"]) world.pod(name, { ...urgent, labels: { [GANG]: "g" } });
    await isEvicted("a", "b");
    world.remove("a");
    await world.told("g1", "Preempting");
    expect(world.placeOf("g1")).toBeUndefined();
    world.remove("b");
    await world.placed("g1", "g2");
  });

  it("that is gone leaves its victims alone though one that evicts nobody has found room beside it", async () => {
    world = await PodWorld.make(plan);
    world.node("n1", { cores: "2" });
    runs("low", "n1", { cores: "2" });
    world.server.holdsBudgets = [];
    world.open();
    world.pod("high", urgent);
    world.pod("never", { ...urgent, preemptionPolicy: "Never" });
    await world.until("budgets are asked for", () => world.server.holdsBudgets!.length > 0);
    world.remove("high");
    world.pod("as-low");
    await world.told("as-low", "WaitingForTurn");
    world.server.letBudgetsGo();
    // That is no refusal, and what was begun is over with this.
    await world.schedulers[0].close();
    expect([evicted(), world.reasonOf("never")]).toEqual([[], "WaitingForTurn"]);
  });

  it("that is gone before its victims are evicted leaves them alone", async () => {
    world = await PodWorld.make(plan);
    world.node("n1", { cores: "1" });
    runs("low", "n1");
    world.open();
    world.server.holdsBudgets = [];
    world.pod("high", urgent);
    await world.until("budgets are asked for", () => world.server.holdsBudgets!.length > 0);
    world.remove("high");
    world.pod("as-low");
    await world.told("as-low", "WaitingForTurn");
    world.server.letBudgetsGo();
    world.pod("another", { priority: -5 });
    await world.told("another", "WaitingForTurn");
    expect(evicted()).toEqual([]);
  });
});

describe("a disruption budget", () => {
  it("that forbids an eviction forbids the preemption, of all on the node, until it allows it", async () => {
    const clock = new VirtualClock();
    world = await PodWorld.make(plan, clock);
    world.node("n1", { cores: "2" });
    runs("kept", "n1", { labels: { app: "db" } });
    runs("low", "n1");
    budget("db", { app: "db" }, 0);
    world.open();
    world.pod("high", { ...urgent, cores: "2" });
    await world.passUntil(clock, 20, () => world.reasonOf("high") === "PreemptionRefused");
    expect(world.conditionOf("high")!.message).toBe(
      "pods of lower priority are not evicted for it: the disruption budget work/db allows 0 evictions now, fewer than it takes",
    );
    await world.passUntil(clock, 20, () => false);
    expect([evicted(), world.seen("high")!.status!.nominatedNodeName]).toEqual([[], undefined]);
    budget("db", { app: "db" }, 1);
    await world.passUntil(clock, 120, () => evicted().length === 2);
    expect(evicted().toSorted()).toEqual(["kept", "low"]);
    world.remove("kept");
    world.remove("low");
    await world.passUntil(clock, 10, () => world.placeOf("high") !== undefined);
    expect(world.placeOf("high")).toBe("n1");
  });

  it("is told the same each time, with the others that forbid it, on whatever node they are tried first", async () => {
    const clock = new VirtualClock();
    world = await PodWorld.make(plan, clock);
    for (const node of ["n1", "n2", "n3"]) world.node(node, { cores: "2" });
    for (const [at, app] of ["db", "web", "web"].entries())
      for (const copy of [1, 2]) runs(`${app}-${at}-${copy}`, `n${at + 1}`, { labels: { app } });
    budget("db", { app: "db" }, 0);
    budget("web", { app: "web" }, 1);
    world.open();
    const told: string[] = [];
    const look = (): boolean => {
      const message = world.conditionOf("high")?.message;
      if (message !== undefined && told.at(-1) !== message) told.push(message);
      return false;
    };
    world.pod("high", { ...urgent, cores: "2" });
    await world.passUntil(clock, 200, look);
    const end =
      "the disruption budget work/db allows 0 evictions now, fewer than it takes; the disruption budget work/web allows 1 evictions now, fewer than it takes";
    expect(told.at(-1)).toBe(`pods of lower priority are not evicted for it: ${end}`);
    // It is told what is found first, then all of it.
    expect(told.filter((each) => each.includes("not evicted")).length).toBeLessThanOrEqual(2);
    expect(told.join()).not.toContain("before");
    // What forbids it is gone, and so are they: it waits for others of its priority.
    for (const { metadata } of world.server.all("pods"))
      if (metadata.name !== "high") runs(metadata.name, world.placeOf(metadata.name)!, { priority: 2000 });
    await world.passUntil(clock, 200, () => world.reasonOf("high") === "WaitingForTurn");
    expect([world.reasonOf("high"), evicted()]).toEqual(["WaitingForTurn", []]);
  });

  it("of others lets pods go elsewhere, and is used up once", async () => {
    world = await PodWorld.make(plan);
    for (const node of ["n1", "n2", "n3"]) world.node(node, { cores: "1" });
    for (const [at, name] of ["a", "b", "c"].entries()) runs(name, `n${at + 1}`, { labels: { app: "web" } });
    budget("web", { app: "web" }, 1);
    world.open();
    for (const name of ["h1", "h2"]) world.pod(name, urgent);
    await world.until("one is refused", () =>
      ["h1", "h2"].some((name) => world.reasonOf(name) === "PreemptionRefused"),
    );
    expect(evicted()).toHaveLength(1);
    world.remove(evicted()[0]);
    await world.until("one is placed", () => ["h1", "h2"].some((name) => world.placeOf(name) !== undefined));
    expect(evicted()).toHaveLength(1);
  });

  it("that the API server knows better (429) is no preemption, and the nomination is taken back", async () => {
    const clock = new VirtualClock();
    world = await PodWorld.make(plan, clock);
    world.node("n1", { cores: "1" });
    runs("low", "n1");
    world.server.refusesEvictions = 429;
    world.open();
    world.pod("high", urgent);
    await world.passUntil(clock, 20, () => world.reasonOf("high") === "PreemptionRefused");
    expect(world.conditionOf("high")!.message).toContain("the API server refuses it: a fault of the test");
    expect(world.seen("high")!.status!.nominatedNodeName).toBeUndefined();
    world.server.refusesEvictions = null;
    await world.passUntil(clock, 120, () => evicted().length === 1);
    expect(await world.passUntil(clock, 20, () => world.reasonOf("high") === "Preempting")).toBeLessThan(20);
  });

  it("that may not be read forbid all, and are asked for now and then", async () => {
    world = await PodWorld.make(plan);
    for (const node of ["n1", "n2"]) {
      world.node(node, { cores: "1" });
      runs(`low-${node}`, node);
    }
    let asked = 0;
    world.open("holder", (connection) => ({
      ...connection,
      call: async (request) => {
        if (!request.path.endsWith("/poddisruptionbudgets")) return connection.call(request);
        asked++;
        return {
          ok: false,
          status: 403,
          reason: "Forbidden",
          message: "it is forbidden",
          retryAfterSeconds: null,
        };
      },
    }));
    world.pod("high", urgent);
    await world.told("high", "PreemptionRefused");
    expect(world.conditionOf("high")!.message).toContain(
      "disruption budgets cannot be read: it is forbidden (evict: true needs the rights of evictions.yaml)",
    );
    // Each node is tried once. Then budgets are not asked for again for 30 s, though other pods come.
    for (const name of ["a", "b", "c"]) {
      world.pod(name);
      await world.told(name, "WaitingForTurn");
    }
    expect(asked).toBeLessThanOrEqual(2);
    expect(evicted()).toEqual([]);
  });

  it("that may be read again, and forbid it, are told without that they could not be", async () => {
    const clock = new VirtualClock();
    world = await PodWorld.make(plan, clock);
    world.node("n1", { cores: "1" });
    runs("low", "n1", { labels: { app: "db" } });
    budget("db", { app: "db" }, 0);
    world.server.forbids.add("list policy/poddisruptionbudgets");
    world.open();
    world.pod("high", urgent);
    const message = (): string => world.conditionOf("high")?.message ?? "";
    await world.passUntil(clock, 60, () => message() !== "");
    expect(message()).toContain("disruption budgets cannot be read");
    world.server.forbids.clear();
    await world.passUntil(clock, 60, () => message().includes("work/db"));
    expect(message()).toBe(
      "pods of lower priority are not evicted for it: the disruption budget work/db allows 0 evictions now, fewer than it takes",
    );
  });

  it("and evictions of the version before are known", async () => {
    world = await PodWorld.make(plan);
    world.server.hasOldPolicy = true;
    world.node("n1", { cores: "1" });
    runs("low", "n1");
    world.open();
    world.pod("high", urgent);
    await isEvicted("low");
    await world.told("high", "Preempting");
  });
});

describe("evictions with faults", () => {
  it.each(["answers are lost", "the server fails for a while"])("are done once where %s", async (fault) => {
    const clock = new VirtualClock();
    world = await PodWorld.make(plan, clock);
    for (const node of ["n1", "n2"]) world.node(node, { cores: "1" });
    runs("low1", "n1");
    runs("low2", "n2");
    const { server } = world;
    if (fault === "answers are lost") server.losesAnswers = true;
    else server.refusesEvictions = 500;
    world.open();
    world.pod("high", urgent);
    await world.passUntil(clock, 20, () => server.calls.has("create pods/eviction"));
    await world.passUntil(clock, 3, () => false);
    server.losesAnswers = false;
    server.refusesEvictions = null;
    await world.passUntil(clock, 60, () => world.reasonOf("high") === "Preempting");
    expect([world.reasonOf("high"), evicted().length]).toEqual(["Preempting", 1]);
  });

  it.each(podCrashPoints.flatMap((point) => [1, 2].map((time) => [point, time] as const)))(
    "are no more than are needed where the scheduler dies %s, time %d that it passes there",
    async (point, time) => {
      const clock = new VirtualClock();
      world = await PodWorld.make(plan, clock);
      // Equal nodes, on any of which both have to go: whoever forgets which it was evicts more than two.
      const addNode = (node: string): void => {
        world.node(node, { cores: "2" });
        for (const name of [`${node}-1`, `${node}-2`]) runs(name, node);
      };
      for (const node of ["n1", "n2"]) addNode(node);
      let passed = 0;
      let isDead = false;
      const never = new Promise<never>(() => undefined);
      world.open("first", (connection) => ({
        ...withCrashes(
          { ...connection, call: (request) => (isDead ? never : connection.call(request)) },
          (each) => {
            if (each === point && ++passed === time) isDead = true;
          },
        ),
        close: () => connection.close(),
      }));
      world.pod("high", { ...urgent, cores: "2" });
      // It has died by then, or nothing of the kind is done so often.
      await world.passUntil(clock, 40, () => isDead || world.reasonOf("high") === "Preempting");
      void world.schedulers.shift()!.close();
      await world.passUntil(clock, 2, () => false);
      const begun = evicted()[0]?.slice(0, 2) ?? world.seen("high")!.status!.nominatedNodeName;
      // The first that the next one sees: if it knows nothing of what was begun it begins there.
      addNode("n0");
      for (const node of ["n1", "n2"]) {
        world.server.unset("nodes", null, node);
        world.node(node, { cores: "2" });
      }
      world.open("second");
      await world.passUntil(
        clock,
        60,
        () => evicted().length >= 2 && world.reasonOf("high") === "Preempting",
      );
      await world.passUntil(clock, 10, () => false);
      const node = begun ?? "n0";
      expect([evicted().toSorted(), world.placeOf("high")]).toEqual([[`${node}-1`, `${node}-2`], undefined]);
      for (const name of evicted()) world.remove(name);
      await world.passUntil(clock, 10, () => world.placeOf("high") !== undefined);
      expect([world.placeOf("high"), evicted().length]).toEqual([node, 2]);
    },
  );
});
