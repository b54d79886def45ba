import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Ajv } from "ajv";
import type { Static, TSchema } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { SharesView } from "../../simulation/index.ts";
import { serve, type Serving } from "../serve.ts";
import type { FullExplanation } from "./why-routes.ts";
import type { WaitingSummary } from "../why/all.ts";
import type { DoingView } from "../service/doing.ts";
import type { LiveExplanation } from "../service/explaining.ts";
import type { MachineView, PoolView } from "../service/farm-views.ts";
import { anyFarmOf, type FarmRules } from "../service/farms.fixture.ts";
import type { JobForecast } from "../forecasting/start-forecast.ts";
import type { Fits } from "../replica/fits.ts";
import type { ReloadTrial } from "../replica/try-reload.ts";
import type { SubmittedJob } from "../service/submitting.ts";
import type { AttemptView, EventView, JobView } from "../store/job-views.ts";
import type { ListedJob } from "../reader/tasks.ts";
import type { TokenView } from "../store/tokens.ts";
import type { answerSchemas } from "./answers.ts";
import { routes } from "./routes.ts";

type Schemas = typeof answerSchemas;
type Plain<Value> = Value extends object ? { readonly [Field in keyof Value]: Plain<Value[Field]> } : Value;
type Answer<Schema extends TSchema> = Plain<Static<Schema>>;

/** The compiler holds that whatever the farm's own types allow the schemas allow too, each kind of reason included. */
type Holds<Schema extends TSchema, View extends Answer<Schema>> = View;
export type Held = [
  Holds<Schemas["Job"], JobView>,
  Holds<Schemas["ListedJob"], ListedJob>,
  Holds<
    Schemas["JobInFull"],
    ListedJob & { readonly attempts: readonly AttemptView[]; readonly doing: DoingView | null }
  >,
  Holds<Schemas["JobForecast"], JobForecast>,
  Holds<Schemas["Fits"], Fits>,
  Holds<Schemas["ReloadTrial"], ReloadTrial>,
  Holds<Schemas["SubmittedJob"], SubmittedJob>,
  Holds<Schemas["Event"], EventView>,
  Holds<Schemas["Explanation"], FullExplanation>,
  Holds<Schemas["Reasons"], WaitingSummary>,
  Holds<Schemas["Pool"], PoolView>,
  Holds<Schemas["Machine"], MachineView>,
  Holds<Schemas["Shares"], SharesView>,
  Holds<Schemas["Token"], TokenView>,
];

interface Document {
  readonly paths: Record<
    string,
    Record<
      string,
      {
        readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> };
        readonly parameters?: readonly { readonly name: string }[];
        readonly responses: Record<string, { readonly content: Record<string, object> }>;
      }
    >
  >;
  readonly security: unknown;
  readonly components: { readonly securitySchemes: object };
}

const folder = mkdtempSync(join(tmpdir(), "croft-live-"));
let farm: Serving;
let token = "";
let document: Document;
let ajv: Ajv;
const called = new Set<string>();

