import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { Client } from "../../src/live/client/client.ts";
import { serve } from "../../src/live/serve.ts";
import { anyFarmOf } from "../../src/live/service/farms.fixture.ts";

it("ends, or is refused, when the token of who asked is not valid any more", async () => {
  const folder = mkdtempSync(join(tmpdir(), "croft-live-"));
  const socket = join(folder, "s");
  const farm = await serve({
    readFarm: async () => anyFarmOf([{ name: "one", machines: 1, cores: 4 }]),
    data: join(folder, "data"),
    socket,
    listen: { host: "127.0.0.1", port: 0, names: [] },
    version: "0",
    logLevel: "silent",
    speed: 1,
  });
  onTestFinished(async () => {
    await farm.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const owner = new Client({ socket });
  const submit = (): Promise<unknown> => owner.send("POST", "/v1/jobs", { command: ["pretend"], hold: true });
  await submit();
  const user = { user: "root", role: "operator" };
  const { id, token } = await owner.send<{ id: number; token: string }>("POST", "/v1/tokens", user);
  const headers = { authorization: `Bearer ${token}` };
  const stream = await fetch(`${farm.address}/v1/events?follow=true`, { headers });
  const waiting = fetch(`${farm.address}/v1/jobs/1?wait=60`, { headers });
  const told = stream.text();
  await owner.send("POST", "/v1/jobs/1/hold");
  await submit();
  await owner.send("DELETE", `/v1/tokens/${id}`);
  await submit();
  const text = await told;
  expect(text).toMatch(/event: submitted\n.*"job":2/);
  expect(text).not.toContain("token-revoked");
  expect(text).not.toContain(`"job":3`);
  expect(text).toContain(": the token is not valid any more");
  await owner.send("POST", "/v1/jobs/1/cancel");
  expect((await waiting).status).toBe(401);
});
