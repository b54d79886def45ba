/** Malformed and hostile requests over TCP: each is refused with a reason, or does what its user may do. */
import { request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Client } from "../../src/live/client/client.ts";
import { routes } from "../../src/live/api/routes.ts";
import { Draws } from "../../src/live/service/draws.ts";
import type { JobView } from "../../src/live/store/job-views.ts";
import { Service } from "./service.ts";
import type { Trial } from "./trial.ts";

/** In the victim's job, in all its texts: no answer to somebody else may have it. */
const SECRET = "xq7-secret-of-the-victim";
const AT_A_TIME = 16;
const FARM =
  "pools: [{ name: p, machines: [2x4c16g], engine: simulated }]\ngroups: { all: { users: [victim, attacker] } }\n";
/** Answers that may come: done, or refused with a reason. */
const FINE = new Set([200, 400, 401, 403, 404, 405, 409, 411, 413, 414, 415, 417, 422, 429, 431]);

export const hostile: Trial = {
  name: "hostile",
  summary: "malformed and hostile requests: paths, headers, tokens, bodies, raw bytes",
  unit: "requests",
  usual: 2000,
  plants: { names: [], count: 1 },
  run,
};

async function run(count: number, seed: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "croft-trial-"));
  const service = Service.of(folder, FARM, ["--listen", "127.0.0.1:0"]);
  try {
    const port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(await service.start())?.[1]);
    return await attack(service.client, port, count, new Draws(seed));
  } finally {
    await service.end("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function attack(owner: Client, port: number, count: number, draws: Draws): Promise<boolean> {
  const token = async (user: string, role: string): Promise<string> =>
    (await owner.send<{ token: string }>("POST", "/v1/tokens", { user, role })).token;
  const [victim, attacker] = [await token("victim", "user"), await token("attacker", "user")];
  const body = {
    command: [SECRET],
    name: SECRET,
    hold: true,
    environment: { SECRET, CROFT_SIMULATED_SECONDS: "1" },
  };
  const url = new URL(`http://127.0.0.1:${port}`);
  const { number } = await new Client({ url, token: victim }).send<JobView>("POST", "/v1/jobs", body);
  const before = JSON.stringify(await owner.get(`/v1/jobs/${number}`));
  const answers = new Map<string, number>();
  const wrong: string[] = [];
  let left = count;
  const one = async (): Promise<void> => {
    while (left-- > 0) {
      const isRaw = draws.below(20) === 0;
      const sent = isRaw ? rawBytes(draws, attacker) : anyRequest(draws, attacker, number);
      const { status, text } = isRaw ? await sendRaw(port, sent as string) : await send(port, sent as Sent);
      const key = status === 0 ? "connection closed" : String(status);
      answers.set(key, (answers.get(key) ?? 0) + 1);
      if (status !== 0 && !FINE.has(status))
        wrong.push(`${status} for ${JSON.stringify(sent).slice(0, 500)}`);
      if (text.includes(SECRET)) wrong.push(`a leak by ${JSON.stringify(sent).slice(0, 500)}`);
      if (status >= 400 && status !== 431 && !isRaw && !/"(error|message)":"[^"]/.test(text))
        wrong.push(
          `no reason with ${status} for ${JSON.stringify(sent).slice(0, 500)}: ${text.slice(0, 100)}`,
        );
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, one));
  const health = await owner.get<{ status: string }>("/health");
  if (health.status !== "up") wrong.push(`the service is ${health.status}`);
  if (JSON.stringify(await owner.get(`/v1/jobs/${number}`)) !== before)
    wrong.push("the victim's job was changed");
  const counts = [...answers].sort(([a], [b]) => a.localeCompare(b)).map(([key, n]) => `${key}: ${n}`);
  console.log(`${count} requests; answers ${counts.join(", ")}; ${wrong.length} mistakes`);
  for (const each of wrong.slice(0, 20)) console.log(each);
  return wrong.length === 0;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

const odd = [
  "",
  "\0",
  "'; DROP TABLE job; --",
  "../../etc/passwd",
  "%2e%2e%2f%2e%2e%2fcroft.db",
  "__proto__",
  "constructor",
  "$(touch /tmp/owned)",
  "`id`",
  "<script>alert(1)</script>",
  "\ud800",
  "é".repeat(300),
  "A".repeat(5000),
  "victim",
  "1e309",
  "-1",
  "NaN",
  "null",
];

function anyRequest(draws: Draws, token: string, victimsJob: number): Sent {
  const of = <T>(list: readonly T[]): T => list[draws.below(list.length)];
  const text = (): string => (draws.below(2) === 0 ? of(odd) : letters(draws));
  const route = of(routes);
  const fill = (part: string): string =>
    part === ":job"
      ? of([
          String(victimsJob),
          String(victimsJob),
          "1",
          "0",
          "-1",
          "1e3",
          encodeURIComponent(text().toWellFormed()),
        ])
      : encodeURIComponent(text().toWellFormed());
  let path = route.path.replace(/:\w+/g, fill);
  if (draws.below(20) === 0) path += of(["/", "//", "/..", "/../../v1/jobs", "%00", "%", "%zz", ";a=b"]);
  if (draws.below(3) === 0)
    path += `?${Array.from({ length: 1 + draws.below(4) }, () => query(draws)).join("&")}`;
  const method =
    draws.below(10) === 0 ? of(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]) : route.method;
  const headers: Record<string, string> = {};
  const door = draws.below(10);
  if (door > 1) headers["authorization"] = `Bearer ${token}`;
  else if (door === 1)
    headers["authorization"] = of([
      "Bearer",
      "Bearer x",
      `Bearer ${token.slice(0, -2)}AA`,
      `Bearer ${token}${token}`,
      `Basic ${token}`,
      "Bearer croft_1_' OR 1=1",
      `Bearer ${"A".repeat(7000)}`,
    ]);
  if (draws.below(15) === 0) headers["host"] = of(["evil.example", "", "127.0.0.1:1", "localhost"]);
  if (draws.below(15) === 0) headers["origin"] = of(["https://evil.example", "null", "http://127.0.0.1"]);
  if (draws.below(15) === 0) headers["idempotency-key"] = of(["", "k", "K".repeat(300), "a b", "'"]);
  if (draws.below(15) === 0) headers["last-event-id"] = of(["-1", "x", "9".repeat(400), "0"]);
  if (method === "GET" || method === "OPTIONS" || method === "TRACE" || draws.below(10) === 0)
    return { method, path, headers, body: null };
  headers["content-type"] =
    draws.below(12) === 0
      ? of(["text/plain", "application/xml", "", "application/json; charset=utf-7"])
      : "application/json";
  return { method, path, headers, body: anyBody(draws) };
}

