import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { ScheduledPod } from "../../src/live/pods/objects.ts";
import { hasWholeKubernetes } from "../kubernetes-cluster.fixture.ts";
import { conditionOf, containerOf, NAMESPACE, PodsCluster } from "../pods-cluster.fixture.ts";
import { SchedulerProcess } from "../scheduler-process.fixture.ts";

const BUDGETS = `/apis/policy/v1beta1/namespaces/${NAMESPACE}/poddisruptionbudgets`;
/** Hollow nodes have a core each. */
const NODES = 2;
const skipped = hasWholeKubernetes
  ? ""
  : " (skipped: needs scripts/kubernetes/build-cluster.sh, and its folder in CROFT_KUBERNETES)";

let world: PodsCluster;
let scheduler: SchedulerProcess;

async function podsOf(job: string): Promise<ScheduledPod[]> {
  return (await world.pods()).filter(({ metadata }) => metadata.labels?.["job-name"] === job);
}

async function runningOf(job: string): Promise<ScheduledPod[]> {
  return (await podsOf(job)).filter(
    ({ status, metadata }) => status?.phase === "Running" && metadata.deletionTimestamp === undefined,
  );
}

/** Fills all nodes: on each three pods of a third of it, of jobs of two priorities. */
async function fill(): Promise<void> {
  const shape = { cores: "300m", memory: "10Mi" };
  await world.job("low", { pods: NODES, ...shape, priorityClassName: "low", labels: { app: "low" } });
  await world.job("middle", {
    pods: 2 * NODES,
    ...shape,
    priorityClassName: "middle",
    labels: { app: "middle" },
  });
  await world.until("all run", async () =>
    (await Promise.all(["low", "middle"].map(runningOf))).every(
      (pods, at) => pods.length === NODES * (at + 1),
    ),
  );
}

async function budget(app: string, minAvailable: number): Promise<void> {
  const spec = { minAvailable, selector: { matchLabels: { app } } };
  await world.ask({ method: "POST", path: BUDGETS, body: { metadata: { name: app }, spec } });
  await world.until("the budget has counted", async () => {
    const found = await world.ask<{ status?: { currentHealthy?: number } }>({
      method: "GET",
      path: `${BUDGETS}/${app}`,
    });
    return (found.status?.currentHealthy ?? 0) >= minAvailable;
  });
}

const urgent = (cores: string): object => ({
  priorityClassName: "urgent",
  containers: [containerOf(cores, "10Mi")],
});

const uids = (pods: readonly ScheduledPod[]): string[] => pods.map(({ metadata }) => metadata.uid).sort();

describe.skipIf(!hasWholeKubernetes)(`preemption on a real cluster${skipped}`, () => {
  beforeAll(async () => {
    world = await PodsCluster.make(NODES, { evicts: true });
    scheduler = new SchedulerProcess(world);
    for (const [name, value] of [
      ["low", 10],
      ["middle", 100],
      ["urgent", 1000],
    ] as const)
      await world.ask({
        method: "POST",
        path: "/apis/scheduling.k8s.io/v1/priorityclasses",
        body: { metadata: { name }, value },
      });
  });
  afterEach(async () => {
    await scheduler.stop();
    await world.ask({ method: "DELETE", path: BUDGETS });
    await world.clear();
    // Whatever it did, its rights sufficed.
    expect(scheduler.takeSaid()).not.toMatch(/forbidden|cannot be seen|has failed/);
  });
  afterAll(() => world?.close());

  it("evicts the lowest, no more than are needed, and binds the pod there; the Job makes another one", async () => {
    scheduler.start();
    await fill();
    const [before, middle] = [await podsOf("low"), await podsOf("middle")];
    await world.makePod("urgent", urgent("300m"));
    await world.until(
      "it is on a node",
      async () => (await world.pod("urgent"))!.spec.nodeName !== undefined,
    );
    const node = (await world.pod("urgent"))!.spec.nodeName;
    await world.until("another one waits", async () => {
      const now = await podsOf("low");
      return now.length === NODES && now.some((pod) => conditionOf(pod)?.reason === "WaitingForTurn");
    });
    const now = await podsOf("low");
    const gone = before.filter(({ metadata }) => !uids(now).includes(metadata.uid));
    expect(gone.map(({ spec }) => spec.nodeName)).toEqual([node]);
    expect(uids(await podsOf("middle"))).toEqual(uids(middle));
    const [{ metadata }] = gone;
    expect((await world.eventsOf(metadata.name)).filter((event) => event.startsWith("Preempted"))).toEqual([
      `Preempted: it is evicted from node ${node} for pods of higher priority: ${NAMESPACE}/urgent`,
    ]);
  });

  it("evicts nobody where a budget forbids it, and says so, until it allows it", async () => {
    scheduler.start();
    await fill();
    await budget("low", NODES);
    await budget("middle", 2 * NODES);
    const before = uids(await world.pods());
    await world.makePod("urgent", urgent("300m"));
    const pod = await world.told("urgent", "PreemptionRefused");
    expect(conditionOf(pod)?.message).toContain("/low allows 0 evictions now");
    expect(pod.spec.nodeName).toBeUndefined();
    const there = (await world.pods()).filter(({ metadata }) => metadata.name !== "urgent");
    expect(uids(there)).toEqual(before);
    expect(there.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)).toEqual([]);
    await world.ask({ method: "DELETE", path: `${BUDGETS}/low` });
    await world.until(
      "it is on a node",
      async () => (await world.pod("urgent"))!.spec.nodeName !== undefined,
    );
    expect((await runningOf("middle")).length).toBe(2 * NODES);
  });

  it("evicts others where a budget forbids the lowest", async () => {
    scheduler.start();
    await fill();
    await budget("low", NODES);
    const low = uids(await podsOf("low"));
    await world.makePod("urgent", urgent("600m"));
    await world.until(
      "it is on a node",
      async () => (await world.pod("urgent"))!.spec.nodeName !== undefined,
    );
    expect(uids(await runningOf("low"))).toEqual(low);
  });

  it("goes on with a preemption whose scheduler was killed, on the same node, and evicts no more", async () => {
    scheduler.start();
    await fill();
    await scheduler.stop("SIGKILL");
    const before = await world.pods();
    await world.makePod("urgent", urgent("300m"));
    scheduler.start();
    await world.until(
      "it is nominated",
      async () => ((await world.pod("urgent"))!.status?.nominatedNodeName ?? "") !== "",
    );
    const { nominatedNodeName } = (await world.pod("urgent"))!.status!;
    await scheduler.stop("SIGKILL");
    scheduler.start();
    await world.until(
      "it is on a node",
      async () => (await world.pod("urgent"))!.spec.nodeName !== undefined,
    );
    expect((await world.pod("urgent"))!.spec.nodeName).toBe(nominatedNodeName);
    const left = uids(await world.pods());
    expect(before.filter(({ metadata }) => !left.includes(metadata.uid))).toHaveLength(1);
  });
});
