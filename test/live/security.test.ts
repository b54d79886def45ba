import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { roles } from "../../src/live/identity.ts";
import { routes } from "../../src/live/api/routes.ts";
import { Client } from "../../src/live/client/client.ts";
import { serve, type Serving } from "../../src/live/serve.ts";
import { anyFarmOf } from "../../src/live/service/farms.fixture.ts";
import type { SubmittedJob } from "../../src/live/service/submitting.ts";
import type { EventView, JobView } from "../../src/live/store/job-views.ts";
import type { UserGroup } from "../../src/workload/index.ts";

const folder = mkdtempSync(join(tmpdir(), "croft-live-"));
const socket = join(folder, "s");
const owner = new Client({ socket });
const tokens = new Map<string, string>();
let farm: Serving;
let groupOfAnn: readonly string[] = ["user-ann"];
let address = "";

beforeAll(async () => {
  farm = await serve({
    readFarm: async () =>
      anyFarmOf([{ name: "one", machines: 2, cores: 4 }], {
        owner: "physics",
        shares: [
          { path: "/lab", share: 2 },
          { path: "/other", share: 1 },
        ],
        userGroups: [
          aGroup("all", { users: ["eve", ...roles.flatMap((role) => [`${role}-ann`, `${role}-bob`])] }),
          aGroup("physics", { users: groupOfAnn, maxPriority: 80, projects: ["/lab"] }),
        ],
      }),
    data: join(folder, "data"),
    socket,
    listen: { host: "127.0.0.1", port: 0, names: ["farm.example"] },
    version: "0",
    logLevel: "silent",
    speed: 1,
  });
  address = farm.address!;
  for (const role of roles)
    for (const user of [`${role}-ann`, `${role}-bob`]) {
      const { token } = await owner.send<{ token: string }>("POST", "/v1/tokens", { user, role });
      tokens.set(user, token);
    }
});

afterAll(async () => {
  await farm.stop();
  rmSync(folder, { recursive: true, force: true });
});

function aGroup(name: string, more: Partial<UserGroup>): UserGroup {
  return { name, users: [], unixGroups: [], maxPriority: null, projects: [], ...more };
}

