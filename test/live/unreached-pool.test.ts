import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { StandInWorld } from "../../src/live/engines/kubernetes/world.fixture.ts";
import { TestFarm } from "./farm.fixture.ts";

it("jobs for a cluster that is away at the farm's first start run or are rejected, once it is there", async () => {
  const world = await StandInWorld.make();
  onTestFinished(() => world.close());
  const { server } = world;
  await server.stop();
  const farm = new TestFarm(["--farm", "farm.yaml"]);
  mkdirSync(farm.folder, { recursive: true });
  const kubeconfig = join(farm.folder, "kubeconfig");
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      "current-context": "only",
      contexts: [{ name: "only", context: { cluster: "only", user: "only" } }],
      clusters: [{ name: "only", cluster: { server: server.url } }],
      users: [{ name: "only", user: {} }],
    }),
  );
  writeFileSync(
    join(farm.folder, "farm.yaml"),
    `
sites: [here]
pools:
  - { name: cloud, site: here, engine: { kind: kubernetes, kubeconfig: ${kubeconfig}, namespace: croft, image: image } }
virtualPools:
  - { name: all, site: here, pools: [cloud], routing: round-robin }
`,
  );
  await farm.serve();
  const fits = await farm.croft("submit", "--cores", "1", "--memory", "10M", "--", "true");
  expect(fits).toMatchObject({ status: 0 });
  await farm.croft("submit", "--cores", "1000", "--memory", "10M", "--", "true");
  const jobs = async () => JSON.parse((await farm.croft("jobs", "--json")).stdout) as unknown;
  const waits = {
    state: "waiting",
    reason: "pool cloud has not been reached yet, and its machines are not known",
  };
  expect(await jobs()).toMatchObject([waits, waits]);
  const told = await farm.croft("explain", "1");
  expect(told.stdout).toContain("pool cloud has not been reached yet");
  await server.start();
  await expect.poll(jobs, { timeout: 120_000 }).toMatchObject([
    { state: "running" },
    {
      state: "rejected",
      reason: expect.stringContaining("asks for 1000 cores on one machine; the largest has"),
    },
  ]);
});
