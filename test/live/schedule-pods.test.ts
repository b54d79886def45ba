import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { afterEach, expect, it, onTestFinished } from "vitest";

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

it("tells a kubelet and Prometheus how it is, where it listens", async () => {
  world = await PodWorld.make();
  world.node("n1");
  world.pod("a");
  const folder = temporaryFolder();
  const args = ["schedule-pods", "--farm", farmIn(folder, world.server.url), "--listen"];
  const child = start([...args, "127.0.0.1:0"], folder);
  const end = finished(child);
  let said = "";
  const address = new Promise<string>((resolve) =>
    child.stderr!.on("data", (data) => {
      said += String(data);
      const found = /metrics at (http\S+)\/metrics/.exec(said);
      if (found !== null) resolve(found[1]);
    }),
  );
  await world.placed("a");
  const at = await address;
  expect(await (await fetch(`${at}/healthz`)).text()).toBe("ok");
  expect((await fetch(`${at}/readyz`)).status).toBe(200);
  const metrics = await (await fetch(`${at}/metrics`)).text();
  expect(metrics).toContain('leader_election_master_status{name="croft-croft"} 1');
  expect(metrics).toContain('scheduler_pending_pods{queue="active"} 0');
  expect((await fetch(`${at}/else`)).status).toBe(404);
  const taken = await croftIn(folder)(...args, at.replace("http://", ""));
  expect([taken.status, taken.stderr]).toEqual([2, expect.stringContaining("cannot listen at 127.0.0.1:")]);
  child.kill("SIGTERM");
  expect((await end).status).toBe(0);
});

it("is not ready before it has seen the cluster", async () => {
  const folder = temporaryFolder();
  // A server that never answers.
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  await once(silent, "listening");
  const server = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const child = start(["schedule-pods", "--farm", farmIn(folder, server), "--listen", "127.0.0.1:0"], folder);
  const end = finished(child);
  let said = "";
  for await (const data of child.stderr!) {
    said += String(data);
    const [, at] = /metrics at (http\S+)\/metrics/.exec(said) ?? [];
    if (at === undefined) continue;
    const answer = await fetch(`${at}/readyz`);
    expect([answer.status, await answer.text()]).toEqual([
      503,
      [
        "the cluster's nodes have not been listed yet",
        "the cluster's pods have not been listed yet",
        "the lease croft/croft-croft is not held: it has not been asked for yet",
      ].join("\n"),
    ]);
    child.kill("SIGTERM");
    break;
  }
  expect((await end).status).toBe(0);
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
