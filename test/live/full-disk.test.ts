import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { TestFarm } from "./farm.fixture.ts";

const yaml = (virtualPool: string): string => `
pools: [{ name: here, engine: { kind: local, cgroup: none } }]
virtualPools: [{ name: ${virtualPool}, routing: round-robin }]
`;

async function farmWithFile(): Promise<TestFarm> {
  const farm = new TestFarm((folder) => {
    writeFileSync(join(folder, "farm.yaml"), yaml("all"));
    // The test may be run by root, whose jobs are allowed only if that is said.
    return ["--farm", join(folder, "farm.yaml"), "--allow-root"];
  });
  await farm.serve();
  return farm;
}

async function isReady({ client }: TestFarm): Promise<boolean> {
  try {
    await client.raw("GET", "/ready");
    return true;
  } catch (error) {
    expect(error).toMatchObject({ status: 503 });
    return false;
  }
}

it("goes on as it was if it is to reload while nothing can be written", async () => {
  const farm = await farmWithFile();
  const { client } = farm;
  const submit = (pool: string): Promise<unknown> =>
    client.send("POST", "/v1/jobs", { command: ["true"], pool, hold: true });
  await submit("all");
  writeFileSync(join(farm.folder, "farm.yaml"), yaml("every"));
  farm.limitFiles(4096);
  // The first finds the trouble, the second knows of it.
  for (let time = 0; time < 2; time++)
    await expect(client.send("POST", "/v1/reload")).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining("the farm goes on as it was: ") as string,
    });
  expect(await isReady(farm)).toBe(false);
  expect(await client.get("/v1/jobs")).toMatchObject([{ number: 1, state: "held" }]);
  farm.limitFiles("unlimited");
  await expect.poll(() => isReady(farm), { timeout: 60_000 }).toBe(true);
  expect(await submit("all")).toMatchObject({ number: 2 });
  expect(await client.send("POST", "/v1/reload")).toMatchObject({ changed: true });
  expect(await submit("every")).toMatchObject({ number: 3 });
});

it("stops when it is told to while nothing can be written, with a job or an act under way", async () => {
  const farm = await farmWithFile();
  await farm.client.send("POST", "/v1/jobs", { command: ["true"], hold: true });
  farm.limitFiles(4096);
  expect(await farm.kill("SIGTERM")).toBe(0);
  await farm.serve();
  farm.limitFiles(4096);
  const waiting = farm.client
    .send("POST", "/v1/jobs", { command: ["true"] })
    .catch((error: unknown) => error);
  await expect.poll(() => isReady(farm), { timeout: 60_000 }).toBe(false);
  expect(await farm.kill("SIGTERM")).toBe(0);
  expect(await waiting).toBeInstanceOf(Error);
});
