import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import type { JobView } from "../../src/live/store/job-views.ts";
import { finished, temporaryFolder, type Finished } from "../cli/croft.fixture.ts";
import { TestFarm } from "./farm.fixture.ts";

const clients = fileURLToPath(new URL("../../examples/clients", import.meta.url));

interface Way {
  readonly program: string;
  /** Over TCP with a token; else by the socket. */
  readonly isRemote: boolean;
}

const ways: readonly (readonly [string, Way])[] = [
  ["the shell script", { program: `exec sh ${clients}/run-job.sh`, isRemote: false }],
  ["Python at the socket", { program: `exec python3 ${clients}/run_job.py`, isRemote: false }],
  ["Python with a token", { program: `exec python3 ${clients}/run_job.py`, isRemote: true }],
  [
    "TypeScript with a token",
    { program: `exec '${process.execPath}' ${clients}/run-job.ts`, isRemote: true },
  ],
];

/** A farm, and what runs one of the examples on it. */
async function farmFor({ program, isRemote }: Way) {
  const port = isRemote ? await freePort() : null;
  const farm = new TestFarm(["--allow-root", ...(port === null ? [] : ["--listen", `127.0.0.1:${port}`])]);
  await farm.serve();
  let environment: Record<string, string> = {};
  if (port !== null) {
    const body = { user: userInfo().username, role: "user" };
    const { token } = await farm.client.send<{ token: string }>("POST", "/v1/tokens", body);
    environment = { CROFT_SERVER: `http://127.0.0.1:${port}`, CROFT_TOKEN: token, CROFT_SOCKET: "/nowhere" };
  }
  const begin = (command: string): ChildProcess => farm.begin(`${program} ${command}`, environment);
  const run = (command: string): Promise<Finished> => finished(begin(command));
  return { farm, begin, run };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

describe.each(ways)("%s", (_, way) => {
  it("shows what the job printed, and ends as it did", async () => {
    const { farm, run } = await farmFor(way);
    expect(await run(`sh -c 'echo "$1"; pwd' sh 'a "b" $c'`)).toMatchObject({
      status: 0,
      stdout: `a "b" $c\n${farm.folder}\n`,
    });
    expect(await run("sh -c 'umask 027; echo oh; echo no >&2; exit 3'")).toMatchObject({
      status: 3,
      stdout: "oh\n",
      stderr: expect.stringMatching(/^no$/m) as string,
    });
    expect((await run("sh -c umask")).stdout).toBe(`${process.umask().toString(8).padStart(4, "0")}\n`);
    // More than is read at once.
    const long = await run("seq 1 400000");
    expect(long.status).toBe(0);
    expect(long.stdout.length).toBe(2_688_895);
  });

  it("cancels the job where it is interrupted, and says so", async () => {
    const { farm, begin } = await farmFor(way);
    const child = begin("sleep 1000");
    const end = finished(child);
    await expect.poll(() => stateOf(farm), { timeout: 60_000 }).toBe("running");
    child.kill("SIGINT");
    expect((await end).status).toBe(113);
    expect(await stateOf(farm)).toBe("cancelled");
  });

  it("waits through the death of the service, and submits nothing twice", async () => {
    const { farm, run } = await farmFor(way);
    const go = join(farm.folder, "go");
    const end = run(`sh -c 'until [ -e ${go} ]; do sleep 0.1; done; exit 5'`);
    await expect.poll(() => stateOf(farm), { timeout: 60_000 }).toBe("running");
    await farm.kill("SIGKILL");
    await farm.serve();
    writeFileSync(go, "");
    expect((await end).status).toBe(5);
    expect(await farm.client.get("/v1/jobs")).toHaveLength(1);
  });

  it("tells what the farm refused", async () => {
    const { run } = await farmFor(way);
    const { status, stderr } = await run("''");
    expect({ stderr, isRefused: status !== 0 }).toMatchObject({
      stderr: expect.stringMatching(/command/) as string,
      isRefused: true,
    });
  });
});

// A `croft` of its own, whose cancel returns only after the cancelled job's submit has.
it("the shell script ends as the job did where cancel is the last to return", async () => {
  const folder = temporaryFolder();
  const stub = `#!/bin/sh
case $1 in
submit) echo 1; until [ -e ${folder}/cancelled ]; do sleep 0.05; done; touch ${folder}/over; exit 113 ;;
cancel) touch ${folder}/cancelled; until [ -e ${folder}/over ]; do sleep 0.05; done; sleep 0.5 ;;
esac
`;
  writeFileSync(join(folder, "croft"), stub);
  chmodSync(join(folder, "croft"), 0o755);
  const child = spawn("sh", [`${clients}/run-job.sh`, "true"], {
    env: { ...process.env, PATH: `${folder}:${process.env["PATH"]}`, TMPDIR: folder },
  });
  const end = finished(child);
  const hasNumber = (): boolean =>
    readdirSync(folder).some((name) => name.startsWith("tmp.") && statSync(join(folder, name)).size > 0);
  await expect.poll(hasNumber, { timeout: 60_000 }).toBe(true);
  child.kill("SIGINT");
  expect((await end).status).toBe(113);
});

async function stateOf({ client }: TestFarm): Promise<string | undefined> {
  return (await client.get<JobView[]>("/v1/jobs"))[0]?.state;
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: object;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly description?: string }>>;
}

