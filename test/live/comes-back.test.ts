import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import type { JobView } from "../../src/live/store/job-views.ts";
import { TestFarm } from "./farm.fixture.ts";

/** Without cgroups, as for an ordinary user: what has ended is found by a look at all processes. */
const yaml = `
pools: [{ name: here, engine: { kind: local, cgroup: none } }]
virtualPools: [{ name: all, routing: round-robin }]
`;

it.each(["SIGKILL", "SIGTERM"] as const)(
  "starts again after %s, and records how a job ended meanwhile",
  async (signal) => {
    // The test may be run by root, whose jobs are allowed only if that is said.
    const farm = new TestFarm((folder) => {
      writeFileSync(join(folder, "farm.yaml"), yaml);
      return ["--farm", join(folder, "farm.yaml"), "--allow-root"];
    });
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
