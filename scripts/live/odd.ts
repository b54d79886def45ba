/** Requests that the OpenAPI document allows and nobody would think of: none stops the service, or others' jobs. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { Client } from "../../src/live/client/client.ts";
import { Draws } from "../../src/live/service/draws.ts";
import type { JobView } from "../../src/live/store/job-views.ts";
import { OddRequests, send, type Document, type Door, type OddRequest } from "./odd-requests.ts";
import { OddSums } from "./odd-sums.ts";
import { OddValues } from "./odd-values.ts";
import { until } from "./patience.ts";
import { Service } from "./service.ts";
import type { Trial } from "./trial.ts";

const FARM = `
sites: [here]
pools:
  - name: pretended
    site: here
    policy: easy
    machines:
      - { count: 20, cores: 8, memory: 64 GiB, gpus: 2, attributes: { os: linux, disk: 500 } }
      - { count: 5, cores: 32, memory: 256 GiB, owner: physics, attributes: { os: linux, disk: 100 } }
    shares: { /a: 2, /b: 1 }
    fairShare: usage
    licences: { matlab: 5, vcs: 2 }
    engine: { kind: simulated, speed: 1000, runMeanSeconds: 100 }
  - { name: second, site: here, machines: [4x4c16g], interval: 1, engine: simulated }
  - { name: own, site: here, engine: { kind: local, cores: 3, memoryMiB: 2000 } }
virtualPools:
  - { name: all, site: here, pools: [pretended, second, own], routing: utilization }
  - { name: queued, site: here, pools: [pretended, second], queue: true }
preemption: { victim: lowest-priority }
rescheduling: { strategy: ResSusUtil }
groups:
  physics: { users: [ann], maxPriority: 80, projects: [/a] }
  others: { users: [bob, vic, op, well] }
`;
const AT_A_TIME = 12;
/** After so many it is looked whether others can still work. */
const ROUND = 1000;
/** After so many the service is killed and started, and what it knows compared. */
const PART = 10_000;
/** After so many it is enough. */
const MOST_MISTAKES = 100;
/** What the farm may say when it cannot at present; all else above 499 is a fault. */
const BUSY = /try again|try later|ask again|ask once more|goes on as it was|is stopping/;

export const odd: Trial = {
  name: "odd",
  summary: "requests that the OpenAPI document allows and nobody would think of",
  unit: "requests",
  usual: 20_000,
  short: 2000,
  plants: { names: ["500-on-a-repeated-element", "a-field-of-another-name", "a-forgotten-job"], count: 600 },
  run,
};

