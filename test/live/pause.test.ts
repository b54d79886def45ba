import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { TestFarm } from "./farm.fixture.ts";

it("pauses a pool and the farm, and says so wherever it is looked for", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  const told = async (...args: [string, ...string[]]): Promise<string> => {
    const { status, stdout, stderr } = await farm.croft(...args);
    expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: "" });
    return stdout;
  };
  await told("pause", "--reason", "moving house");
  await told("submit", "--", "true");
  expect(await told("pools")).toMatch(/paused with the farm by \S+: moving house$/m);
  expect(await told("top")).toContain("is paused with the farm by");
  expect(await told("explain", "1")).toContain(
    "has paused the farm (moving house): nothing starts there until",
  );
  expect(await told("explain", "--all")).toContain("paused");
  expect(await farm.client.get("/v1/farm")).toMatchObject({ paused: { reason: "moving house" } });
  await farm.kill("SIGKILL");
  await farm.serve();
  expect(await farm.client.get("/v1/jobs/1?wait=1")).toMatchObject({ state: "waiting" });
  expect(await farm.croft("unpause", "local")).toMatchObject({ status: 112 });
  await told("unpause");
  await told("wait", "1");

  await told("submit", "--", "sh", "-c", "until [ -e go ]; do sleep 0.1; done");
  await expect
    .poll(async () => (await farm.client.get<{ state: string }>("/v1/jobs/2")).state)
    .toBe("running");
  await told("pause", "local", "--suspend");
  expect(await told("pools")).toMatch(/paused by /);
  await expect
    .poll(async () => (await farm.client.get<{ state: string }>("/v1/jobs/2")).state)
    .toBe("suspended");
  await told("unpause", "local");
  writeFileSync(join(farm.folder, "go"), "");
  await told("wait", "2");
});

it("says what stays paused where the farm or a pool alone goes on", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  await farm.croft("pause", "--reason", "moving house");
  await farm.croft("pause", "local", "--reason", "new disk");
  expect(await farm.croft("unpause")).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(
      /^croft: pool local stays paused by \S+: new disk; croft unpause local lets it start jobs\n$/,
    ) as string,
  });
  await farm.croft("pause", "--reason", "moving house");
  expect(await farm.croft("unpause", "local")).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(
      /^croft: pool local stays paused with the farm by \S+: moving house; croft unpause lets it start jobs\n$/,
    ) as string,
  });
  expect(await farm.croft("unpause")).toMatchObject({ status: 0, stderr: "" });
});
