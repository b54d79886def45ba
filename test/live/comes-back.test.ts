import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, it } from "vitest";

import type { JobView } from "../../src/live/store/job-views.ts";
import { TestFarm } from "./farm.fixture.ts";

/** Without cgroups, as for an ordinary user: what has ended is found by a look at all processes. */
const yaml = `
pools: [{ name: here, engine: { kind: local, cgroup: none } }]
virtualPools: [{ name: all, routing: round-robin }]
`;

// The test may be run by root, whose jobs are allowed only if that is said.
const ownFarm = (): TestFarm =>
  new TestFarm((folder) => {
    writeFileSync(join(folder, "farm.yaml"), yaml);
    return ["--farm", join(folder, "farm.yaml"), "--allow-root"];
  });

it.each(["SIGKILL", "SIGTERM"] as const)(
  "starts again after %s, and records how a job ended meanwhile",
  async (signal) => {
    const farm = ownFarm();
    await farm.serve();
    const go = join(farm.folder, "go");
    const wait = `while [ ! -e ${go} ]; do sleep 0.02; done; exit 3`;
    expect(await farm.croft("submit", "--", "sh", "-c", wait)).toMatchObject({ status: 0 });
    const state = async (): Promise<string> => (await farm.client.get<JobView>("/v1/jobs/1")).state;
    await expect.poll(state, { timeout: 60_000 }).toBe("running");
    await farm.kill(signal);
    writeFileSync(go, "");
    const attempts = join(farm.folder, "data", "engines", "here", "attempts");
    const [attempt] = readdirSync(attempts);
    await expect.poll(() => existsSync(join(attempts, attempt, "exit")), { timeout: 60_000 }).toBe(true);
    await farm.serve();
    expect(await farm.client.get<JobView>("/v1/jobs/1?wait=60")).toMatchObject({
      state: "failed",
      exitStatus: 3,
    });
  },
);

it("tells damaged books before it opens an engine", async () => {
  const farm = ownFarm();
  await farm.serve();
  await farm.kill("SIGTERM");
  const data = join(farm.folder, "data");
  const database = new DatabaseSync(join(data, "croft.db"));
  database.exec("UPDATE snapshot SET data = substr(data, 1, 10) WHERE part = 0");
  database.close();
  rmSync(join(data, "engines"), { recursive: true });
  await expect(farm.serve()).rejects.toThrow(/croft\.db: .* is damaged \(.*\): move it away and restore/);
  expect(existsSync(join(data, "engines"))).toBe(false);
});