beforeAll(async () => {
  const ann = { name: "all", users: ["ann", "eve"], unixGroups: [], maxPriority: null, projects: [] };
  const rules: FarmRules = {
    victim: "lowest-priority",
    licences: { matlab: 2 },
    shares: [{ path: "/a", share: 3 }],
    userGroups: [ann],
    usage: { halfLifeSeconds: 60, of: "cores" },
  };
  farm = await serve({
    readFarm: async () => anyFarmOf([{ name: "one", machines: 2, cores: 4 }], rules),
    data: join(folder, "data"),
    socket: join(folder, "s"),
    listen: { host: "127.0.0.1", port: 0, names: [] },
    version: "0",
    logLevel: "silent",
    speed: 1,
  });
  const { Client } = await import("../client/client.ts");
  const owner = new Client({ socket: join(folder, "s") });
  const body = { user: "ann", role: "admin" };
  token = (await owner.send<{ token: string }>("POST", "/v1/tokens", body)).token;
  document = await owner.get<Document>("/v1/openapi.json");
  ajv = new Ajv({
    strict: false,
    validateSchema: false,
    formats: {
      "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    },
  });
  ajv.addSchema(closed(document) as object, "croft");
});

afterAll(async () => {
  await farm.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The same schemas, in which objects have the fields that are told and no others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.entries(schema).map(([name, value]) => [name, closed(value)]);
  return { ...Object.fromEntries(inner), ...("properties" in schema ? { additionalProperties: false } : {}) };
}

/** What the document's schema finds wrong with an answer; null: nothing. */
function faultOf(method: string, path: string, status: string, type: string, answer: unknown): string | null {
  const at = ["paths", path, method.toLowerCase(), "responses", status, "content", type, "schema"];
  const pointer = at.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
  const validate = ajv.compile({ $ref: `croft#/${pointer.join("/")}` });
  return validate(answer) ? null : `${ajv.errorsText(validate.errors)} in ${JSON.stringify(answer)}`;
}

interface Asking {
  readonly body?: unknown;
  readonly isKnown?: boolean;
  readonly status?: number;
}

/** Asks, and holds the answer against the document: of one route, by its path in the table. */
async function ask(
  method: string,
  path: string,
  values: Readonly<Record<string, string | number>> = {},
  { body, isKnown = true, status = 200 }: Asking = {},
): Promise<unknown> {
  const [route = "", query = ""] = path.split("?");
  const filled = route.replace(/:(\w+)/g, (_, name: string) => String(values[name]));
  const response = await fetch(`${farm.address}${filled}${query === "" ? "" : `?${query}`}`, {
    method,
    headers: {
      ...(isKnown ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const inDocument = route.replace(/:(\w+)/g, "{$1}");
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
  const entry = response.status === 200 ? "200" : `${Math.floor(response.status / 100)}XX`;
  expect({ path, status: response.status }).toEqual({ path, status });
  expect(Object.keys(document.paths[inDocument][method.toLowerCase()].responses[entry].content)).toContain(
    type,
  );
  if (response.status === 200) called.add(`${method} ${route}`);
  if (type === "text/event-stream") return response.body!.cancel();
  if (type !== "application/json") return response.text();
  const answer: unknown = await response.json();
  expect(faultOf(method, inDocument, entry, type, answer)).toBeNull();
  return answer;
}

async function submit(job: object = {}, seconds = 1000, status = 0): Promise<number> {
  const environment = {
    CROFT_SIMULATED_SECONDS: String(seconds),
    CROFT_SIMULATED_STATUS: String(status),
  };
  const body = { command: ["pretend"], environment, ...job };
  return ((await ask("POST", "/v1/jobs", {}, { body })) as SubmittedJob).number;
}

async function become(job: number, state: string): Promise<void> {
  const now = async (): Promise<string> => ((await ask("GET", "/v1/jobs/:job", { job })) as JobView).state;
  await expect.poll(now, { timeout: 60_000 }).toBe(state);
}

describe("what is answered", () => {
  it("is of the shape that the document tells", async () => {
    // Jobs in many states, so that what may be null is seen both ways.
    const failed = await submit({ name: "fails", timeSeconds: 5, array: undefined }, 0.01, 3);
    await become(failed, "failed");
    await ask("GET", "/v1/jobs/:job?wait=1", { job: failed });
    await ask("GET", "/v1/jobs/:job/output?stream=stderr", { job: failed });
    await ask("POST", "/v1/jobs/:job/rerun", { job: failed });
    const [low, full] = [await submit({ cores: 4, priority: 1 }), await submit({ cores: 4 })];
    await become(low, "running");
    await become(full, "running");
    const waiting = await submit({ cores: 3, priority: 0, retries: 2, output: "/tmp/x" });
    const licensed = await submit({ cores: 1, licences: "matlab=2", hold: true, after: [{ job: full }] });
    await ask("GET", "/v1/jobs/:job/explain", { job: waiting });
    await ask("GET", "/v1/reasons");
    await ask("GET", "/v1/jobs/:job/explain", { job: failed });
    await ask("GET", "/v1/jobs/:job/explain", { job: licensed });
    await ask("GET", "/v1/jobs/:job/forecast", { job: waiting });
    await ask("GET", "/v1/jobs/:job/forecast", { job: failed });
    await ask("GET", "/v1/jobs/:job", { job: waiting });
    for (const asked of [{ cores: 2 }, { cores: 100 }, { cores: 1, hold: true }])
      await ask("POST", "/v1/forecasts", {}, { body: asked });
    for (const asked of [{ cores: 2, timeSeconds: 60, count: 5 }, { cores: 100 }])
      await ask("POST", "/v1/fits", {}, { body: asked });
    for (const text of ["pools: [{ name: one, engine: simulated, machines: [4x4c64g] }]", "pools: 7"])
      await ask("POST", "/v1/reload/try", {}, { body: { text, name: "new.yaml" } });
    const urgent = await submit({ cores: 4, priority: 99 });
    await become(urgent, "running");
    await become(low, "suspended");
    const { suspended } = (await ask("GET", "/v1/jobs/:job/explain", { job: low })) as LiveExplanation;
    expect(suspended).not.toBeNull();
    await ask("PATCH", "/v1/jobs/:job", { job: waiting }, { body: { priority: 2 } });
    await ask("POST", "/v1/jobs/:job/hold", { job: waiting });
    await ask("POST", "/v1/jobs/:job/release", { job: waiting });
    await ask("POST", "/v1/jobs/:job/suspend", { job: urgent });
    await ask("POST", "/v1/jobs/:job/resume", { job: urgent });
    await ask("POST", "/v1/jobs/:job/cancel", { job: urgent });
    await become(urgent, "cancelled");
    const listed = { jobs: [String(urgent), String(waiting), "999999"] };
    for (const verb of ["hold", "release", "suspend", "resume", "cancel"])
      await ask("POST", `/v1/job-lists/${verb}`, {}, { body: listed });
    await ask("POST", "/v1/job-lists/change", {}, { body: { ...listed, change: { priority: 3 } } });
    await ask("POST", "/v1/job-lists/rerun", {}, { body: listed });
    for (const verb of ["hold", "release", "suspend", "resume"])
      await ask("POST", `/v1/job-selections/${verb}`, {}, { body: { name: "*", countOnly: true } });
    const change = { priority: 3 };
    await ask("POST", "/v1/job-selections/change", {}, { body: { states: ["waiting", "held"], change } });
    await ask("POST", "/v1/job-selections/cancel", {}, { body: { name: "pretend", tags: { a: "b" } } });
    await ask("POST", "/v1/job-selections/rerun", {}, { body: { name: "fails" } });
    await ask("GET", "/v1/jobs/:job", { job: urgent });
    const array = { command: ["pretend"], array: { from: 1, to: 3 } };
    await ask("POST", "/v1/jobs", {}, { body: array });
    const limited = { command: ["pretend"], array: { indexes: [7, 2], most: 1 } };
    const { jobs } = (await ask("POST", "/v1/jobs", {}, { body: limited })) as { jobs: SubmittedJob[] };
    await ask("GET", "/v1/jobs/:job/explain", { job: jobs[1].number });
    await ask("POST", "/v1/job-lists", {}, { body: { jobs: [{ command: ["pretend"], cores: 1000 }] } });
    await ask("GET", "/v1/jobs?limit=100");
    await ask("GET", "/v1/jobs/:job/events", { job: urgent });
    await ask("GET", "/v1/events?limit=1000");
    await ask("GET", "/v1/events?follow=true");

    const machine = { pool: "one", machine: farm.service.pools[0].machineName(0) };
    const reason = { reason: "new disk" };
    await ask("POST", "/v1/pools/:pool/machines/:machine/drain", machine, { body: reason });
    await ask("GET", "/v1/machines");
    await ask("POST", "/v1/pools/:pool/machines/:machine/undrain", machine);
    await ask("POST", "/v1/machine-lists/drain", {}, { body: { machines: ["one"], ...reason } });
    await ask("POST", "/v1/machine-lists/undrain", {}, { body: { machines: ["one"] } });
    for (const what of ["/v1/farm", "/v1/pools/:pool"]) {
      await ask("POST", `${what}/pause`, machine, { body: { ...reason, suspend: true } });
      await ask("GET", "/v1/pools");
      await ask("POST", `${what}/unpause`, machine);
    }
    const reservation = { name: "course", pool: "one", until: "2100-01-01T00:00:00Z", users: ["ann"] };
    await ask("POST", "/v1/reservations", {}, { body: reservation });
    await ask("GET", "/v1/reservations");
    await ask("DELETE", "/v1/reservations/:reservation", { reservation: "course" });
    await ask("GET", "/v1/shares");
    for (const query of ["", "?by=pool", "?by=project&lastSeconds=60", "?since=2100-01-01"])
      await ask("GET", `/v1/usage${query}`);
    await ask("GET", "/v1/farm");
    await ask("GET", "/v1/whoami");
    const body = { user: "eve", role: "user", expiresSeconds: 100 };
    const made = (await ask("POST", "/v1/tokens", {}, { body })) as { id: number };
    await ask("GET", "/v1/tokens");
    await ask("DELETE", "/v1/tokens/:token", { token: made.id });
    await ask("POST", "/v1/backup", {}, { body: { path: join(folder, "copy.db") } });
    await ask("POST", "/v1/reload");
    // Of the one byte "a".
    const sent = { hash: "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb" };
    await ask("PUT", "/v1/files/:hash", sent, { body: { from: 0, size: 1, base64: "YQ==" } });
    await ask("GET", "/v1/files/:hash", sent);

    expect([...called].sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
  });

  const names = {
    job: 999_999,
    pool: "one",
    machine: "nobody",
    token: 999_999,
    reservation: "none",
    hash: "0".repeat(64),
  };

  it.each(routes.map(({ method, path }) => [method, path] as const))(
    "%s %s refuses in the shape that the document tells",
    async (method, path) => {
      await ask(method, path, names, { isKnown: false, status: 401 });
      if (path.includes(":job")) await ask(method, path, { job: "no-job" }, { status: 400 });
      if (method === "PUT") {
        const body = { from: 0, size: 1, base64: "YQ==" };
        await ask(method, path, names, { status: 422, body });
      } else if (path.includes(":")) {
        const body = /\/(drain|pause)$/.test(path)
          ? { reason: "x" }
          : method === "PATCH"
            ? { priority: 1 }
            : undefined;
        const unknown = path.startsWith("/v1/pools") ? { ...names, pool: "nowhere" } : names;
        await ask(method, path, unknown, { status: 404, body });
      } else if (path === "/v1/farm/unpause") await ask(method, path, {}, { status: 409 });
      else if (method === "POST" && path !== "/v1/reload")
        await ask(method, path, {}, { status: 400, body: 7 });
    },
  );

  it("takes no command without a program", async () => {
    const command = ["", "x"];
    for (const path of ["/v1/jobs", "/v1/forecasts"])
      expect(await ask("POST", path, {}, { body: { command }, status: 400 })).toEqual({
        error: expect.stringContaining("command/0: must be the program to run") as string,
      });
    await ask("POST", "/v1/jobs", {}, { body: { command, array: { from: 1, to: 3 } }, status: 400 });
    const body = { jobs: [{ command: ["true"] }, { command }] };
    expect(await ask("POST", "/v1/job-lists", {}, { body, status: 400 })).toEqual({
      error: expect.stringContaining("jobs/1/command/0: must be") as string,
    });
    expect(JSON.stringify(document.paths["/v1/jobs"])).toContain("prefixItems");
  });

  it("takes no reservation for groups and projects that nobody knows", async () => {
    const ask422 = async (whom: object): Promise<string> => {
      const body = { name: "typo", pool: "one", until: "2100-01-01T00:00:00Z", ...whom };
      return ((await ask("POST", "/v1/reservations", {}, { body, status: 422 })) as { error: string }).error;
    };
    expect(await ask422({ groups: ["all", "no-such"] })).toContain(
      "there is no group no-such on the farm's machine, and the farm's file names none",
    );
    expect(await ask422({ projects: ["/a/b", "/none"] })).toContain(
      "no pool has a share for the project /none, and the farm's file does not name it: there are /a",
    );
    const known = { name: "known", pool: "one", until: "2100-01-01T00:00:00Z", groups: ["all"] };
    await ask("POST", "/v1/reservations", {}, { body: { ...known, projects: ["/a/b"] } });
    await ask("DELETE", "/v1/reservations/:reservation", { reservation: "known" });
  });

  it("describes what monitoring asks", async () => {
    for (const path of ["/health", "/ready", "/metrics"]) {
      const answer = await fetch(`${farm.address}${path}`, { headers: { authorization: `Bearer ${token}` } });
      const [type] = answer.headers.get("content-type")!.split(";");
      const body = type === "text/plain" ? await answer.text() : await answer.json();
      expect(faultOf("GET", path, String(answer.status), type, body), path).toBeNull();
    }
  });

  it("is of the same shape where the request never comes to a route", async () => {
    const of = async (path: string, init?: RequestInit): Promise<unknown> =>
      (await fetch(`${farm.address}${path}`, init)).json();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const error = { error: expect.stringMatching(/\w/) as string };
    expect(await of("/v1/nothing")).toEqual(error);
    expect(await of("/v1/jobs/%zz")).toEqual(error);
    expect(await of("/v1/jobs", { method: "POST", headers, body: "{" })).toEqual(error);
    expect(
      await of("/v1/jobs", {
        method: "POST",
        headers: { ...headers, "content-type": "text/csv" },
        body: "a",
      }),
    ).toEqual(error);
    expect(await spoken("GET /v1/farm HTTP/9\r\n\r\n")).toEqual(error);
  });

  it("is a route's own, in words, also for the longest name that an address may have", async () => {
    const named = routes.filter(({ path }) => path.includes("/:"));
    expect(named.length).toBeGreaterThan(10);
    for (const { method, path, params, body } of named) {
      const lengths = (params as unknown as { properties: Record<string, { maxLength?: number }> })
        .properties;
      const longest = path.replace(/:(\w+)/g, (_, name: string) =>
        encodeURIComponent("😀".repeat(lengths[name].maxLength ?? 300)),
      );
      const answer = await fetch(new URL(longest, farm.address!), {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify({ reason: "x" }) }),
      });
      expect([path, answer.status, await answer.text()]).toEqual([
        path,
        expect.toBeOneOf([400, 404]) as number,
        expect.stringMatching(/there is no|must|no job|nobody has/) as string,
      ]);
    }
  });

  it("is told with the key of submissions and the token", () => {
    const withKey = routes.filter(({ method, path }) =>
      document.paths[path.replace(/:(\w+)/g, "{$1}")][method.toLowerCase()].parameters?.some(
        ({ name }) => name === "Idempotency-Key",
      ),
    );
    expect(withKey.map(({ path }) => path)).toEqual([
      "/v1/jobs",
      "/v1/job-lists",
      "/v1/jobs/:job/rerun",
      "/v1/job-lists/rerun",
      "/v1/job-selections/rerun",
    ]);
    expect(document.security).toEqual([{ token: [] }]);
    expect(document.components.securitySchemes).toMatchObject({ token: { type: "http", scheme: "bearer" } });
  });
});

/** The body of the answer to something that is not quite HTTP. */
function spoken(request: string): Promise<unknown> {
  const { hostname, port } = new URL(farm.address!);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname);
    socket
      .on("connect", () => socket.end(request))
      .on("data", (chunk) => (text += String(chunk)))
      .on("end", () => resolve(JSON.parse(text.slice(text.indexOf("\r\n\r\n"))) as unknown))
      .on("error", reject);
  });
}

/** The maker of the document rewrites schemas, and may lose what it does not know. */
it("describes the bodies of requests as they are checked", () => {
  const bodies = routes.filter(({ body }) => body !== undefined);
  expect(bodies.length).toBeGreaterThan(5);
  for (const { method, path, body } of bodies) {
    const operation = document.paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
    expect(operation?.requestBody?.content["application/json"]?.schema).toEqual(
      JSON.parse(JSON.stringify(body)),
    );
  }
});
