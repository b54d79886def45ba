import { randomInt } from "node:crypto";
import { mkdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";

import type { FastifyInstance } from "fastify";
import { pino } from "pino";

import type { Farm } from "../workload/index.ts";
import { Metrics } from "./api/metrics.ts";
import { makeServer } from "./api/server.ts";
import { systemClock, type Clock } from "./engines/system/clock.ts";
import { systemCommands } from "./engines/system/commands.ts";
import { systemDisk } from "./engines/system/disk.ts";
import { listenOnSocket } from "./api/socket.ts";
import { crashAt } from "./service/crash-points.ts";
import type { Report } from "./engines/engine.ts";
import { plainFarm, planPools } from "./service/farm-plan.ts";
import { Followers } from "./service/followers.ts";
import { JobOutput } from "./service/job-output.ts";
import { restore } from "./service/restore.ts";
import { Service } from "./service/service.ts";
import { Starting } from "./service/starting.ts";
import { Database } from "./store/database.ts";

export interface ServeOptions {
  readonly farm: Farm;
  /** An absolute path: the folder with all that the service keeps. */
  readonly data: string;
  readonly socket: string;
  readonly version: string;
  readonly logLevel: string;
}

/** A farm that serves. */
export interface Serving {
  readonly service: Service;
  /** Takes nothing more and leaves jobs running. */
  stop(): Promise<void>;
}

/**
 * Opens the data folder, takes up what runs, and listens.
 *
 * @throws InputError where the farm cannot be what its file says, or the data is another service's
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { farm, data, socket, version } = options;
  const clock: Clock = systemClock();
  const passing = crashAt(process.env);
  const log = pino({ level: options.logLevel }, pino.destination({ dest: 2, sync: true }));
  mkdirSync(data, { recursive: true, mode: 0o700 });

  // 1. The database, and with it the right to be the only one here.
  const database = new Database(join(data, "croft.db"));

  // 2. The pools' engines, which find what runs. What they say is kept until the books are open.
  const planned = planPools(farm, (pool) => ({
    clock,
    disk: systemDisk,
    commands: systemCommands,
    folder: join(data, "engines", pool),
  }));
  const early: [number, Report][] = [];
  let hear = (pool: number, report: Report): void => void early.push([pool, report]);
  await Promise.all(planned.map(({ engine }, pool) => engine.open((report) => hear(pool, report))));

  // 3. The books, as the last service has left them.
  const restored = restore(database, plainFarm(farm, planned, seedOf(database)));
  const followers = new Followers();
  const isRoot = userInfo().uid === 0;
  const metrics = new Metrics(() => service);
  const service: Service = new Service({
    database,
    clock,
    farm: restored.farm,
    planned,
    restored,
    log,
    passing,
    starting: (pools) => {
      const makeFolder = (path: string): Promise<unknown> => mkdir(path, { recursive: true, mode: 0o700 });
      const starting = new Starting({ database, data, pools, runsAsUsers: isRoot, makeFolder });
      return (attempt) => starting.start(attempt);
    },
    written: (turn, seconds) => {
      metrics.written(turn, seconds);
      followers.written();
    },
  });
  hear = (pool, report) => service.report(pool, report);
  for (const [pool, report] of early) service.report(pool, report);

  // 4. What is written and what runs are made one; from then on things are decided.
  await service.start();

  // 5. Others may come in.
  const output = new JobOutput(systemDisk, data, service.pools);
  const handle = { service, database, followers, output, version, name: farm.name, data };
  const owner = { user: userInfo().username, role: "admin" } as const;
  const app: FastifyInstance = await makeServer({
    farm: handle,
    identify: () => owner,
    metrics: () => metrics.text(),
    log,
  });
  await listenOnSocket(app, socket);

  return {
    service,
    async stop() {
      await app.close();
      await service.stop();
      database.close();
    },
  };
}

/** Strategies draw by it: another one for each farm, and the same for ever. */
function seedOf(database: Database): number {
  const row = database.get("SELECT text FROM settings ORDER BY id DESC LIMIT 1");
  return row === undefined ? randomInt(2 ** 31) : (JSON.parse(String(row["text"])) as { seed: number }).seed;
}
