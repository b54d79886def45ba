import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import Fastify from "fastify";
import { expect, it, onTestFinished } from "vitest";

import { Client } from "../client/client.ts";
import { keepSocket, listenOnSocket } from "./listening.ts";

async function listening() {
  const top = mkdtempSync(join(tmpdir(), "croft-listening-"));
  const path = join(top, "croft", "s");
  const app = Fastify({ forceCloseConnections: true });
  app.get("/health", () => ({ status: "up" }));
  await listenOnSocket(app, path);
  const said: string[] = [];
  const release = keepSocket(app, path, (text) => said.push(text), 10);
  onTestFinished(async () => {
    release();
    await app.close();
    rmSync(top, { recursive: true, force: true });
  });
  return { path, top, said, ask: () => new Client({ socket: path }).get("/health") };
}

it("a socket that is removed is made again, with its folder, and again", async () => {
  const { path, top, said, ask } = await listening();
  for (const gone of [path, join(top, "croft"), path]) {
    rmSync(gone, { recursive: true });
    await expect.poll(() => existsSync(path)).toBe(true);
    expect(await ask()).toEqual({ status: "up" });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
  expect(said).toEqual(Array.from({ length: 3 }, () => "the socket was removed, and is made again"));
});

it("something else in its place is told once, and left alone", async () => {
  const { path, said } = await listening();
  rmSync(path);
  writeFileSync(path, "mine");
  await expect.poll(() => said).toHaveLength(1);
  expect(said[0]).toContain("something else is at the place of the socket");
  expect(statSync(path).isFile()).toBe(true);
});