function query(draws: Draws): string {
  const name = [
    "limit",
    "state",
    "user",
    "pool",
    "name",
    "above",
    "from",
    "stream",
    "attempt",
    "after",
    "x",
    "__proto__",
  ];
  const value = [
    "0",
    "1",
    "-1",
    "1e99",
    "waiting",
    "victim",
    "../../x",
    "%00",
    "%ff",
    "asleep",
    "stderr",
    "9".repeat(30),
  ];
  return `${name[draws.below(name.length)]}=${value[draws.below(value.length)]}`;
}

function anyBody(draws: Draws): string {
  const job = (): unknown => {
    const body: Record<string, unknown> = { command: ["x"], hold: true };
    const fields = [
      "command",
      "directory",
      "name",
      "cores",
      "memoryMiB",
      "gpus",
      "timeSeconds",
      "priority",
      "pool",
    ];
    fields.push(
      "requires",
      "project",
      "group",
      "retries",
      "after",
      "output",
      "environment",
      "array",
      "__proto__",
      "user",
    );
    for (let more = draws.below(4); more > 0; more--)
      body[fields[draws.below(fields.length)]] = anyValue(draws, 3);
    return body;
  };
  const kind = draws.below(12);
  if (kind === 0) return JSON.stringify(anyValue(draws, 4));
  if (kind === 1) return JSON.stringify({ jobs: Array.from({ length: draws.below(5) }, job) });
  if (kind === 2) return JSON.stringify(job()).slice(0, draws.below(60));
  if (kind === 3) return "[".repeat(1 + draws.below(20_000));
  if (kind === 4) return `{"__proto__":{"isAdmin":true},"command":["x"],"hold":true}`;
  if (kind === 5) return letters(draws);
  return JSON.stringify(job());
}

function anyValue(draws: Draws, depth: number): unknown {
  const numbers = [0, -1, 1e308, 2 ** 53, 0.1, -0, 2 ** 31];
  switch (draws.below(depth === 0 ? 4 : 6)) {
    case 0:
      return numbers[draws.below(numbers.length)];
    case 1:
      return draws.below(2) === 0 ? null : draws.below(2) === 0;
    case 2:
      return odd[draws.below(odd.length)];
    case 3:
      return letters(draws);
    case 4:
      return Array.from({ length: draws.below(5) }, () => anyValue(draws, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: draws.below(4) }, () => [letters(draws), anyValue(draws, depth - 1)]),
      );
  }
}

function letters(draws: Draws): string {
  return Array.from({ length: draws.below(12) }, () => String.fromCodePoint(1 + draws.below(400))).join("");
}

function send(
  port: number,
  { method, path, headers, body }: Sent,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const gone = (): void => resolve({ status: 0, text: "" });
    try {
      const asked = request({ host: "127.0.0.1", port, method, path, headers }, (response) => {
        void textOf(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), gone);
      });
      asked.on("error", gone);
      asked.end(body ?? undefined);
    } catch {
      // Node's client refuses to send it: so it is sent as bytes.
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const bytes = `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\nconnection: close\r\n\r\n${body ?? ""}`;
      void sendRaw(port, bytes).then(resolve);
    }
  });
}

function rawBytes(draws: Draws, token: string): string {
  const starts = [
    "GET / HTTP/9.9\r\n\r\n",
    "\0\0\0\0\r\n\r\n",
    `GET /v1/jobs HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\ncontent-length: -5\r\n\r\n`,
    `POST /v1/jobs HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n\r\nzzz\r\n`,
    `POST /v1/jobs HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n`,
    `GET ${"/a".repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    `GET / HTTP/1.1\r\n${"x: y\r\n".repeat(5000)}\r\n`,
    `GET /v1/jobs HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n`,
    "GET /v1/jobs HTTP/1.1\nhost: x\n\n",
    letters(draws),
  ];
  return starts[draws.below(starts.length)];
}

function sendRaw(port: number, bytes: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    const done = (): void => {
      socket.destroy();
      const text = Buffer.concat(chunks).toString();
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text });
    };
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", done).on("close", done);
    // Half of a request is a request that never ends: the attacker goes.
    socket.setTimeout(300, done);
    socket.end(bytes);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
