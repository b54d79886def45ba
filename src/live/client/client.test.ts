import { once } from "node:events";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { Client, type ClientOptions } from "./client.ts";

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** A client of a farm that answers each request as the next of these does, the last one again and again. */
async function clientOf(
  [first, ...others]: readonly [Answering, ...Answering[]],
  options: ClientOptions = {},
): Promise<Client> {
  let answering = first;
  const server: Server = createServer((request, response) => {
    answering(request, response);
    answering = others.shift() ?? answering;
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return new Client({ url: new URL(`http://127.0.0.1:${port}`), token: null }, options);
}

const answers =
  (status: number, body: object): Answering =>
  (_, response) => {
    response.writeHead(status).end(JSON.stringify(body));
  };

const breaksOff: Answering = (request) => request.socket.destroy();
const breaksOffWithin: Answering = (_, response) => {
  response.writeHead(200, { "content-length": 100 }).write("{");
  setTimeout(() => response.destroy(), 20);
};

describe("what must not be done twice", () => {
  it.each([
    ["before", breaksOff],
    ["within", breaksOffWithin],
  ])("is sent again with the same key where the connection breaks %s the answer", async (_, broken) => {
    const keys: unknown[] = [];
    const noted =
      (answering: Answering): Answering =>
      (request, response) => {
        keys.push(request.headers["idempotency-key"]);
        answering(request, response);
      };
    const said: string[] = [];
    const later = answers(503, { error: "the farm is stopping" });
    const client = await clientOf([noted(broken), noted(later), noted(answers(200, { number: 7 }))], {
      say: (text) => said.push(text),
    });
    expect(await client.sendOnce("/v1/jobs", { command: ["x"] }, null)).toEqual({ number: 7 });
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(String(keys[0])).toMatch(/^[0-9a-f-]{36}$/);
    expect(said).toHaveLength(1);
  });

  it("has another key each time, or the one that is given", async () => {
    const keys: unknown[] = [];
    const client = await clientOf([
      (request, response) => {
        keys.push(request.headers["idempotency-key"]);
        answers(200, {})(request, response);
      },
    ]);
    for (const key of [null, null, "mine"]) await client.sendOnce("/v1/jobs", {}, key);
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys[2]).toBe("mine");
  });

  it("waits for a farm that starts again, and says so, and not for one that never was", async () => {
    const folder = mkdtempSync(join(tmpdir(), "croft-client-"));
    const socket = join(folder, "s");
    const said: string[] = [];
    const options = { say: (text: string) => said.push(text), patienceSeconds: 0 };
    await expect(
      new Client({ socket: join(folder, "none", "s") }, options).sendOnce("/v1/jobs", {}, null),
    ).rejects.toThrow("no farm answers");
    expect(said.join()).not.toContain("again");
    // Its socket is there, and nobody listens.
    const before = createServer().listen(socket);
    await once(before, "listening");
    renameSync(socket, join(folder, "kept"));
    await new Promise((resolve) => before.close(resolve));
    renameSync(join(folder, "kept"), socket);
    const submitted = new Client({ socket }, options).sendOnce("/v1/jobs", {}, null);
    await expect.poll(() => said.join()).toContain("may be starting again");
    rmSync(socket);
    const farm = createServer((_, response) => response.end('{"number": 7}')).listen(socket);
    expect(await submitted).toEqual({ number: 7 });
    farm.close();
    rmSync(folder, { recursive: true });
  });

  it("is not sent again where the farm has refused it", async () => {
    let asked = 0;
    const client = await clientOf([
      (request, response) => {
        asked++;
        answers(503, { error: "not now" })(request, response);
      },
    ]);
    await expect(client.sendOnce("/v1/jobs", {}, null)).rejects.toMatchObject({ status: 503 });
    expect(asked).toBe(1);
  });
});

it("a farm that is away is asked again, and how long it was is known", async () => {
  const away = answers(503, { error: "the farm is stopping" });
  const there = answers(200, { number: 7 });
  const client = await clientOf([there, away, away, there]);
  const ask = (): Promise<unknown> => client.insist(() => client.get("/v1/jobs/7"));
  expect([await ask(), client.awaySeconds]).toEqual([{ number: 7 }, 0]);
  const begun = performance.now();
  expect(await ask()).toEqual({ number: 7 });
  expect(client.awaySeconds).toBeGreaterThan(0.5);
  expect(client.awaySeconds).toBeLessThan((performance.now() - begun) / 1000);
});

it("that a farm is away is said once, also where both streams of a job are asked for", async () => {
  const away = answers(503, { error: "the farm is stopping" });
  const there = answers(200, { number: 7 });
  const said: string[] = [];
  const client = await clientOf([there, away, away, away, there, there, away, there], {
    say: (text) => said.push(text),
  });
  const ask = (): Promise<unknown> => client.insist(() => client.get("/v1/jobs/7"));
  await ask();
  await Promise.all([ask(), ask()]);
  expect(said).toEqual([expect.stringContaining("the farm is away")]);
  // Away again, it is said again.
  await ask();
  expect(said).toHaveLength(2);
});

describe("an answer that takes long", () => {
  const slowly: Answering = (request, response) => {
    setTimeout(() => answers(200, {})(request, response), 400);
  };

  it.each<[string, Answering, string]>([
    [
      "full",
      answers(503, { status: "database or disk is full" }),
      "can write nothing at present (database or disk is full)",
    ],
    ["busy", answers(200, { status: "ready" }), "takes long to answer"],
    ["stuck", () => undefined, "does not answer"],
  ])("is explained: the farm is %s", async (_, ready, text) => {
    const said: string[] = [];
    const client = await clientOf([slowly, ready], { patienceSeconds: 0.1, say: (each) => said.push(each) });
    await client.get("/v1/jobs");
    expect(said).toEqual([expect.stringContaining(text)]);
  });

  it("is not remarked on where it is to take that long, or comes soon", async () => {
    const said: string[] = [];
    const client = await clientOf([slowly, answers(200, {})], {
      patienceSeconds: 0.2,
      say: (text) => said.push(text),
    });
    await client.get("/v1/jobs/1?wait=1", 1);
    await client.get("/v1/jobs");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(said).toEqual([]);
  });
});
