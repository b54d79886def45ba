import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { systemClock } from "../system/clock.ts";
import { systemDisk } from "../system/disk.ts";
import { servers } from "./certificates.fixture.ts";
import { connect, type ApiFailure } from "./connection.ts";
import type { Credentials } from "./credentials.ts";
import { examine } from "./examine.ts";

const ORIGIN = {
  path: "/etc/kubeconfig",
  what: "the token in /etc/kubeconfig",
  renewal: "put a new one there",
};

/** Over HTTP, with a server that takes one token. */
describe("credentials that the API server refuses", () => {
  let server: Server;
  let url: string;
  const asked: string[] = [];
  beforeEach(async () => {
    asked.length = 0;
    server = createServer((request, response) => {
      const isKnown = request.headers.authorization === "Bearer new";
      asked.push(request.headers.authorization ?? "");
      response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
      response.end(JSON.stringify(isKnown ? { metadata: {} } : { message: "Unauthorized" }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const shown = (token: string): Credentials => ({
    server: url,
    tls: {},
    headers: { authorization: `Bearer ${token}` },
    origin: ORIGIN,
  });

  it("are replaced by those that are there by then, and the request is repeated", async () => {
    let isRenewed = false;
    const connection = connect(async (doubt) => {
      isRenewed ||= doubt === "refused";
      return shown(isRenewed ? "new" : "old");
    });
    expect(await connection.call({ method: "GET", path: "/api" })).toMatchObject({ ok: true });
    expect(asked).toEqual(["Bearer old", "Bearer new"]);
    connection.close();
  });

  it("are told with what is to be renewed, and not asked with twice", async () => {
    const connection = connect(async () => shown("old"));
    const message =
      "Unauthorized: the token in /etc/kubeconfig is wrong or has expired. To renew it, put a new one there";
    expect(await connection.call({ method: "GET", path: "/api" })).toMatchObject({ status: 401, message });
    expect(asked).toEqual(["Bearer old"]);
    const failure = await new Promise((resolve) =>
      connection.follow(
        "/api",
        {},
        () => undefined,
        () => undefined,
        resolve,
      ),
    );
    expect(failure).toMatchObject({ status: 401, message });
    connection.close();
  });

  it("are as those that cannot be had, such as of a program that wants a person to log in", async () => {
    const connection = connect(() => Promise.reject(new Error("get-token: log in first")));
    const answer = await connection.call({ method: "GET", path: "/api" });
    expect(answer).toMatchObject({ status: 401, message: "get-token: log in first" });
    connection.close();
  });

  it("are told by doctor with how they are renewed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "croft-connection-"));
    try {
      const kubeconfig = join(folder, "kubeconfig");
      writeFileSync(
        kubeconfig,
        `{ current-context: one, contexts: [{ name: one, context: { cluster: c, user: u } }],
           clusters: [{ name: c, cluster: { server: "${url}" } }], users: [{ name: u, user: { token: old } }] }`,
      );
      const commands = { run: () => Promise.reject(new Error("nothing is run")) };
      const system = { clock: systemClock(), disk: systemDisk, commands, folder };
      expect(await examine({ namespace: "croft", image: "image", kubeconfig }, system)).toEqual([
        {
          what: "Kubernetes",
          found: `it answers that it does not know the service (401): the token in ${kubeconfig} is wrong or has expired`,
          change: "to renew it, put a new one there: it is read by itself",
        },
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it("a server whose authority is replaced is reached again once that is where the old one was", async () => {
  const answer = JSON.stringify({ metadata: {} });
  const server = createTlsServer(servers.second, (_request, response) => response.end(answer));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let inFile: string = servers.first.cert;
  let ca = inFile;
  const connection = connect(async (doubt) => {
    if (doubt === "unreached") ca = inFile;
    return { server: url, tls: { ca }, headers: {}, origin: ORIGIN };
  });
  const followed = (): Promise<ApiFailure | null> =>
    new Promise((resolve) =>
      connection.follow(
        "/api",
        {},
        () => undefined,
        () => undefined,
        resolve,
      ),
    );
  const failure = {
    status: null,
    message: expect.stringMatching(
      /^the API server's certificate is not one of the authority of \/etc\/kubeconfig: [^;.]*\. Put the authority that the cluster has now there: it is read by itself$/,
    ) as unknown,
  };
  expect(await connection.call({ method: "GET", path: "/api" })).toMatchObject(failure);
  expect(await followed()).toMatchObject(failure);
  inFile = servers.second.cert;
  // This one is still made by what was known, and has it read.
  expect(await followed()).toMatchObject(failure);
  expect(await followed()).toBeNull();
  connection.close();
  await new Promise((resolve) => server.close(resolve));
});

it("requests that hang are ended where their engine closes: those that only ask before the others", async () => {
  const asked: string[] = [];
  let heard = (): void => undefined;
  const server = createServer(({ method }) => {
    asked.push(method!);
    if (asked.length === 2) heard();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = connect(async () => ({ server: url, tls: {}, headers: {} }));
  const haveCome = new Promise<void>((resolve) => (heard = resolve));
  const asking = connection.call({ method: "GET", path: "/api" });
  let isMade = false;
  const making = connection.call({ method: "POST", path: "/api", body: {} }).finally(() => (isMade = true));
  await haveCome;
  connection.stopAsking();
  const ended = { ok: false, status: null, message: "its engine is closed" };
  expect(await asking).toMatchObject(ended);
  expect(await connection.call({ method: "GET", path: "/api" })).toMatchObject(ended);
  expect(isMade).toBe(false);
  connection.close();
  expect(await making).toMatchObject({ ok: false, status: null });
  expect(await connection.call({ method: "POST", path: "/api", body: {} })).toMatchObject(ended);
  expect(asked.sort()).toEqual(["GET", "POST"]);
  await new Promise((resolve) => server.close(resolve));
});

it("a server that is not there is told with its address and where that is from", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise((resolve) => server.close(resolve));
  const connection = connect(async () => ({ server: url, tls: {}, headers: {}, origin: ORIGIN }));
  expect(await connection.call({ method: "GET", path: "/api" })).toMatchObject({
    status: null,
    message: expect.stringMatching(
      `^the API server ${url} of ${ORIGIN.path} does not answer: connect ECONNREFUSED`,
    ) as unknown,
  });
  connection.close();
});
