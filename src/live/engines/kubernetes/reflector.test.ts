import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { VirtualClock } from "../system/virtual-clock.fixture.ts";
import type { ApiAnswer, ApiFailure, ApiRequest, Connection, Query } from "./connection.ts";
import { isOlder, type ApiObject } from "./objects.ts";
import { Reflector } from "./reflector.ts";

const PATH = "/api/v1/nodes";

interface Watching {
  readonly query: Query;
  readonly begin: () => void;
  readonly send: (event: object) => void;
  readonly sendText: (text: string) => void;
  readonly end: (failure: ApiFailure | null) => void;
  isStopped: boolean;
}

/** An API server of one collection, told by the test what to answer. */
class Scripted implements Connection {
  readonly lists: ApiRequest[] = [];
  readonly watches: Watching[] = [];
  answers: (request: ApiRequest) => ApiAnswer = () => listOf([], 1);

  async call(request: ApiRequest): Promise<ApiAnswer> {
    this.lists.push(request);
    return this.answers(request);
  }

  follow(
    _path: string,
    query: Query,
    began: () => void,
    receive: (bytes: Uint8Array) => void,
    ended: (failure: ApiFailure | null) => void,
  ): () => void {
    const sendText = (text: string): void => receive(new TextEncoder().encode(text));
    const watching: Watching = {
      query,
      begin: began,
      send: (event) => sendText(`${JSON.stringify(event)}\n`),
      sendText,
      end: ended,
      isStopped: false,
    };
    this.watches.push(watching);
    return () => (watching.isStopped = true);
  }

  close(): void {}

  get last(): Watching {
    return this.watches.at(-1)!;
  }
}

async function opened(answers?: Scripted["answers"]) {
  const clock = new VirtualClock();
  const connection = new Scripted();
  if (answers !== undefined) connection.answers = answers;
  const told: string[] = [];
  const reflector = new Reflector<ApiObject>(
    {
      connection,
      clock,
      random: () => 0.5,
      path: PATH,
      query: { labelSelector: "a=b" },
      kept: (object) => object,
    },
    {
      changed: ({ metadata: { name, uid, resourceVersion } }) =>
        told.push(`${name} ${uid} ${resourceVersion}`),
      gone: ({ metadata: { name, uid } }, isFinal) =>
        told.push(`${name} ${uid} ${isFinal ? "deleted" : "missing"}`),
      synced: () => told.push("synced"),
      failed: (reason) => told.push(`failed: ${reason}`),
      recovered: () => told.push("recovered"),
    },
  );
  reflector.open();
  await clock.pass(0);
  return { clock, connection, told, reflector };
}

