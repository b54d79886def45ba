import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import type { MachineView } from "../../src/live/service/farm-views.ts";
import type { JobView } from "../../src/live/store/job-views.ts";
import { TestFarm } from "./farm.fixture.ts";

it("a failing prolog drains the machine with its reason, and the job runs when that is mended", async () => {
  let prolog = "";
  const farm = new TestFarm((folder) => {
    prolog = join(folder, "prolog");
    mkdirSync(join(folder, "scratch"));
    const hooks = { prolog, limit: "20s", scratch: join(folder, "scratch") };
    writeFileSync(
      join(folder, "farm.json"),
      JSON.stringify({ pools: [{ name: "here", engine: { kind: "local", name: "box" }, hooks }] }),
    );
    return ["--farm", "farm.json", "--allow-root"];
  });
  const write = (script: string): void => {
    writeFileSync(prolog, `#!/bin/sh\n${script}\n`);
    chmodSync(prolog, 0o755);
  };
  write("exit 4");
  await farm.serve();
  await farm.croft("submit", "--", "sh", "-c", 'test -d "$TMPDIR"');
  const machine = async (): Promise<MachineView> => (await farm.client.get<MachineView[]>("/v1/machines"))[0];
  while ((await machine()).state !== "drained") continue;
  const drained = await machine();
  expect(drained.reason).toBe(`the prolog ${prolog} has failed with status 4 (croft)`);
  const { submittedAt } = await farm.client.get<JobView>("/v1/jobs/1");
  expect(Date.parse(drained.since!)).toBeGreaterThanOrEqual(Date.parse(submittedAt));
  await farm.kill("SIGKILL");
  await farm.serve();
  expect(await machine()).toEqual(drained);
  expect(await farm.client.get<JobView>("/v1/jobs/1")).toMatchObject({
    state: "waiting",
    reason: `its last start failed: the prolog ${prolog} has failed with status 4`,
    attempt: 1,
  });
  const { stdout } = await farm.croft("explain", "1");
  expect(stdout).toContain("drained: ");

  write("exit 0");
  expect((await farm.croft("undrain", "here/box")).status).toBe(0);
  expect(await farm.client.get<JobView>("/v1/jobs/1?wait=60")).toMatchObject({
    state: "ended",
    reason: "",
    attempt: 2,
  });
});