async function run(count: number, seed: number, plant: string | null): Promise<boolean> {
  const sums = new OddSums();
  for (let part = 0; part * PART < count && sums.wrong.length < MOST_MISTAKES; part++) {
    const folder = mkdtempSync(join(tmpdir(), "croft-trial-"));
    const service = Service.of(folder, FARM, ["--listen", "127.0.0.1:0"], plant);
    try {
      const draws = new Draws(seed + part);
      await new Part(service, folder, draws, sums, plant).run(Math.min(PART, count - part * PART));
    } catch (error) {
      sums.wrong.push(
        `part ${part}, seed ${seed + part}: ${error instanceof Error ? error.stack : String(error)}`,
      );
    } finally {
      await service.end("SIGKILL");
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
  if (plant === null) sums.print();
  sums.printMistakes(plant === null ? 20 : 2);
  return sums.wrong.length === 0;
}

/** Requests to one farm, from its first start on. */
class Part {
  private readonly service: Service;
  private readonly folder: string;
  private readonly values: OddValues;
  private readonly sums: OddSums;
  private readonly plant: string | null;
  private readonly owner: Client;
  private port = 0;
  private doors: readonly Door[] = [];
  private readonly underWay = new Set<OddRequest>();

  constructor(service: Service, folder: string, draws: Draws, sums: OddSums, plant: string | null) {
    this.service = service;
    this.owner = service.client;
    this.folder = folder;
    this.values = new OddValues(draws);
    this.sums = sums;
    this.plant = plant;
  }

  async run(count: number): Promise<void> {
    await this.start();
    const files = join(this.folder, "files");
    mkdirSync(files);
    const document = await this.owner.get<Document>("/v1/openapi.json");
    const requests = new OddRequests(document, this.values, files);
    for (let done = 0; done < count && this.sums.wrong.length < MOST_MISTAKES; done += ROUND) {
      await this.openDoors();
      for (const each of requests.plain()) await this.one(requests, each, this.doors[0]);
      let left = Math.min(ROUND, count - done);
      const askOn = async (): Promise<void> => {
        while (left-- > 0 && this.sums.wrong.length < MOST_MISTAKES)
          await this.one(requests, requests.one(), this.values.of(this.doors));
      };
      await this.watched(Promise.all(Array.from({ length: AT_A_TIME }, askOn)));
      // It is found: with it, what follows may not end.
      if (this.plant !== null && this.sums.wrong.length > 0) return;
      await this.othersGoOn();
      for (const name of readdirSync(files)) rmSync(join(files, name), { recursive: true });
      process.stderr.write(`${this.sums.text()}\n`);
    }
    await this.restartKeepsAll();
  }

  private async start(): Promise<void> {
    const ready = await this.service.start();
    this.port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(ready)?.[1]);
  }

  /** Whoever is known to the farm, with tokens that the requests may have revoked. */
  private async openDoors(): Promise<void> {
    const at = { host: "127.0.0.1", port: this.port };
    const owner: Door = { at: { socketPath: join(this.folder, "s") }, token: null };
    const doors = [owner, owner, owner, owner, owner];
    for (const [user, role] of [
      ["ann", "user"],
      ["bob", "user"],
      ["vic", "viewer"],
      ["op", "operator"],
    ] as const)
      doors.push({ at, token: await this.token(user, role) });
    this.doors = doors;
  }

  private async token(user: string, role: string): Promise<string> {
    return (await this.owner.send<{ token: string }>("POST", "/v1/tokens", { user, role })).token;
  }

  private async one(requests: OddRequests, request: OddRequest, door: Door): Promise<void> {
    this.underWay.add(request);
    const answer = await send(door, request);
    this.underWay.delete(request);
    this.sums.add(request, answer);
    if (answer.isCut && answer.status === 0) return;
    const isBusy = answer.status === 503 && BUSY.test(answer.body.toString());
    const fault =
      answer.status === 0
        ? "no answer"
        : answer.status >= 500 && !isBusy
          ? `status ${answer.status}`
          : requests.fault(request, answer);
    if (fault === null) return;
    const text = JSON.stringify({ ...request, body: request.body?.slice(0, 2000) });
    this.sums.wrong.push(`${fault} for ${text}: ${answer.body.toString().slice(0, 300)}`);
  }

  /** Asks for the service's health meanwhile. */
  private async watched(work: Promise<unknown>): Promise<void> {
    const { sums } = this;
    const over = { is: false };
    const watch = async (): Promise<void> => {
      while (!over.is) {
        const begun = performance.now();
        const before = Array.from(this.underWay, described);
        await this.owner
          .get("/health")
          .catch((error: unknown) =>
            sums.wrong.push(`part: /health: ${String(error)}, with ${before.join(", ")}`),
          );
        const took = performance.now() - begun;
        if (took > sums.slowestHealthMs) {
          sums.slowestHealthMs = took;
          sums.slowest = [...new Set([...before, ...Array.from(this.underWay, described)])].join(", ");
        }
        await pause(50);
      }
    };
    await Promise.all([work.finally(() => (over.is = true)), watch()]);
  }

  /** Somebody else's job runs through, and the farm gets rid of all that was sent. */
  private async othersGoOn(): Promise<void> {
    const { owner } = this;
    for (const { pool, name } of await owner.get<{ pool: string; name: string }[]>("/v1/machines"))
      await owner
        .send("POST", `/v1/pools/${encodeURIComponent(pool)}/machines/${encodeURIComponent(name)}/undrain`)
        .catch(() => undefined);
    for (const { name } of await owner.get<{ name: string }[]>("/v1/reservations"))
      await owner.send("DELETE", `/v1/reservations/${encodeURIComponent(name)}`);
    const pools = (await owner.get<{ name: string }[]>("/v1/pools")).map(({ name }) =>
      encodeURIComponent(name),
    );
    for (const what of ["farm", ...pools.map((pool) => `pools/${pool}`)])
      await owner.send("POST", `/v1/${what}/unpause`).catch(() => undefined);
    const isRoot = userInfo().uid === 0;
    const url = new URL(`http://127.0.0.1:${this.port}`);
    const user = isRoot ? "nobody" : userInfo().username;
    const well = new Client({ url, token: await this.token(user, "user") });
    const command = ["sh", "-c", "echo well"];
    const { number } = await well.send<JobView>("POST", "/v1/jobs", { command, pool: "own", memoryMiB: 10 });
    await until("all that was sent is over", () => this.cancelAll(number));
    const job = await until("somebody else's job runs through", () => over(well, number));
    const { body } = await well.raw("GET", `/v1/jobs/${number}/output`);
    if (job.state !== "ended" || body.toString() !== "well\n")
      this.sums.wrong.push(
        `somebody else's job is ${job.state} (${job.reason}) and printed ${body.toString()}`,
      );
    const health = await owner.get<{ status: string }>("/health");
    if (health.status !== "up") this.sums.wrong.push(`the service is ${health.status}`);
  }

  /**
   * @param but a job that is left alone
   * @returns null: there were some that had to be cancelled
   */
  private async cancelAll(but: number): Promise<true | null> {
    const left = await this.owner.get<JobView[]>(
      "/v1/jobs?state=waiting,held,starting,running,suspended&limit=10000",
    );
    const jobs = left.filter(({ number }) => number !== but).map(({ number }) => String(number));
    for (let from = 0; from < jobs.length; from += 1000)
      await this.owner.send("POST", "/v1/job-lists/cancel", { jobs: jobs.slice(from, from + 1000) });
    return jobs.length === 0 || null;
  }

  /** Killed or stopped, and started again, the farm knows what it knew. */
  private async restartKeepsAll(): Promise<void> {
    const before = await this.known();
    await this.service.end(this.values.isOneIn(2) ? "SIGKILL" : "SIGTERM");
    await this.start();
    const after = await this.known();
    if (this.plant === "a-forgotten-job")
      after.delete(Array.from(after.keys()).findLast((key) => key.startsWith("job")) ?? "");
    this.sums.restarts++;
    for (const [key, text] of before)
      if (after.get(key) !== text)
        this.sums.wrong.push(
          `a restart changed ${key}: ${text.slice(0, 500)} became ${after.get(key)?.slice(0, 500)}`,
        );
    if (after.size !== before.size)
      this.sums.wrong.push(`${before.size} things were known, ${after.size} are`);
  }

  /** All jobs, tokens, machines; each as a text. */
  private async known(): Promise<Map<string, string>> {
    const known = new Map<string, string>();
    for (let above = 0; ;) {
      const jobs = await this.owner.get<JobView[]>(`/v1/jobs?above=${above}&limit=2000`);
      if (jobs.length === 0) break;
      for (const job of jobs) known.set(`job ${job.number}`, JSON.stringify(job));
      above = Math.max(...jobs.map(({ number }) => number));
    }
    this.sums.jobs += known.size;
    for (const path of ["/v1/tokens", "/v1/shares"]) {
      // What was used counts less as time passes.
      const answer = JSON.stringify(await this.owner.get(path));
      known.set(path, path === "/v1/shares" ? answer.replaceAll(/"used\w+":[^,}]+/g, "") : answer);
    }
    for (const machine of await this.owner.get<{ name: string; state: string }[]>("/v1/machines"))
      known.set(`machine ${machine.name}`, machine.state);
    return known;
  }
}

function described({ method, route, body }: OddRequest): string {
  return `${method} ${route}${body === null ? "" : ` of ${body.length}`}`;
}

/** Null: not yet. */
async function over(client: Client, number: number): Promise<JobView | null> {
  const job = await client.get<JobView>(`/v1/jobs/${number}?wait=30`);
  return ["ended", "failed", "cancelled", "lost", "rejected"].includes(job.state) ? job : null;
}
