import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import type { Asked, Route } from "./api/api.ts";
import { routes } from "./api/routes.ts";
import type { ServiceHandle } from "./api/service-handle.ts";
import {
  MOST_AFTER,
  MOST_DEPENDENCIES,
  MOST_JOBS,
  STEP_JOBS,
  SUBMIT_STEP,
  TURN_STATEMENTS,
} from "./limits.ts";
import { noForecasts } from "./forecasting/forecasts.ts";
import { Farm } from "./service/farm.fixture.ts";
import { Followers } from "./service/followers.ts";
import { Grants } from "./service/grants.ts";
import { RecentEvents } from "./service/recent-events.ts";
import { SentFiles } from "./service/sent-files.ts";
import type { Database } from "./store/database.ts";
import { inlineReader } from "./reader/tasks.ts";

/** Of a job that is submitted: its row, its change, its event, and what it is the first to ask for. */
const OF_A_JOB = 6;
/** Of what is done to a job: its row, an event, the attempt that ends, its twin, and the rows of who waits for it. */
const OF_AN_ACT = 8;
/** What a turn writes at the most: as much as it may, and then one step more. */
const MOST_STATEMENTS =
  TURN_STATEMENTS + Math.max(SUBMIT_STEP * OF_A_JOB + MOST_DEPENDENCIES, STEP_JOBS * OF_AN_ACT);
/** What is read on the loop between two turns. */
const MOST_READS = 2 * MOST_DEPENDENCIES;

interface Largest {
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
}

/** Of two bytes. */
const file = { hash: "fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603" };
const job = { command: ["/bin/true"], requires: "cores >= 1", hold: false };
const numbers = Array.from({ length: MOST_JOBS }, (_, at) => String(at + 1));
const after = Array.from({ length: MOST_AFTER }, (_, at) => ({ job: at + 1 }));
/** Later than any clock of a test. */
const times = { beginAt: "2999-01-01T00:00Z", deadlineAt: "2999-01-02T00:00Z" };
const one = { params: { job: "1" } };
const machine = { params: { pool: "one", machine: "one-1" } };

const pools = Array.from({ length: 1000 }, (_, at) => ({
  name: at === 0 ? "one" : `p${at}`,
  machines: ["20x4c64g"],
  engine: "simulated",
}));
const farmText = JSON.stringify({ pools });

/** The largest request of each route. */
const largest: Readonly<Record<string, readonly Largest[]>> = {
  "POST /v1/jobs": [
    { body: { ...job, array: { from: 1, to: MOST_JOBS } } },
    { body: { ...job, after, array: { from: 1, to: MOST_DEPENDENCIES / MOST_AFTER } } },
    { body: { ...job, ...times, array: { from: 1, to: MOST_JOBS } } },
    {
      body: {
        ...job,
        after: after.slice(0, MOST_DEPENDENCIES / MOST_JOBS),
        array: { from: 1, to: MOST_JOBS },
      },
    },
  ],
  "POST /v1/job-lists": [
    {
      body: {
        jobs: numbers.map((name) => ({ ...job, requires: `cores >= 1 or cores > ${name}` })),
      },
    },
  ],
  "GET /v1/jobs": [
    { query: { limit: MOST_JOBS } },
    { query: { limit: MOST_JOBS, state: "waiting,held,ended,failed,cancelled", user: "ann", name: "true" } },
  ],
  "GET /v1/jobs/:job": [one],
  "GET /v1/jobs/:job/output": [one],
  "GET /v1/jobs/:job/events": [one],
  "GET /v1/reasons": [{}],
  "GET /v1/jobs/:job/explain": [{ params: { job: String(MOST_JOBS) } }],
  "GET /v1/jobs/:job/forecast": [{ params: { job: String(MOST_JOBS) } }],
  "POST /v1/forecasts": [{ body: { requires: "cores >= 1", after: [{ job: 1 }] } }],
  "POST /v1/fits": [{ body: { requires: "cores >= 1", count: MOST_JOBS } }],
  "PATCH /v1/jobs/:job": [{ ...one, body: { priority: 99, cores: 1, memoryMiB: 5, gpus: 0 } }],
  "POST /v1/jobs/:job/rerun": [one],
  "POST /v1/jobs/:job/hold": [one],
  "POST /v1/jobs/:job/release": [one],
  "POST /v1/jobs/:job/suspend": [one],
  "POST /v1/jobs/:job/resume": [one],
  "POST /v1/job-lists/change": [{ body: { jobs: numbers, change: { priority: 60, cores: 1 } } }],
  "POST /v1/job-lists/rerun": [{ body: { jobs: numbers } }],
  "POST /v1/job-lists/hold": [{ body: { jobs: numbers } }],
  "POST /v1/job-lists/release": [{ body: { jobs: numbers } }],
  "POST /v1/job-lists/suspend": [{ body: { jobs: numbers } }],
  "POST /v1/job-lists/resume": [{ body: { jobs: numbers } }],
  "POST /v1/jobs/:job/cancel": [one],
  "POST /v1/job-lists/cancel": [{ body: { jobs: numbers } }],
  "POST /v1/job-selections/hold": [{ body: { name: "*" } }],
  "POST /v1/job-selections/release": [{ body: { name: "*" } }],
  "POST /v1/job-selections/suspend": [{ body: { name: "*" } }],
  "POST /v1/job-selections/resume": [{ body: { name: "*" } }],
  "POST /v1/job-selections/change": [{ body: { name: "*", change: { priority: 60, cores: 1 } } }],
  "POST /v1/job-selections/rerun": [{ body: { array: 1 } }],
  "POST /v1/job-selections/cancel": [{ body: { name: "*" } }],
  "GET /v1/farm": [{}],
  "GET /v1/whoami": [{}],
  "POST /v1/farm/pause": [{ body: { reason: "r".repeat(1000), suspend: true } }],
  "POST /v1/farm/unpause": [{}],
  "POST /v1/pools/:pool/pause": [{ params: { pool: "one" }, body: { suspend: true } }],
  "POST /v1/pools/:pool/unpause": [{ params: { pool: "one" } }],
  "GET /v1/reservations": [{}],
  "POST /v1/reservations": [{ body: { name: "disks", pool: "one", until: "2999-01-01T00:00Z" } }],
  "DELETE /v1/reservations/:reservation": [{ params: { reservation: "disks" } }],
  "GET /v1/pools": [{}],
  "GET /v1/shares": [{}],
  "GET /v1/usage": [{ query: { by: "project" } }],
  "GET /v1/machines": [{}],
  "POST /v1/pools/:pool/machines/:machine/drain": [{ ...machine, body: { reason: "r".repeat(1000) } }],
  "POST /v1/pools/:pool/machines/:machine/undrain": [machine],
  "POST /v1/machine-lists/drain": [{ body: { machines: ["one"], reason: "r".repeat(1000) } }],
  "POST /v1/machine-lists/undrain": [{ body: { machines: ["one"] } }],
  "POST /v1/reload": [{}],
  "POST /v1/reload/try": [{ body: { name: "farm.yaml", text: farmText } }],
  "POST /v1/backup": [{ body: { path: "/nowhere/copy.db" } }],
  "GET /v1/events": [{ query: { limit: 10_000 } }, { query: { after: 1, job: 1, limit: 10_000 } }],
  "POST /v1/tokens": [{ body: { user: "ann", role: "viewer" } }],
  "GET /v1/tokens": [{}],
  "DELETE /v1/tokens/:token": [{ params: { token: "1" } }],
  "PUT /v1/files/:hash": [
    { params: file, body: { from: 0, size: 2, base64: "YQ==" } },
    { params: file, body: { from: 1, size: 2, base64: "Yg==" } },
  ],
  "GET /v1/files/:hash": [{ params: file, query: {} }],
};
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

