import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, expect, it } from "vitest";

import { PodWorld } from "../../src/live/pods/world.fixture.ts";
import { croftIn, finished, start, temporaryFolder } from "../cli/croft.fixture.ts";

let world: PodWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

function farmIn(folder: string, server: string): string {
  const kubeconfig = join(folder, "kubeconfig");
  const cluster = { server };
  const config = {
    "current-context": "test",
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
    clusters: [{ name: "test", cluster }],
    users: [{ name: "test", user: { token: "secret" } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  const engine = { kind: "kubernetes", schedule: "all", namespace: "croft", kubeconfig };
  const pools = [{ name: "pods", policy: "mix-fit", engine }];
  writeFileSync(
    join(folder, "farm.yaml"),
    JSON.stringify({ name: "lab", sites: ["a"], pools, preemption: { victim: "none" } }),
  );
  return "farm.yaml";
}

it("schedules pods as a process, is killed, and goes on where it was", async () => {
  world = await PodWorld.make();
  world.node("n1", { cores: "2" });
  const folder = temporaryFolder();
  const args = ["schedule-pods", "--farm", farmIn(folder, world.server.url)];
  world.pod("a");
  const first = start(args, folder);
  await world.placed("a");
  const killed = once(first, "exit");
  first.kill("SIGKILL");
  await killed;
  world.pod("b");
  world.pod("c");
  // It waits until the lease of the one before has run out.
  const second = start(args, folder);
  const end = finished(second);
  await world.placed("b");
  await world.told("c", "WaitingForTurn");
  second.kill("SIGTERM");
  const { status, stderr } = await end;
  expect(status).toBe(0);
  expect(stderr).toContain("schedules pods with schedulerName: croft, by pool pods");
  expect(stderr).toContain("holds the lease");
  const [lease] = world.server.all("leases");
  expect((lease["spec"] as { holderIdentity: string }).holderIdentity).toBe("");
});

it("says what to do where the farm file has no such pool, and croft serve where it has", async () => {
  const folder = temporaryFolder();
  const croft = croftIn(folder);
  writeFileSync(
    join(folder, "own.yaml"),
    "name: lab\npools:\n  - { name: a, policy: mix-fit, engine: local }\n",
  );
  const without = await croft("schedule-pods", "--farm", "own.yaml");
  expect([without.status, without.stderr]).toEqual([
    2,
    expect.stringContaining("no pool has engine: { kind: kubernetes, schedule: all }"),
  ]);
  const served = await croft(
    "serve",
    "--farm",
    farmIn(folder, "http://127.0.0.1:1"),
    "--data",
    "data",
    "--socket",
    "s",
  );
  expect([served.status, served.stderr]).toEqual([
    2,
    expect.stringContaining("pods of others are scheduled by croft schedule-pods"),
  ]);
});