interface Content {
  readonly content: Readonly<Record<string, { readonly schema?: object }>>;
}

/** What a generator of clients needs of the document, beside schemas that fit the answers. */
describe("the OpenAPI document is enough to make a client of:", () => {
  const documentOf = async () => {
    const farm = new TestFarm(["--allow-root"]);
    await farm.serve();
    const document = await farm.client.get<{
      readonly openapi: string;
      readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    }>("/v1/openapi.json");
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ at: `${method} ${path}`, path, operation })),
    );
    return { document, operations };
  };

  it("each operation has a name of its own that is one in most languages", async () => {
    const { document, operations } = await documentOf();
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(operations.length).toBeGreaterThan(50);
    for (const { at, operation } of operations) expect(operation.operationId, at).toMatch(/^[a-z][A-Za-z]+$/);
    const names = operations.map(({ operation }) => operation.operationId!.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
  });

  it("each part of a path is a required parameter, and there are no others", async () => {
    for (const { at, path, operation } of (await documentOf()).operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const told = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
      expect(told.map(({ name }) => name).sort(), at).toEqual(inPath.sort());
      expect(
        told.every(({ required }) => required === true),
        at,
      ).toBe(true);
      const all = (operation.parameters ?? []).map(({ name, in: where }) => `${where} ${name}`);
      expect(new Set(all).size, at).toBe(all.length);
      for (const { name, schema } of operation.parameters ?? [])
        expect(schema, `${at} ${name}`).toBeTypeOf("object");
    }
  });

  it("each answer and each body has a schema, and each answer a description", async () => {
    for (const { at, operation } of (await documentOf()).operations) {
      expect(operation.summary, at).toMatch(/\w/);
      expect(Object.keys(operation.responses), at).toContain("200");
      const contents: Content[] = Object.values(operation.responses);
      if (operation.requestBody !== undefined) contents.push(operation.requestBody);
      for (const { content } of contents) {
        expect(Object.keys(content).length, at).toBeGreaterThan(0);
        for (const { schema } of Object.values(content)) expect(schema, at).toBeTypeOf("object");
      }
      for (const { description } of Object.values(operation.responses)) expect(description, at).toMatch(/\w/);
    }
  });

  it("each reference leads to something in it, and each named schema is used", async () => {
    const { document } = await documentOf();
    const references = new Set<string>();
    const walk = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [name, inner] of Object.entries(value)) {
        if (name === "$ref" && typeof inner === "string") references.add(inner);
        else walk(inner);
      }
    };
    walk(document);
    expect(references.size).toBeGreaterThan(10);
    for (const reference of references) {
      const found = reference
        .replace(/^#\//, "")
        .split("/")
        .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], document);
      expect(found, reference).toBeTypeOf("object");
    }
    const { components } = document as unknown as { components: { schemas: object } };
    const unused = Object.keys(components.schemas).filter(
      (name) => !references.has(`#/components/schemas/${name}`),
    );
    expect(unused).toEqual([]);
  });
});

it("Python gives a job to no socket that another user could have put there", async () => {
  const folder = temporaryFolder();
  const socket = join(folder, "s");
  let asked = 0;
  const server = createServer((connection) => {
    asked++;
    connection.destroy();
  }).listen(socket);
  await once(server, "listening");
  chmodSync(folder, 0o777);
  const child = spawn("python3", [`${clients}/run_job.py`, "true"], {
    env: { PATH: process.env["PATH"], CROFT_SOCKET: socket },
  });
  const { status, stderr } = await finished(child);
  server.close();
  expect([status, stderr, asked]).toEqual([112, `run_job.py: others may write to the folder ${folder}\n`, 0]);
});
