import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import type { Options, Row } from "../benchmark.ts";
import { addPastJobs } from "./past-jobs.ts";
import { Server } from "./servers.ts";

const prober = fileURLToPath(new URL("prober.ts", import.meta.url));
const MOST_MILLISECONDS = 250;
/** One machine that is full for ever: jobs wait. */
const fullFarm = "pools: [{ name: p, machines: [1x1c64g], engine: simulated }]\n";
const environment = { HOME: "/root", PATH: "/usr/bin:/bin" };

/** What keeps a farm busy while it is asked for `/health`. */
interface Load {
  readonly name: string;
  run(options: Options): Promise<Row>;
}

/** The longest that `/health` took while `work` was done. */
async function worstWhile(what: string, server: Server, work: () => Promise<unknown>): Promise<Row> {
  const child = spawn(process.execPath, [prober, server.socket], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const begun = performance.now();
  await work();
  const seconds = (performance.now() - begun) / 1000;
  child.stdin.end();
  const { worst, answers } = JSON.parse((await lines.next()).value as string) as Record<string, number>;
  await once(child, "exit");
  return {
    what: `/health while ${what}`,
    figure: `at most ${worst.toFixed(0)} ms of ${answers} answers in ${seconds.toFixed(1)} s`,
    target: { text: `${MOST_MILLISECONDS} ms`, isMet: worst <= MOST_MILLISECONDS },
  };
}

/** A farm with jobs that are over, which is started. */
async function withPastJobs(count: number, requestBytes: number): Promise<Server> {
  const server = Server.farm(fullFarm);
  await server.start();
  await server.kill("SIGTERM");
  addPastJobs(join(server.folder, "data"), count, requestBytes);
  await server.start();
  return server;
}

/** What the rest compares with: on a busy machine this takes its time too. */
async function idle({ quick }: Options): Promise<Row> {
  const server = Server.farm(fullFarm);
  await server.start();
  const row = await worstWhile("nothing happens", server, () => pause(quick ? 2000 : 20_000));
  await server.end();
  return row;
}

async function archive({ quick }: Options): Promise<Row> {
  const count = quick ? 20_000 : 1_000_000;
  const server = await withPastJobs(count, 200);
  const row = await worstWhile(`${count} jobs are moved into the archive`, server, async () => {
    for (;;) {
      const [first] = await server.ask<{ number: number }[]>("GET", "/v1/jobs?above=0&limit=1");
      // The last one stays.
      if (first === undefined || first.number === count) break;
      await pause(500);
    }
  });
  await server.end();
  return row;
}

async function backup({ quick }: Options): Promise<Row> {
  const count = quick ? 2000 : 20_000;
  const server = await withPastJobs(count, 100_000);
  const path = join(server.folder, "copy.db");
  const row = await worstWhile(`a backup of ${count / 10_000} GB is written`, server, () =>
    server.ask("POST", "/v1/backup", { path }),
  );
  if (!existsSync(path)) throw new Error("there is no backup");
  await server.end();
  return row;
}

async function submitMany(server: Server, count: number, more: object): Promise<void> {
  for (let left = count; left > 0; left -= 1000)
    await server.ask("POST", "/v1/job-lists", {
      jobs: Array.from({ length: Math.min(left, 1000) }, () => ({ command: ["/bin/true"], ...more })),
      environment,
    });
}

const machinesFarm = (count: number): string =>
  `pools: [{ name: p, machines: [${count}x4c16g], engine: { kind: simulated, runMeanSeconds: 36000 } }]\n`;

/** All machines are down, and what ran on them is lost. */
async function failure({ quick }: Options): Promise<Row> {
  const machines = quick ? 1000 : 10_000;
  const server = Server.failing(machinesFarm(machines));
  await server.start();
  await submitMany(server, machines * 10, {});
  await untilPool(server, ({ running }) => running === machines * 4);
  const row = await worstWhile(`${machines} machines fail under ${machines * 10} jobs`, server, async () => {
    server.signal("SIGUSR2");
    await untilPool(server, ({ machinesClosed, running }) => machinesClosed === machines && running === 0);
  });
  await server.end();
  return row;
}

interface PoolState {
  readonly machinesClosed: number;
  readonly running: number;
}

async function untilPool(server: Server, isSo: (pool: PoolState) => boolean): Promise<void> {
  for (;;) {
    const [pool] = await server.ask<PoolState[]>("GET", "/v1/pools");
    if (isSo(pool)) return;
    await pause(500);
  }
}

async function list({ quick }: Options): Promise<Row> {
  const machines = quick ? 1000 : 10_000;
  const jobs = 10_000;
  const server = Server.farm(machinesFarm(machines));
  await server.start();
  const requires = "cores >= 4 and (speed >= 1 or cores >= 8)";
  const row = await worstWhile(
    `${jobs} jobs with requires are submitted and listed, at ${machines} machines`,
    server,
    async () => {
      await submitInOne(server, jobs, { requires, hold: true });
      for (let i = 0; i < 3; i++) await server.ask("GET", `/v1/jobs?limit=${jobs}`);
    },
  );
  await server.end();
  return row;
}

function submitInOne(server: Server, count: number, more: object): Promise<unknown> {
  const jobs = Array.from({ length: count }, () => ({ command: ["/bin/true"], ...more }));
  return server.ask("POST", "/v1/job-lists", { jobs, environment });
}

async function followers({ quick }: Options): Promise<Row> {
  const asked = quick ? 500 : 5000;
  const server = Server.farm(fullFarm);
  await server.start();
  let following = 0;
  let refused = 0;
  const ends: (() => void)[] = [];
  const follow = (): Promise<void> =>
    new Promise((resolve) => {
      const request = get(
        { socketPath: server.socket, agent: false, path: "/v1/events?follow=true" },
        (response) => {
          if (response.statusCode === 200) following++;
          else refused++;
          response.resume().on("error", () => undefined);
          resolve();
        },
      ).on("error", () => {
        refused++;
        resolve();
      });
      ends.push(() => request.destroy());
    });
  const row = await worstWhile(`${asked} ask to follow events`, server, async () => {
    for (let begun = 0; begun < asked; begun += 100) await Promise.all(Array.from({ length: 100 }, follow));
    for (let i = 0; i < 100; i++)
      await server.ask("POST", "/v1/jobs", { command: ["/bin/true"], environment });
  });
  for (const end of ends) end();
  await server.end();
  return { ...row, what: `${row.what}: ${following} may, ${refused} are refused` };
}

/** As many jobs, as long, as one request may have: 64 MiB of commands in an array. */
async function largest({ quick }: Options): Promise<Row> {
  const server = Server.farm(fullFarm);
  await server.start();
  const command = ["/bin/true", "y".repeat(quick ? 200 : 5500)];
  const row = await worstWhile(
    "the largest request is taken: an array of 10,000 jobs, 64 MiB",
    server,
    async () => {
      for (let i = 0; i < 3; i++)
        await server.ask("POST", "/v1/jobs", { command, environment, array: { from: 1, to: 10_000 } });
    },
  );
  await server.end();
  return row;
}

/** As many jobs as there may be are cancelled, and others wait for them. */
async function cancel({ quick }: Options): Promise<Row> {
  const server = Server.farm(fullFarm);
  await server.start();
  const jobs = quick ? 1000 : 10_000;
  await submitInOne(server, jobs, {});
  const after = [{ job: 1 }];
  for (let i = 0; i < (quick ? 1 : 10); i++) await submitInOne(server, jobs, { after });
  const row = await worstWhile(`${jobs} jobs are cancelled, for one of which ${jobs * 10} wait`, server, () =>
    server.ask("POST", "/v1/job-lists/cancel", {
      jobs: Array.from({ length: jobs }, (_, at) => String(at + 1)),
    }),
  );
  await server.end();
  return row;
}

/** Machines are added to a farm that is full, by its file. */
async function reload({ quick }: Options): Promise<Row> {
  const before = quick ? 100 : 1000;
  const server = Server.farm(machinesFarm(before));
  await server.start();
  await submitMany(server, before * 11, {});
  await untilPool(server, ({ running }) => running === before * 4);
  writeFileSync(join(server.folder, "farm.yaml"), machinesFarm(before * 11));
  const row = await worstWhile(
    `the file is read again: ${before * 10} more machines for ${before * 7} jobs`,
    server,
    async () => {
      await server.ask("POST", "/v1/reload");
      await untilPool(server, ({ running }) => running === before * 11);
    },
  );
  await server.end();
  return row;
}

export const loads: readonly Load[] = [
  { name: "health: nothing", run: idle },
  { name: "health: archive", run: archive },
  { name: "health: backup", run: backup },
  { name: "health: failure", run: failure },
  { name: "health: list", run: list },
  { name: "health: followers", run: followers },
  { name: "health: largest request", run: largest },
  { name: "health: cancel", run: cancel },
  { name: "health: reload", run: reload },
];