describe("a reflector", () => {
  it("lists in pages, then watches from the list's version", async () => {
    const { connection, told } = await opened(({ query }) =>
      query?.["continue"] === undefined
        ? listOf([object("one", "u1", 5)], 9, "next")
        : listOf([object("two", "u2", 6)], 9),
    );
    expect(told).toEqual(["one u1 5", "two u2 6", "synced"]);
    expect(connection.lists.map(({ query }) => query?.["continue"])).toEqual([undefined, "next"]);
    expect(connection.last.query).toMatchObject({
      labelSelector: "a=b",
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: "9",
    });
  });

  it("goes on from the last event, or the last bookmark, when a watch ends", async () => {
    const { clock, connection, told } = await opened();
    connection.last.send(event("ADDED", object("one", "u1", 12)));
    connection.last.send(event("BOOKMARK", object("", "", 20)));
    connection.last.end(null);
    await clock.pass(1);
    expect(connection.watches).toHaveLength(2);
    expect(connection.last.query["resourceVersion"]).toBe("20");
    expect(told).toEqual(["synced", "one u1 12"]);
    expect(connection.lists).toHaveLength(1);
  });

  it("puts lines together that come in pieces", async () => {
    const { connection, told } = await opened();
    const line = `${JSON.stringify(event("ADDED", object("öne", "u1", 12)))}\n`;
    for (const character of line) connection.last.sendText(character);
    expect(told).toEqual(["synced", "öne u1 12"]);
  });

  it.each(["as an event", "as an answer"])("lists again after 410, %s", async (how) => {
    let items = [object("one", "u1", 5), object("two", "u2", 6)];
    const { clock, connection, told } = await opened(() => listOf(items, 9));
    items = [object("two", "u2", 6), object("three", "u3", 11)];
    if (how === "as an event")
      connection.last.send({ type: "ERROR", object: { kind: "Status", code: 410, message: "too old" } });
    else connection.last.end(failure(410));
    await clock.pass(2);
    expect(told.slice(3)).toEqual(["one u1 missing", "three u3 11", "synced"]);
    expect(connection.last.query["resourceVersion"]).toBe("9");
  });

  it("takes the same name with another UID for another object", async () => {
    const { connection, told } = await opened(() => listOf([object("one", "u1", 5)], 9));
    connection.last.send(event("MODIFIED", object("one", "u2", 12)));
    connection.last.send(event("DELETED", object("one", "u1", 13)));
    expect(told.slice(2)).toEqual(["one u1 missing", "one u2 12"]);
  });

  it("takes no event that is older than what it has, and none twice", async () => {
    const { connection, told } = await opened(() => listOf([object("one", "u1", 100)], 100));
    for (const version of [99, 100, 101, 101, 100])
      connection.last.send(event("MODIFIED", object("one", "u1", version)));
    expect(told.slice(2)).toEqual(["one u1 101"]);
  });

  it("takes no list that is older than what it has seen, unless it stays so", async () => {
    let version = 50;
    const { clock, connection, told } = await opened(() => listOf([object("one", "u1", 5)], version));
    connection.last.send(event("MODIFIED", object("one", "u1", 60)));
    version = 55;
    connection.last.end(failure(410));
    await clock.pass(0.4);
    expect(connection.lists).toHaveLength(2);
    expect(connection.watches).toHaveLength(1);
    // An etcd that was restored is behind for good.
    await clock.pass(30);
    expect(connection.lists).toHaveLength(4);
    expect(connection.last.query["resourceVersion"]).toBe("55");
    expect(told.filter((each) => each === "synced")).toHaveLength(2);
  });

  it("takes silence for a dead connection, and lists what it has missed", async () => {
    let version = 9;
    const { clock, connection, told } = await opened(() => listOf([], version));
    await clock.pass(90);
    connection.last.send(event("BOOKMARK", object("", "", 20)));
    await clock.pass(90);
    expect(connection.watches).toHaveLength(1);
    connection.answers = () => listOf([object("one", "u1", 30)], (version = 30));
    await clock.pass(20);
    expect(connection.watches[0].isStopped).toBe(true);
    expect(connection.watches).toHaveLength(2);
    expect(connection.last.query["resourceVersion"]).toBe("30");
    expect(told).toEqual(["synced", "one u1 30", "synced"]);
  });

  it("lists again now and then, though nothing is wrong", async () => {
    const { clock, connection } = await opened(() => listOf([], 1000));
    for (let minute = 0; minute < 45; minute++) {
      // The list of half an hour later is as new as the last bookmark.
      connection.answers = () => listOf([], 1020 + minute);
      connection.last.send(event("BOOKMARK", object("", "", 1020 + minute)));
      if (minute % 5 === 4) connection.last.end(null);
      await clock.pass(60);
    }
    expect(connection.lists).toHaveLength(2);
  });

  it("waits longer after each failure, says so after a while, and when it works again", async () => {
    let isBroken = false;
    const { clock, connection, told } = await opened(() => (isBroken ? failure(500) : listOf([], 9)));
    isBroken = true;
    connection.last.end(failure(410));
    await clock.pass(3);
    expect(told).toEqual(["synced"]);
    await clock.pass(300);
    expect(told[1]).toBe("failed: status 500");
    // With pauses that grow to 15 s: without that it would be more than a thousand.
    expect(connection.lists.length).toBeGreaterThan(10);
    expect(connection.lists.length).toBeLessThan(40);
    isBroken = false;
    await clock.pass(30);
    expect(told.slice(-2)).toEqual(["recovered", "synced"]);
  });

  it("sees a server again within seconds that was away for long, since nobody tells what is deleted meanwhile", async () => {
    for (let seconds = 100; seconds < 120; seconds++) {
      const { clock, connection, told } = await opened();
      connection.answers = () => ({ ...failure(500), status: null });
      connection.last.end(failure(410));
      await clock.pass(seconds);
      connection.answers = () => listOf([], 9);
      await clock.pass(6);
      expect(told.slice(-2)).toEqual(["recovered", "synced"]);
    }
  });

  it("says at once that the first list fails", async () => {
    const { told } = await opened(() => failure(403));
    expect(told).toEqual(["failed: status 403"]);
  });

  it("leaves the server alone as long as it asks", async () => {
    const { clock, connection } = await opened(() => ({ ...failure(429), retryAfterSeconds: 40 }));
    await clock.pass(39);
    expect(connection.lists).toHaveLength(1);
    await clock.pass(2);
    expect(connection.lists).toHaveLength(2);
  });

  const nonsense = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(
      { metadata: null },
      { metadata: {} },
      { metadata: { name: 1 } },
      { items: null },
      { items: [null], metadata: {} },
      { items: [{ metadata: null }], metadata: { resourceVersion: "1" } },
      { items: {}, metadata: null },
      { items: 5, metadata: { continue: 7 } },
    ),
  );

  it("outlives whatever is sent instead of a list, and lists again", async () => {
    await fc.assert(
      fc.asyncProperty(nonsense, async (value) => {
        let isNonsense = true;
        const { clock, told, connection } = await opened(() => {
          const answer = isNonsense ? ({ ok: true, value } as ApiAnswer) : listOf([object("a", "u", 5)], 5);
          isNonsense = false;
          return answer;
        });
        await clock.pass(120);
        if (connection.watches.length > 1 || told.includes("a u 5")) return;
        // It was an empty list, or one of other objects: then it watches.
        expect(connection.watches).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });

  it("outlives whatever is sent instead of an event, and lists again", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          nonsense,
          fc.record({
            type: fc.constantFrom("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR", "x"),
            object: nonsense,
          }),
        ),
        async (event) => {
          const { clock, connection, told } = await opened(() => listOf([object("a", "u", 5)], 5));
          connection.last.begin();
          connection.last.send(event as object);
          await clock.pass(120);
          connection.last.begin();
          connection.last.send({ type: "MODIFIED", object: object("a", "u", 9) });
          expect(told).toContain("a u 9");
        },
      ),
      { numRuns: 300 },
    );
  });

  it("does nothing any more when it is closed", async () => {
    const { clock, connection, reflector, told } = await opened();
    reflector.close();
    connection.watches[0].end(null);
    await clock.pass(3000);
    expect(connection.watches[0].isStopped).toBe(true);
    expect(connection.watches).toHaveLength(1);
    expect(told).toEqual(["synced"]);
  });
});

describe("versions", () => {
  it("are compared as numbers of any length", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 80n }), fc.bigInt({ min: 0n, max: 2n ** 80n }), (a, b) => {
        expect(isOlder(String(a), String(b))).toBe(a < b);
      }),
    );
  });

  it("that are no numbers are never older", () => {
    expect(isOlder("a", "b")).toBe(false);
    expect(isOlder("", "1")).toBe(false);
  });
});

function object(name: string, uid: string, version: number): ApiObject {
  return { metadata: { name, uid, resourceVersion: String(version) } };
}

function event(type: string, about: ApiObject): object {
  return { type, object: about };
}

function listOf(items: readonly ApiObject[], version: number, token?: string): ApiAnswer {
  const metadata = { resourceVersion: String(version), ...(token === undefined ? {} : { continue: token }) };
  return { ok: true, value: { items, metadata } };
}

function failure(status: number): ApiFailure {
  return { ok: false, status, reason: "", message: `status ${status}`, retryAfterSeconds: null };
}
