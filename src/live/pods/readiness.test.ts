import { afterEach, expect, it } from "vitest";

import { VirtualClock } from "../engines/system/virtual-clock.fixture.ts";
import { planFor, PodWorld } from "./world.fixture.ts";

let world: PodWorld;
let clock: VirtualClock;
afterEach(() => world.close());

async function open(): Promise<void> {
  clock = new VirtualClock();
  world = await PodWorld.make(planFor(), clock);
  world.node("n1");
  world.open();
  await world.passUntil(clock, 20, () => world.schedulers[0].whyNotReady === null);
}

const isReady = (): boolean => world.schedulers[0].whyNotReady === null;

async function checks(): Promise<string[]> {
  const lines = (await world.metrics.text()).split("\n");
  return lines.filter((line) => line.startsWith("kubernetes_healthcheck{"));
}

it("ends while the API server is away, is told by metrics, and comes back with it", async () => {
  await open();
  const all = ["nodes", "pods", "lease"].map(
    (name) => `kubernetes_healthcheck{name="${name}",type="readyz"}`,
  );
  expect(await checks()).toEqual(all.map((each) => `${each} 1`));
  await world.server.stop();
  await world.passUntil(clock, 60, () =>
    Object.values(world.schedulers[0].lacks).every((lack) => lack !== null),
  );
  const [nodes, pods, lease] = world.schedulers[0].whyNotReady!.split("\n");
  expect(nodes).toMatch(/^the cluster's nodes cannot be seen: /);
  expect(pods).toMatch(/^the cluster's pods cannot be seen: /);
  expect(lease).toMatch(/^the lease croft\/croft-croft is not held: the API server \S+ does not answer: /);
  expect(await checks()).toEqual(all.map((each) => `${each} 0`));
  await world.server.start();
  await world.passUntil(clock, 60, isReady);
  expect(await checks()).toEqual(all.map((each) => `${each} 1`));
});

it("asks for no lease that another one holds, and for one that may not be had", async () => {
  await open();
  const second = world.open("second");
  await world.passUntil(clock, 20, () => second.whyNotReady === null);
  expect([second.whyNotReady, second.lease.isHeld]).toEqual([null, false]);
  world.server.forbids.add("get coordination.k8s.io/leases");
  await world.passUntil(clock, 60, () => !isReady() && second.whyNotReady !== null);
  for (const each of world.schedulers)
    expect(each.whyNotReady).toMatch(
      /^the lease croft\/croft-croft is not held: .* cannot get resource "coordination.k8s.io\/leases"/,
    );
});

it("a server that has just started, and forbids everything until it has read its roles, is told no missing right", async () => {
  await open();
  await world.server.stop();
  await world.passUntil(clock, 60, () => world.log.some((line) => line.includes("nodes cannot be seen")));
  for (const right of [
    "get coordination.k8s.io/leases",
    "list nodes",
    "watch nodes",
    "list pods",
    "watch pods",
  ])
    world.server.forbids.add(right);
  await world.server.start();
  await world.passUntil(clock, 60, () => world.log.some((line) => line.includes("has not read its roles")));
  world.server.forbids.clear();
  await world.passUntil(clock, 60, isReady);
  expect(world.log.filter((line) => /kubectl apply|may not|cannot \w+ resource/.test(line))).toEqual([]);
});