function ask(
  path: string,
  {
    method = "GET",
    user,
    body,
    headers = {},
  }: { method?: string; user?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(`${address}${path}`, {
    method,
    headers: {
      ...(user === undefined ? {} : { authorization: `Bearer ${tokens.get(user)}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function submit(user: string): Promise<number> {
  const body = { command: ["pretend"], environment: { CROFT_SIMULATED_SECONDS: "1000" } };
  const response = await ask("/v1/jobs", { method: "POST", user, body });
  return ((await response.json()) as SubmittedJob).number;
}

describe("each route", () => {
  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s is for those who may, and for nobody without a token",
    async (_, { method, path, role }) => {
      const at = path
        .replace(":job", "999999")
        .replace(":pool", "one")
        .replace(":machine", "nobody")
        .replace(":token", "999999");
      expect((await ask(at, { method })).status).toBe(401);
      for (const each of roles) {
        const isAllowed = roles.indexOf(each) >= roles.indexOf(role);
        const { status } = await ask(at, { method, user: `${each}-ann` });
        expect({ each, isForbidden: status === 403 }).toEqual({ each, isForbidden: !isAllowed });
      }
    },
  );
});

describe("a user", () => {
  it("sees and touches nothing of another's", async () => {
    const number = await submit("user-ann");
    const paths = routes.filter(({ path }) => path.includes(":job"));
    expect(paths.length).toBeGreaterThan(10);
    for (const { method, path } of paths) {
      const at = path.replace(":job", String(number));
      const body = method === "PATCH" ? { priority: 99 } : undefined;
      expect((await ask(at, { method, user: "user-bob", body })).status).toBe(404);
    }
    const jobs = (await (await ask("/v1/jobs", { user: "user-bob" })).json()) as JobView[];
    expect(jobs.filter(({ user }) => user !== "user-bob")).toEqual([]);
    expect(await (await ask("/v1/jobs?user=user-ann", { user: "user-bob" })).json()).toEqual([]);
    const events = (await (await ask("/v1/events", { user: "user-bob" })).json()) as EventView[];
    expect(events.filter(({ job }) => job === number)).toEqual([]);
    expect((await ask(`/v1/jobs/${number}`, { user: "user-ann" })).status).toBe(200);
  });

  it("does nothing to another's jobs by choosing what they are", async () => {
    const [own, others] = [await submit("user-bob"), await submit("user-ann")];
    const chosen = async (user: string, body: object): Promise<object> =>
      (await (await ask("/v1/job-selections/cancel", { method: "POST", user, body })).json()) as object;
    const none = { selected: 0, users: 0, done: 0 };
    expect(await chosen("user-bob", { user: "user-ann" })).toMatchObject(none);
    expect(await chosen("user-bob", { user: "user-ann", countOnly: true })).toMatchObject(none);
    expect(await chosen("user-bob", { name: "*", array: others })).toEqual({
      error: `there is no job ${others} by which an array could be chosen`,
    });
    await chosen("user-bob", { name: "*" });
    const stateOf = async (job: number): Promise<string> =>
      ((await (await ask(`/v1/jobs/${job}`, { user: "operator-ann" })).json()) as JobView).state;
    // What had not started is over at once, and what runs is when it has been ended.
    await expect.poll(() => stateOf(own), { timeout: 60_000 }).toBe("cancelled");
    expect(["cancelled", "failed"]).not.toContain(await stateOf(others));
    expect(await chosen("operator-bob", { user: "user-ann", countOnly: true })).toMatchObject({ users: 1 });
  });

  it("raises no priority by choosing its jobs that it may not raise by their numbers", async () => {
    await submit("user-bob");
    const change = (user: string, more: object = {}): Promise<Response> =>
      ask("/v1/job-selections/change", {
        method: "POST",
        user,
        body: { name: "*", change: { priority: 99 }, ...more },
      });
    const [done, counted, countedOfOther] = [
      await change("user-bob"),
      await change("user-bob", { countOnly: true }),
      await change("user-bob", { countOnly: true, user: "user-ann" }),
    ];
    expect([done.status, counted.status, countedOfOther.status]).toEqual([403, 403, 403]);
    expect(await counted.json()).toEqual(await done.json());
    expect((await change("operator-bob", { countOnly: true })).status).toBe(200);
  });

  it("cannot wait for another's job, nor hear from it whether there is one", async () => {
    const number = await submit("user-ann");
    const waiting = (user: string, job: number): Promise<Response> =>
      ask("/v1/jobs", { method: "POST", user, body: { command: ["pretend"], after: [{ job }] } });
    expect((await waiting("user-ann", number)).status).toBe(200);
    expect((await waiting("operator-bob", number)).status).toBe(200);
    const [hidden, absent] = [await waiting("user-bob", number), await waiting("user-bob", 999_999)];
    expect([hidden.status, absent.status]).toEqual([422, 422]);
    const told = ((await hidden.json()) as { error: string }).error;
    expect(told.replace(String(number), "999999")).toBe(((await absent.json()) as { error: string }).error);
    const jobs = [{ command: ["pretend"] }, { command: ["pretend"], after: [{ job: number }] }];
    const list = await ask("/v1/job-lists", { method: "POST", user: "user-bob", body: { jobs } });
    expect([list.status, await list.json()]).toEqual([422, { error: `jobs/1: ${told}` }]);
  });

  it("is told by a viewer's token, which changes nothing", async () => {
    const number = await submit("user-ann");
    expect((await ask(`/v1/jobs/${number}`, { user: "viewer-ann" })).status).toBe(200);
    expect((await ask(`/v1/jobs/${number}/cancel`, { method: "POST", user: "viewer-ann" })).status).toBe(403);
    expect((await ask(`/v1/jobs/${number}/cancel`, { method: "POST", user: "operator-ann" })).status).toBe(
      200,
    );
  });

  it("hears in words why there is nothing to follow or to read", async () => {
    const nobody = new Client({ url: new URL(address), token: null });
    await expect(nobody.lines("/v1/events?follow=true").next()).rejects.toThrow(/^a token is needed/);
    const number = await submit("user-ann");
    const response = await ask(`/v1/jobs/${number}/output?attempt=9`, { user: "user-ann" });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: `job ${number} has no attempt 9: its last is 1` });
  });

  it("may use a key that another has used", async () => {
    const send = async (user: string): Promise<number> => {
      const headers = { "idempotency-key": "same" };
      const response = await ask("/v1/jobs", { method: "POST", user, body: { command: ["x"] }, headers });
      return ((await response.json()) as SubmittedJob).number;
    };
    const [first, again, other] = [await send("user-ann"), await send("user-ann"), await send("user-bob")];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });
});

describe("groups, high priorities and projects", () => {
  const command = ["pretend"];
  const environment = { CROFT_SIMULATED_SECONDS: "1000" };
  const post = async (user: string, path: string, body?: unknown, method = "POST"): Promise<number> =>
    (await ask(path, { method, user, body })).status;

  it.each<[string, object]>([
    ["a group", { group: "physics" }],
    ["a priority above the default", { priority: 51 }],
    ["a project", { project: "/lab" }],
  ])("are refused to those who do not have them, by each way to submit: %s", async (_, asked) => {
    const job = { command, ...asked };
    const waysOf = async (user: string): Promise<number[]> => [
      await post(user, "/v1/jobs", { ...job, environment }),
      await post(user, "/v1/jobs", { ...job, array: { from: 1, to: 2 } }),
      await post(user, "/v1/job-lists", { jobs: [{ command }, job] }),
    ];
    expect(await waysOf("user-bob")).toEqual([403, 403, 403]);
    expect(await waysOf("user-ann")).toEqual([200, 200, 200]);
    expect(await waysOf("operator-bob")).toEqual([200, 200, 200]);
    expect(await waysOf("admin-bob")).toEqual([200, 200, 200]);
  });

  it("are refused with the place in a list, and in words", async () => {
    const jobs = [{ command }, { command }, { command, group: "physics" }];
    const response = await ask("/v1/job-lists", { method: "POST", user: "user-bob", body: { jobs } });
    expect(await response.json()).toEqual({
      error: 'jobs/2: user-bob is not of the group "physics": the farm\'s file says who is',
    });
  });

  it("are refused in a change, but not what others have given the job", async () => {
    const job = { command, hold: true };
    const { number } = (await (
      await ask("/v1/jobs", { method: "POST", user: "user-bob", body: job })
    ).json()) as SubmittedJob;
    const change = (user: string, body: object): Promise<number> =>
      post(user, `/v1/jobs/${number}`, body, "PATCH");
    expect(await change("user-bob", { priority: 51 })).toBe(403);
    expect(await change("user-bob", { priority: 40 })).toBe(200);
    expect(await change("operator-ann", { priority: 90 })).toBe(200);
    expect(await change("user-bob", { timeSeconds: 60 })).toBe(200);
    expect(await change("user-bob", { priority: 90 })).toBe(403);
  });

  it("are refused in a rerun of a job that was submitted when they were had", async () => {
    const body = { command, environment, group: "physics", priority: 80, hold: true };
    const { number } = (await (
      await ask("/v1/jobs", { method: "POST", user: "user-ann", body })
    ).json()) as SubmittedJob;
    expect(await post("user-ann", `/v1/jobs/${number}/rerun`)).toBe(200);
    groupOfAnn = [];
    await farm.reload();
    expect(await post("user-ann", `/v1/jobs/${number}/rerun`)).toBe(403);
    groupOfAnn = ["user-ann"];
    await farm.reload();
    expect(await post("user-ann", `/v1/jobs/${number}/rerun`)).toBe(200);
  });
});

describe("a token", () => {
  it("is not made for a user whom neither the machine nor the farm's file has", async () => {
    const make = (user: string): Promise<unknown> => owner.send("POST", "/v1/tokens", { user, role: "user" });
    await expect(make("there-is-no-such-user")).rejects.toThrow(/^there is no user there-is-no-such-user on/);
    await make("eve");
    await make("root");
  });

  it("is worthless when it was revoked, when its time is over, and with another secret", async () => {
    const make = async (more: object): Promise<{ id: number; token: string }> =>
      owner.send("POST", "/v1/tokens", { user: "eve", role: "user", ...more });
    const status = async (token: string): Promise<number> =>
      (await ask("/v1/whoami", { headers: { authorization: `Bearer ${token}` } })).status;
    const { id, token } = await make({});
    expect(await status(token)).toBe(200);
    expect(await status(token.replace(/_\d+_/, "_1_"))).toBe(401);
    expect(await status(`${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`)).toBe(401);
    await owner.send("DELETE", `/v1/tokens/${id}`);
    expect(await status(token)).toBe(401);
    // The service's clock counts milliseconds: it may still show the one in which the token was made.
    const { token: short } = await make({ expiresSeconds: 1e-6 });
    await expect.poll(() => status(short), { interval: 5, timeout: 10_000 }).toBe(401);
  });

  it("is not in the database", async () => {
    const dump = JSON.stringify(await owner.get("/v1/tokens"));
    // The secret is all after the second "_": it may hold that sign itself, and begin with it.
    for (const token of tokens.values()) expect(dump).not.toContain(token.replace(/^[^_]*_\d+_/, ""));
  });
});

describe("what comes from a browser", () => {
  it("is refused under a foreign name or from a foreign page", async () => {
    const user = "admin-ann";
    const port = new URL(address).port;
    const status = async (headers: Record<string, string>): Promise<number> =>
      rawStatus(port, headers, tokens.get(user)!);
    expect(await status({ host: `127.0.0.1:${port}` })).toBe(200);
    expect(await status({ host: "farm.example" })).toBe(200);
    expect(await status({ host: "evil.example" })).toBe(403);
    expect(await status({ host: `127.0.0.1:${port}`, origin: "https://evil.example" })).toBe(403);
    expect(await status({ host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` })).toBe(200);
  });
});

describe("what is malformed", () => {
  it.each<[string, unknown]>([
    ["no command", {}],
    ["an empty command", { command: [] }],
    ["a zero byte", { command: ["a\u0000b"] }],
    ["what was no text in UTF-8", { command: ["a\u{FFFD}b"] }],
    ["half a character", { command: ["a\ud83d"] }],
    ["a path that was no text", { command: ["x"], output: "/tmp/\u{FFFD}" }],
    ["a variable that was no text", { command: ["x"], environment: { A: "\u{FFFD}" } }],
    ["a name that was no text", { command: ["x"], name: "\u{FFFD}" }],
    ["a time that is none", { command: ["x"], timeSeconds: 1e-300 }],
    ["a file that is nothing", { command: ["x"], output: "" }],
    ["text for a number", { command: ["x"], cores: "2" }],
    ["less than nothing", { command: ["x"], memoryMiB: -1 }],
    ["too much", { command: ["x"], cores: 1e12 }],
    ["an unknown field", { command: ["x"], shell: true }],
    ["a relative folder", { command: ["x"], directory: "tmp" }],
    ["a variable of the farm's own", { command: ["x"], environment: { CROFT_JOB_NUMBER: "1" } }],
    ["a variable without a name", { command: ["x"], environment: { "": "1" } }],
    ["an array that is too long", { command: ["x"], array: { from: 1, to: 1e9 } }],
    ["an array the wrong way round", { command: ["x"], array: { from: 2, to: 1 } }],
    ["a requirement that cannot be read", { command: ["x"], requires: "os ==" }],
    ["a requirement for what nobody has", { command: ["x"], requires: 'colour == "red"' }],
    ["an unknown pool", { command: ["x"], pool: "../../etc" }],
    ["an unknown project's group", { command: ["x"], group: "nobody" }],
    ["a job to wait for that is not there", { command: ["x"], after: [{ job: 123_456 }] }],
    ["a list", [1, 2]],
    ["a text", "x"],
    ["nothing", null],
  ])("is refused with a reason: %s", async (_, body) => {
    const response = await ask("/v1/jobs", { method: "POST", user: "user-ann", body });
    expect([400, 422]).toContain(response.status);
    expect(((await response.json()) as { error: string }).error).toMatch(/\w/);
  });

  it.each([
    ['{"command":["x"],"__proto__":{}}', 'there is no field "__proto__"'],
    ['{"command":["x"],"after":[{"job":1,"__proto__":{}}]}', 'after/0: there is no field "__proto__"'],
    ['{"command":["x"],"constructor":{"prototype":{}}}', 'there is no field "constructor"'],
    ['{"command":["x"],"environment":{"__proto__":"1"}}', "no variable of a job can be called __proto__"],
  ])("is refused with the name that is wrong: %s", async (body, error) => {
    const response = await fetch(`${address}/v1/jobs`, {
      method: "POST",
      headers: { authorization: `Bearer ${tokens.get("user-ann")!}`, "content-type": "application/json" },
      body,
    });
    expect([400, 422]).toContain(response.status);
    expect(await response.json()).toEqual({ error });
  });

  it.each([
    "/v1/jobs/0",
    "/v1/jobs/-1",
    "/v1/jobs/..%2f..%2fetc",
    "/v1/jobs/1e3",
    "/v1/jobs/%00",
    "/v1/jobs?limit=0",
    "/v1/jobs?limit=x",
    "/v1/jobs?state=asleep",
    "/v1/jobs/1/output?stream=../../croft.db",
    "/v1/jobs/1/output?from=-1",
    "/v1/nothing",
  ])("is refused with a reason: GET %s", async (path) => {
    const { status } = await ask(path, { user: "admin-ann" });
    expect([400, 404]).toContain(status);
  });
});

describe("whatever is sent", () => {
  const anyField = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom("__proto__", "../../etc/passwd", "'; DROP TABLE job; --", "\u0000", "\ud800", 1e308, -0),
  );
  const almostJob = fc.record(
    {
      command: fc.oneof(fc.array(fc.string(), { maxLength: 3 }), anyField),
      directory: anyField,
      name: fc.oneof(fc.string(), anyField),
      cores: anyField,
      memoryMiB: anyField,
      priority: anyField,
      requires: fc.oneof(fc.string(), anyField),
      after: anyField,
      array: anyField,
      environment: fc.oneof(fc.dictionary(fc.string(), fc.string()), anyField),
      hold: fc.constant(true),
    },
    { requiredKeys: ["hold"] },
  );

  it("is taken or refused, and the farm goes on", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(almostJob, fc.jsonValue()), async (body) => {
        const response = await ask("/v1/jobs", { method: "POST", user: "admin-bob", body });
        const text = await response.text();
        expect({ status: response.status, text }).toSatisfy(({ status }) =>
          [200, 400, 422, 429].includes(status),
        );
      }),
      { numRuns: 400 },
    );
    expect((await ask("/health")).status).toBe(200);
  });

  it("in paths and queries is refused, or finds nothing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (job, query) => {
        const path = `/v1/jobs/${encodeURIComponent(job)}?${encodeURIComponent(query)}=${encodeURIComponent(job)}`;
        const { status } = await ask(path.toWellFormed(), { user: "user-bob" });
        expect([200, 400, 404, 414, 429]).toContain(status);
      }),
      { numRuns: 200 },
    );
  });
});

async function rawStatus(port: string, headers: Record<string, string>, token: string): Promise<number> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    const all = { ...headers, authorization: `Bearer ${token}` };
    request({ host: "127.0.0.1", port, path: "/v1/whoami", headers: all }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}
