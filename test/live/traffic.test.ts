import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { makeServer } from "../../src/live/api/server.ts";
import { Client } from "../../src/live/client/client.ts";
import { MOST_BODY_BYTES } from "../../src/live/limits.ts";
import { serve, type Serving } from "../../src/live/serve.ts";
import { anyFarmOf } from "../../src/live/service/farms.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "croft-live-"));
const socket = join(folder, "s");
const owner = new Client({ socket });
let farm: Serving;

beforeAll(async () => {
  farm = await serve({
    readFarm: async () => anyFarmOf([{ name: "one", machines: 1, cores: 4 }]),
    data: join(folder, "data"),
    socket,
    listen: null,
    version: "0",
    logLevel: "silent",
    speed: 1,
  });
  // A long answer: the list of these.
  const jobs = Array.from({ length: 2000 }, () => ({ command: ["pretend", "x".repeat(2000)], hold: true }));
  await owner.send("POST", "/v1/job-lists", { jobs });
});

afterAll(async () => {
  await farm.stop();
  rmSync(folder, { recursive: true, force: true });
});

function connected(): Socket {
  const connection = connect(socket);
  connection.on("error", () => undefined);
  onTestFinished(() => void connection.destroy());
  return connection;
}

const asking = (path: string, ...headers: string[]): string =>
  ["GET " + path + " HTTP/1.1", "host: croft", ...headers, "", ""].join("\r\n");

async function answerTo(text: string): Promise<string> {
  const connection = connected();
  connection.write(text);
  let answer = "";
  for await (const chunk of connection) {
    answer += String(chunk);
    if (answer.includes("\r\n\r\n")) break;
  }
  return answer;
}

describe("requests that come before the last ones are answered", () => {
  it("are answered in their order, if they are few", async () => {
    const connection = connected();
    connection.write(asking("/health").repeat(4) + asking("/v1/farm", "connection: close"));
    let answer = "";
    for await (const chunk of connection) answer += String(chunk);
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(5);
    expect(answer).toMatch(/"status":"up".*"status":"up".*"version"/s);
  });

  it("close the connection, if they are many, and take no memory", async () => {
    const before = process.memoryUsage.rss();
    const connections = Array.from({ length: 20 }, connected);
    const closed = connections.map((connection) => once(connection, "close"));
    for (const connection of connections) {
      connection.pause();
      connection.write(asking("/v1/jobs?limit=10000").repeat(500));
    }
    // A paused reader does not hear of the end: it does when it reads on.
    await expect.poll(() => owner.get("/health"), { timeout: 60_000 }).toEqual({ status: "up" });
    for (const connection of connections) connection.resume();
    await Promise.all(closed);
    expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(600);
    expect(await owner.get("/health")).toEqual({ status: "up" });
  });
});

describe("answers that nobody reads", () => {
  it("are not made any more when they are too much, until others are read or closed", async () => {
    // Each is some 4 MiB, and there may be 128.
    const connections = Array.from({ length: 60 }, connected);
    for (const connection of connections) {
      connection.pause();
      connection.write(asking("/v1/jobs?limit=10000"));
    }
    const list = (): Promise<number> =>
      owner.get("/v1/jobs?limit=10000").then(
        () => 200,
        ({ status }: { status: number }) => status,
      );
    await expect.poll(list, { timeout: 60_000 }).toBe(503);
    // What is small goes on.
    expect(await owner.get("/health")).toEqual({ status: "up" });
    for (const connection of connections) connection.destroy();
    await expect.poll(list, { timeout: 60_000 }).toBe(200);
  });
});

describe("bodies that are announced and not sent", () => {
  it("are refused when they are too much", async () => {
    const heading = (length: number): string =>
      `POST /v1/jobs HTTP/1.1\r\nhost: croft\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
    const connections = Array.from({ length: 10 }, connected);
    for (const connection of connections) connection.write(heading(MOST_BODY_BYTES));
    await expect
      .poll(() => answerTo(heading(MOST_BODY_BYTES)), { timeout: 60_000 })
      .toMatch(/^HTTP\/1.1 503/);
    for (const connection of connections) connection.destroy();
  });
});

describe("a request that is too large", () => {
  it.each([
    ["told", `content-length: ${MOST_BODY_BYTES * 2}`],
    ["not told", "transfer-encoding: chunked"],
  ])("is answered in words while it is still being sent, its length %s", async (_, length) => {
    const connection = connected();
    let answer = "";
    connection.on("data", (chunk) => (answer += String(chunk)));
    const head = ["POST /v1/jobs HTTP/1.1", "host: croft", "content-type: application/json", length, "", ""];
    connection.write(head.join("\r\n"));
    const mib = Buffer.alloc(1024 * 1024, "x");
    const isChunked = length.startsWith("transfer");
    const most = (2 * MOST_BODY_BYTES) / mib.length;
    for (let sent = 0; sent < most; sent++) {
      if (isChunked) connection.write(`${mib.length.toString(16)}\r\n`);
      // The farm takes all of it, and does not break the connection.
      expect(connection.errored).toBeNull();
      if (!connection.write(mib)) await once(connection, "drain");
      if (isChunked) connection.write("\r\n");
    }
    if (isChunked) connection.write("0\r\n\r\n");
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 413 .*at most 16 MiB/s);
    // The connection is good for the next one.
    answer = "";
    connection.write(asking("/health"));
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("a header that stands there twice", () => {
  it.each(["host: evil", "authorization: x\r\nauthorization: y", "idempotency-key: a\r\nidempotency-key: b"])(
    "is refused: %j",
    async (headers) => {
      expect(await answerTo(asking("/v1/farm", ...headers.split("\r\n")))).toMatch(
        /^HTTP\/1\.1 400 .*stands there twice/s,
      );
    },
  );
});

async function made(): Promise<FastifyInstance> {
  const log = { error: () => undefined } as never;
  const app = await makeServer({
    farm: { version: "0", settled: async () => undefined } as never,
    identify: () => ({ user: "ann", role: "admin" }),
    metrics: async () => "",
    log: Object.assign(log, { fatal() {}, warn() {}, info() {}, debug() {}, trace() {}, child: () => log }),
  });
  onTestFinished(() => app.close());
  return app;
}

it("a request has a time to be sent in", async () => {
  const { requestTimeout, headersTimeout, timeout } = (await made()).server;
  expect([requestTimeout, headersTimeout, timeout].every((each) => each > 0 && each <= 180_000)).toBe(true);
});

it("a client that goes on sending after its time is told so, and cut off", async () => {
  const app = await made();
  Object.assign(app.server, { requestTimeout: 1, headersTimeout: 1 });
  const path = join(folder, "slow");
  await app.listen({ path });
  const connection = connect({ path, allowHalfOpen: true });
  const cutOff = new Promise<unknown>((resolve) => connection.on("error", resolve));
  const head = ["POST /v1/jobs HTTP/1.1", "host: croft", "content-type: application/json"];
  connection.write([...head, "content-length: 100000", "", ""].join("\r\n"));
  const sending = setInterval(() => connection.write(" "), 20);
  onTestFinished(() => clearInterval(sending));
  expect(String(await once(connection, "data"))).toMatch(/^HTTP\/1\.1 408 /);
  expect(await cutOff).toMatchObject({ code: "EPIPE" });
});
