import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { Client } from "../../src/live/client/client.ts";
import { FarmError } from "../../src/live/client/farm-error.ts";
import { serve, type Serving } from "../../src/live/serve.ts";
import { anyFarmOf } from "../../src/live/service/farms.fixture.ts";
import type { JobView } from "../../src/live/store/job-views.ts";

/** What not everybody may have, with a value that only the physicists may. */
const FORBIDDEN: Readonly<Record<string, unknown>> = { group: "physics", project: "/lab", priority: 80 };
/** What else a request needs, by its path. `{job}` is a job of whoever asks that waits. */
const BODIES: Readonly<Record<string, object>> = {
  "POST /v1/jobs": { command: ["pretend"], hold: true },
  "POST /v1/job-lists": { jobs: [{ command: ["pretend"], hold: true }] },
  "PATCH /v1/jobs/{job}": {},
  "POST /v1/job-selections/change": { name: "*", change: {} },
  "POST /v1/job-lists/change": { jobs: ["1"], change: {} },
  "POST /v1/forecasts": {},
  "POST /v1/fits": {},
};
/** There they choose among jobs that whoever asks may see, and give nothing. */
const isFilter = (route: string, place: readonly string[]): boolean =>
  place.length === 1 && route.startsWith("POST /v1/job-selections/");

const isRoot = process.getuid?.() === 0;
const hasTools = spawnSync("sh", ["-c", "command -v useradd && command -v groupadd"]).status === 0;
const hasSockets = isRoot && hasTools;
const bob = hasSockets ? `croft${process.pid}w` : "bob";
const folder = mkdtempSync(join(tmpdir(), "croft-own-"));
const socket = join(folder, "s");
const owner = new Client({ socket });
/** Ways in for those who may have nothing. */
type Asker = Pick<Client, "send" | "get">;
const outsiders: [string, Asker][] = [];
const insiders: [string, Asker][] = [["the farm's socket", owner]];
let ann: Client;
let farm: Serving;
let physicists: readonly string[] = ["ann"];

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly requestBody?: {
              readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
            };
          }
        >
      >
    >
  >;
}

beforeAll(async () => {
  if (hasSockets) {
    execFileSync("groupadd", [bob]);
    execFileSync("useradd", ["--no-create-home", "--gid", bob, "--groups", bob, bob]);
    // The machine lists those of a group who were added to it.
    execFileSync("usermod", ["-aG", bob, bob]);
  }
  farm = await serve({
    readFarm: async () => {
      const nothing = { users: [], unixGroups: [], maxPriority: null, projects: [] };
      return anyFarmOf([{ name: "one", machines: 1, cores: 4 }], {
        owner: "physics",
        shares: [{ path: "/lab", share: 1 }],
        userGroups: [
          { ...nothing, name: "all", users: ["ann", "bob", "olga", bob, "root"] },
          { ...nothing, name: "physics", users: physicists, maxPriority: 80, projects: ["/lab"] },
        ],
      });
    },
    data: join(folder, "data"),
    socket,
    listen: { host: "127.0.0.1", port: 0, names: [] },
    ...(hasSockets ? { users: bob } : {}),
    version: "0",
    logLevel: "silent",
    speed: 1,
  });
  const withToken = async (user: string, role: string): Promise<Client> => {
    const { token } = await owner.send<{ token: string }>("POST", "/v1/tokens", { user, role });
    return new Client({ url: new URL(farm.address!), token });
  };
  outsiders.push(
    ["a token", await withToken(bob, "user")],
    ["root's token", await withToken("root", "user")],
  );
  if (hasSockets) outsiders.push(["a user's socket", overSocket(join(folder, "users", `${bob}.sock`))]);
  ann = await withToken("ann", "user");
  insiders.push(["a token of the group", ann], ["an operator's token", await withToken("olga", "operator")]);
});

afterAll(async () => {
  await farm.stop();
  rmSync(folder, { recursive: true, force: true });
  if (hasSockets) {
    execFileSync("userdel", [bob], { stdio: "ignore" });
    spawnSync("groupdel", [bob]);
  }
});

/** Asks by a user's socket. A client of ours would not: it is another user's than this test's. */
function overSocket(socketPath: string): Asker {
  const send = <Result>(method: string, path: string, body?: unknown): Promise<Result> =>
    new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { "content-type": "application/json" };
      const asking = request({ socketPath, method, path, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        response.on("end", () => {
          const answer = JSON.parse(text) as { error: string };
          if (response.statusCode === 200) resolve(answer as Result);
          else reject(new FarmError(response.statusCode ?? 0, answer.error));
        });
      });
      asking.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  return { send, get: (path) => send("GET", path) };
}

/** The places in a body where a job is given something, by the document. */
async function places(): Promise<{ route: string; place: string[] }[]> {
  const document = await owner.get<Document>("/v1/openapi.json");
  const at = (pointer: string): Schema =>
    pointer
      .slice(2)
      .split("/")
      .reduce<unknown>(
        (value, part) => (value as Record<string, unknown>)[part.replaceAll("~1", "/")],
        document,
      ) as Schema;
  const found: { route: string; place: string[] }[] = [];
  const walk = (route: string, schema: Schema, place: string[]): void => {
    const { $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
    if ($ref !== undefined) return walk(route, at($ref), place);
    for (const each of [...anyOf, ...oneOf, ...allOf]) walk(route, each, place);
    if (items !== undefined) walk(route, items, [...place, "0"]);
    for (const [name, inner] of Object.entries(properties)) {
      if (name in FORBIDDEN) found.push({ route, place: [...place, name] });
      walk(route, inner, [...place, name]);
    }
  };
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { requestBody }] of Object.entries(methods))
      for (const { schema } of Object.values(requestBody?.content ?? {}))
        walk(`${method.toUpperCase()} ${path}`, schema, []);
  return found;
}