/** Counts what the loop reads and writes, by turns. */
class Counted {
  worstStatements = 0;
  worstReads = 0;
  private reads = 0;

  constructor(database: Database) {
    for (const name of ["all", "get", "arrays", "iterate"] as const) {
      const own = database[name].bind(database) as (...args: unknown[]) => never;
      database[name] = (...args: unknown[]): never => {
        this.worstReads = Math.max(this.worstReads, ++this.reads);
        return own(...args);
      };
    }
    const commit = database.commit.bind(database);
    database.commit = (writes) => {
      this.reads = 0;
      this.worstStatements = Math.max(this.worstStatements, writes.length);
      commit(writes);
    };
  }
}

it("the largest request is known of every route", () => {
  expect(Object.keys(largest).sort()).toEqual(routes.map(nameOf).sort());
});

describe("the worst turn", () => {
  it("writes and reads no more than the limits allow, whatever is asked", async () => {
    const farm = await Farm.of([{ name: "one", machines: 20, cores: 4 }]);
    const { world } = farm;
    // A reader has a connection of its own, which is not counted.
    const own = Object.getPrototypeOf(world.database) as object;
    const reader = Object.assign(Object.create(own) as Database, world.database);
    const counted = new Counted(world.database);
    const files = mkdtempSync(join(tmpdir(), "croft-files-"));
    onTestFinished(() => rmSync(files, { recursive: true }));
    const handle: ServiceHandle = {
      service: world.service,
      database: world.database,
      lists: inlineReader(reader),
      trials: inlineReader(reader),
      forecasts: noForecasts,
      followers: new Followers(),
      events: new RecentEvents(world.database),
      output: { read: async () => new Uint8Array(0) } as unknown as ServiceHandle["output"],
      files: new SentFiles(files, () => 0),
      grants: new Grants([], { groupsOf: async () => [], hasGroup: async () => true }, []),
      version: "1",
      name: "world",
      settled: async () => undefined,
      reload: async () => [],
      reserve: async () => undefined,
      unreserve: async () => undefined,
      backup: async () => undefined,
    };
    const asked = (request: Largest): Asked => ({
      identity: { user: "ann", role: "admin" },
      params: undefined,
      query: {},
      body: undefined,
      key: null,
      lastEvent: null,
      gone: new AbortController().signal,
      checkAgain: () => undefined,
      ...request,
    });
    for (const name of Object.keys(largest)) {
      const route = routes.find((each) => nameOf(each) === name)!;
      for (const request of largest[name]) {
        const outcome = await world.act(async () => route.handle(asked(request), handle));
        // What is refused has come as far as it can: most jobs are not suspended, and one is over in the end.
        if (outcome !== null && "refusal" in outcome)
          expect(outcome.refusal, name).toMatchObject({ status: name === "POST /v1/forecasts" ? 503 : 409 });
      }
    }
    await farm.pass(10_000);
    expect(counted.worstStatements).toBeLessThanOrEqual(MOST_STATEMENTS);
    expect(counted.worstReads).toBeLessThanOrEqual(MOST_READS);
    // It is a bound that is come near to.
    expect(counted.worstStatements).toBeGreaterThan(SUBMIT_STEP * 2);
  });
});
