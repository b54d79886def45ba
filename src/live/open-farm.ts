import { randomInt } from "node:crypto";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";

import { InputError, type Farm } from "../workload/index.ts";
import { ownUser } from "../workload/own-user.ts";
import type { Report } from "./engines/engine.ts";
import type { Clock } from "./engines/system/clock.ts";
import { systemCommands } from "./engines/system/commands.ts";
import { systemDisk } from "./engines/system/disk.ts";
import type { CrashHook } from "./service/crash-points.ts";
import { readyChannel } from "./notify/channels.ts";
import { plainFarm, planPools, unansweredPools } from "./service/farm-plan.ts";
import { lastNumber } from "./service/last-number.ts";
import { OutputKeeper } from "./service/output-keeper.ts";
import { refuseTakenDevices } from "./service/kept-devices.ts";
import { damaged, knownMachines, readPast, restore } from "./service/restore.ts";
import { Service } from "./service/service.ts";
import type { ServiceLog } from "./service/service-parts.ts";
import { Starting } from "./service/starting.ts";
import type { Turn } from "./service/turn.ts";
import type { Database } from "./store/database.ts";
import type { Reader } from "./reader/tasks.ts";

export interface FarmSurroundings {
  readonly database: Database;
  /** For what reads or writes very much. */
  readonly reader: Reader;
  /** For what is tried on a copy of the farm. */
  readonly trials: Reader;
  /** The folder with all that the service keeps. */
  readonly data: string;
  readonly clock: Clock;
  readonly log: ServiceLog;
  readonly crashPoint: CrashHook;
  /** Called with what no later try can mend; the service does nothing any more. */
  readonly failed: (error: Error) => void;
  /** Called after every turn, once it is durable, with the seconds that it took. */
  readonly afterTurn: (turn: Turn, seconds: number) => void;
  /** Called when a pool's engine answers whose machines nobody knew when the farm was opened: it is to be opened again. */
  readonly machinesKnown: () => void;
}

/**
 * Resumes a farm as the last service left it: reads its decisions, finds what runs, reads the books, and reconciles
 * these before anything new is decided.
 *
 * @param before the service of this process that this one goes on from
 * @throws InputError where the farm cannot be what its file says
 */
export async function openFarm(farm: Farm, around: FarmSurroundings, before?: Service): Promise<Service> {
  const { database, reader, trials, data, clock, log, crashPoint, failed, afterTurn, machinesKnown } = around;
  const past = readPast(database);
  const planned = planPools(farm, (pool) => ({
    clock,
    disk: systemDisk,
    commands: systemCommands,
    folder: join(data, "engines", pool),
  }));
  // Reports of engines that come before the service exists.
  const reportsBeforeService: [number, Report][] = [];
  let hear = (pool: number, report: Report): void => void reportsBeforeService.push([pool, report]);
  try {
    await Promise.all(
      planned.map(({ pool: { name }, engine }, pool) =>
        engine
          .open((report) => hear(pool, report))
          .catch((error: unknown) => {
            throw ofPool(name, error);
          }),
      ),
    );
    const known = { ...knownMachines(database), unanswered: await unansweredPools(planned) };
    const seed = known.before?.seed ?? randomInt(2 ** 31);
    const plain = plainFarm(farm, planned, seed, known);
    refuseTakenDevices(database, known.before, plain);
    const restored = restore(database, past, plain);
    const runsAsUsers = ownUser().uid === 0;
    const umask = ownUmask();
    const keeper = new OutputKeeper(database, data);
    const service = new Service({
      database,
      clock,
      farm: restored.farm,
      planned,
      restored,
      lastNumber: await lastNumber(database, data),
      ...(before === undefined ? {} : { farmTime: before.farmTime() }),
      log,
      crashPoint,
      failed,
      afterTurn,
      machinesKnown,
      farmName: farm.name,
      channels: (farm.channels ?? []).map(readyChannel),
      reader,
      trials,
      data,
      ...(farm.retentionSeconds === undefined ? {} : { retentionSeconds: farm.retentionSeconds }),
      keep: ({ engine }, id) => {
        const { output } = engine.capabilities;
        // Jobs that run as the service's user write into the farm's folder themselves.
        const isKept = output === "engine" || (output === "farm" && runsAsUsers);
        return isKept ? keeper.keep(engine, id) : Promise.resolve();
      },
      starting: (pools) => {
        const starting = new Starting({
          database,
          clock,
          data,
          pools,
          runsAsUsers,
          umask,
          makePlace,
          ...(farm.outputMiB === undefined ? {} : { outputMiB: farm.outputMiB }),
        });
        return (attempt) => starting.start(attempt);
      },
    });
    hear = (pool, report) => service.report(pool, report);
    for (const [pool, report] of reportsBeforeService) service.report(pool, report);
    await service.start();
    return service;
  } catch (error) {
    await Promise.all(planned.map(({ engine }) => engine.close()));
    throw error instanceof SyntaxError ? damaged(error, database) : error;
  }
}

function ofPool(name: string, error: unknown): unknown {
  return error instanceof InputError ? new InputError(`pool ${name}: ${error.message}`) : error;
}

let known: string | null = null;

/** As it was at the start: it is another one for moments, and there is no way to read it but to set it. */
function ownUmask(): string {
  if (known !== null) return known;
  const mask = process.umask(0o077);
  process.umask(mask);
  known = mask.toString(8).padStart(3, "0");
  return known;
}

async function makePlace(folder: string, files: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const file of files) closeSync(openSync(file, "a", 0o600));
}
