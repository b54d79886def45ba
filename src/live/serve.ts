import { mkdirSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";

import { pino } from "pino";

import { InputError, type Farm } from "../workload/index.ts";
import { Metrics } from "./api/metrics.ts";
import { makeServer } from "./api/server.ts";
import type { ServiceHandle } from "./api/service-handle.ts";
import { listenOnSocket } from "./api/socket.ts";
import { systemClock } from "./engines/system/clock.ts";
import { systemDisk } from "./engines/system/disk.ts";
import { fastClock } from "./fast-clock.ts";
import { openFarm, type FarmSurroundings } from "./open-farm.ts";
import { crashAt } from "./service/crash-points.ts";
import { Followers } from "./service/followers.ts";
import { JobOutput } from "./service/job-output.ts";
import { Refusal } from "./service/refusal.ts";
import type { Service } from "./service/service.ts";
import { Database } from "./store/database.ts";

export interface ServeOptions {
  /** Reads the farm's file, again at each reload. */
  readonly readFarm: () => Promise<Farm>;
  /** An absolute path: the folder with all that the service keeps. */
  readonly data: string;
  readonly socket: string;
  readonly version: string;
  readonly logLevel: string;
  /** Seconds of the farm in a second: 1 but for a farm that only pretends. */
  readonly speed: number;
}

/** A farm that serves. */
export interface Serving {
  /** It is another one after a reload. */
  readonly service: Service;
  readonly name: string;
  /** Goes on by the farm's file as it is now; whether that changed anything. */
  reload(): Promise<boolean>;
  /** Takes nothing more and leaves jobs running. */
  stop(): Promise<void>;
}

/**
 * Opens the data folder, takes up what runs, and listens.
 *
 * @throws InputError where the farm cannot be what its file says, or the data is another service's
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { readFarm, data, socket, version, logLevel, speed } = options;
  const log = pino({ level: logLevel }, pino.destination({ dest: 2, sync: true }));
  const followers = new Followers();
  const metrics = new Metrics(() => service);
  let farm = await readFarm();
  mkdirSync(data, { recursive: true, mode: 0o700 });

  // 1. The database, and with it the right to be the only one here.
  const database = new Database(join(data, "croft.db"));
  const around: FarmSurroundings = {
    database,
    data,
    clock: speed === 1 ? systemClock() : fastClock(systemClock(), speed),
    log,
    passing: crashAt(process.env),
    written: (turn, seconds) => {
      metrics.written(turn, seconds);
      followers.written();
    },
  };

  // 2. The farm, as the last service has left it.
  let service = await openFarm(farm, around);

  let reloading: Promise<boolean> | null = null;
  const reload = async (): Promise<boolean> => {
    const next = await readFarm();
    const before = JSON.stringify(service.farm);
    await service.stop();
    try {
      service = await openFarm(next, around);
      farm = next;
    } catch (error) {
      service = await openFarm(farm, around);
      if (error instanceof InputError) throw new Refusal(422, `the farm goes on as it was: ${error.message}`);
      throw error;
    }
    log.info({}, "the farm's file was read again");
    return JSON.stringify(service.farm) !== before;
  };

  // 3. Others may come in.
  const handle: ServiceHandle = {
    get service() {
      return service;
    },
    get output() {
      return new JobOutput(systemDisk, data, service.pools);
    },
    get name() {
      return farm.name;
    },
    database,
    followers,
    version,
    reload() {
      reloading ??= reload()
        .catch((error: unknown) => {
          if (error instanceof InputError)
            throw new Refusal(422, `the farm goes on as it was: ${error.message}`);
          throw error;
        })
        .finally(() => (reloading = null));
      return reloading;
    },
  };
  const owner = { user: userInfo().username, role: "admin" } as const;
  const app = await makeServer({ farm: handle, identify: () => owner, metrics: () => metrics.text(), log });
  await listenOnSocket(app, socket);

  return {
    get service() {
      return service;
    },
    get name() {
      return farm.name;
    },
    reload: () => handle.reload(),
    async stop() {
      await app.close();
      await reloading?.catch(() => false);
      await service.stop();
      database.close();
    },
  };
}