/** Sends what has the forbidden value at the place; the status of the answer, and its error. */
async function take(
  client: Asker,
  route: string,
  place: readonly string[],
): Promise<{ status: number; error: string }> {
  const [method, path] = route.split(" ") as [string, string];
  const base = BODIES[route];
  if (base === undefined) throw new Error(`${route} takes ${place.join(".")}: say here what else it needs`);
  const body = structuredClone(base) as Record<string, unknown>;
  const within = place.slice(0, -1).reduce((value, part) => value[part] as Record<string, unknown>, body);
  const field = place.at(-1) ?? "";
  within[field] = FORBIDDEN[field];
  const { number } = await client.send<{ number: number }>("POST", "/v1/jobs", {
    command: ["pretend"],
    hold: true,
  });
  try {
    const filled = JSON.parse(JSON.stringify(body).replaceAll("{job}", String(number))) as object;
    await client.send(method, path.replace("{job}", String(number)), filled);
    return { status: 200, error: "" };
  } catch (error) {
    if (!(error instanceof FarmError)) throw error;
    return { status: error.status, error: error.message };
  } finally {
    await client.send("POST", `/v1/jobs/${number}/cancel`);
  }
}

/** Jobs of the farm's owner may be root's. */
function bobs(): Asker[] {
  return outsiders.filter(([way]) => way !== "root's token").map(([, client]) => client);
}

async function statusOf(asking: Promise<unknown>): Promise<number> {
  try {
    await asking;
    return 200;
  } catch (error) {
    return (error as FarmError).status;
  }
}

describe(`a group's name, priority and project${hasSockets ? "" : " (a user's socket needs root and useradd)"}`, () => {
  it("are refused to others wherever the document has them, by each way in, and are had by the group", async () => {
    const taking = (await places()).filter(({ route, place }) => !isFilter(route, place));
    expect(new Set(taking.map(({ route }) => route))).toEqual(new Set(Object.keys(BODIES)));
    expect(taking.length).toBeGreaterThanOrEqual(14);
    for (const { route, place } of taking) {
      for (const [way, client] of outsiders)
        expect({ way, route, place, ...(await take(client, route, place)) }).toEqual({
          way,
          route,
          place,
          status: 403,
          error: expect.stringMatching(
            /is not of the group|may not count against|have a priority of at most 50/,
          ) as string,
        });
      for (const [way, client] of insiders)
        expect({ way, route, place, ...(await take(client, route, place)) }).toEqual({
          way,
          route,
          place,
          status: 200,
          error: "",
        });
    }
    for (const client of bobs())
      for (const { group, project, priority } of await client.get<JobView[]>("/v1/jobs?limit=1000"))
        expect({ group, project, isHigh: priority > 50 }).toEqual({ group: "", project: "", isHigh: false });
  });

  it("choose nothing of another's where they choose among jobs", async () => {
    const job = { command: ["pretend"], hold: true, project: "/lab" };
    const { number } = await ann.send<{ number: number }>("POST", "/v1/jobs", job);
    const choosing = (await places()).filter(({ route, place }) => isFilter(route, place));
    expect(choosing.length).toBeGreaterThanOrEqual(7);
    for (const { route } of choosing)
      for (const client of bobs()) {
        const body = {
          project: "/lab",
          ...(route.endsWith("/change") ? { change: { timeSeconds: 5 } } : {}),
        };
        const answer = await client.send("POST", route.slice("POST ".length), body);
        expect(answer).toMatchObject({ selected: 0, users: 0, done: 0 });
      }
    expect(await ann.get<JobView>(`/v1/jobs/${number}`)).toMatchObject({ state: "held", project: "/lab" });
    await ann.send("POST", `/v1/jobs/${number}/cancel`);
  });

  it("are not had again by a rerun, of one job or of chosen ones, after the group is left", async () => {
    const numbers: number[] = [];
    for (const [field, value] of Object.entries(FORBIDDEN)) {
      const body = { command: ["pretend"], hold: true, name: "again", [field]: value };
      numbers.push((await ann.send<{ number: number }>("POST", "/v1/jobs", body)).number);
    }
    for (const number of numbers) await ann.send("POST", `/v1/jobs/${number}/cancel`);
    physicists = [];
    await farm.reload();
    for (const number of numbers)
      expect(await statusOf(ann.send("POST", `/v1/jobs/${number}/rerun`))).toBe(403);
    const listed = { jobs: numbers.map(String) };
    expect(await ann.send("POST", "/v1/job-lists/rerun", listed)).toMatchObject({
      jobs: [],
      refused: numbers.map((number) => ({ job: String(number), status: 403 })),
    });
    const chosen = await ann.send("POST", "/v1/job-selections/rerun", { name: "again" });
    expect(chosen).toMatchObject({ selected: numbers.length, done: 0, refused: numbers.length });
    physicists = ["ann"];
    await farm.reload();
    expect(await statusOf(ann.send("POST", `/v1/jobs/${numbers[0]}/rerun`))).toBe(200);
  });

  it("are given by no file that others let the farm read", async () => {
    for (const [, client] of outsiders) {
      expect(await statusOf(client.send("POST", "/v1/reload"))).toBe(403);
      expect(await statusOf(client.send("POST", "/v1/reload/try", { file: "pools: []" }))).toBe(403);
    }
  });
});
