import { execFileSync } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";

import { expect, it } from "vitest";

import type { PoolView } from "../../src/live/service/farm-views.ts";
import { TestFarm } from "./farm.fixture.ts";

// A farm file that is a pipe: the start waits for what it says.
it("SIGHUP while it starts is kept until it serves, and SIGUSR1 opens no debugger", async () => {
  const farm = new TestFarm((folder) => ["--farm", join(folder, "farm.yaml")]);
  const path = join(farm.folder, "farm.yaml");
  execFileSync("mkfifo", [path]);
  const say = async (name: string, meanwhile = (): void => undefined): Promise<void> => {
    // Resolves when the service has opened it, too.
    const pipe = await open(path, "w");
    meanwhile();
    await pipe.writeFile(`name: lab\npools: [{ name: ${name}, machines: [1x1c1g], engine: simulated }]\n`);
    await pipe.close();
  };
  const served = farm.serve();
  await say("first", () => {
    farm.signal("SIGUSR1");
    farm.signal("SIGHUP");
  });
  expect(await served).toContain("croft serves lab");
  await say("second");
  await expect
    .poll(async () => (await farm.client.get<PoolView[]>("/v1/pools")).map(({ name }) => name), {
      timeout: 60_000,
    })
    .toEqual(["second"]);
  await farm.kill("SIGTERM");
  expect((await farm.end()).stderr).not.toMatch(/debugger/i);
});
