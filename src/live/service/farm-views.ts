import { memoryText } from "../../core/index.ts";
import type { Capabilities } from "../engines/engine.ts";
import type { PlainMachine } from "./plain-farm.ts";
import type { Pause } from "./pauses.ts";
import type { Service } from "./service.ts";

/** A pool, as clients see it. */
export interface PoolView {
  readonly name: string;
  readonly engine: string;
  readonly policy: string;
  readonly machines: number;
  readonly machinesClosed: number;
  readonly cores: number;
  readonly coresFree: number;
  readonly memoryMiB: number;
  readonly memoryFreeMiB: number;
  readonly gpus: number;
  readonly gpusFree: number;
  readonly waiting: number;
  readonly running: number;
  readonly suspended: number;
  readonly suspends: Capabilities["suspend"];
  /** Why its engine does not answer, and since when; null: it does. */
  readonly unreachable: { readonly reason: string; readonly since: string } | null;
  /** Who lets it start nothing; null: nobody. */
  readonly paused: PauseView | null;
}

export interface PauseView {
  readonly actor: string;
  readonly reason: string;
  readonly since: string;
  /** Whether what ran was suspended, where its engine can. */
  readonly suspends: boolean;
  readonly isOfFarm: boolean;
}

export function pauseView(pause: Pause | null, isOfFarm: boolean): PauseView | null {
  if (pause === null) return null;
  const { actor, reason, at, suspends } = pause;
  return { actor, reason, since: new Date(at * 1000).toISOString(), suspends, isOfFarm };
}

export interface MachineView {
  readonly pool: string;
  readonly name: string;
  readonly state: "up" | "closed" | "drained";
  readonly reason: string;
  /** Since when it takes nothing new; null: it does, or that is not known. */
  readonly since: string | null;
  readonly cores: number;
  readonly coresFree: number;
  readonly memoryMiB: number;
  readonly memoryFreeMiB: number;
  readonly gpus: number;
  readonly gpusFree: number;
  readonly owner: string | null;
  readonly attributes: PlainMachine["attributes"];
  readonly jobs: readonly number[];
}

export function poolViews({ pools, books, journal }: Service): PoolView[] {
  const counts = pools.map(() => ({ running: 0, suspended: 0 }));
  for (const { pool, state, job } of books.attempts.values())
    // An attempt that stands still by hand, or with its pool, runs to the decision engine.
    if (state === "suspended" || job.isPaused) counts[pool]!.suspended++;
    else counts[pool]!.running++;
  return pools.map((pool, at) => {
    const { name, number, engineName, engine, plan, closings, unreachable } = pool;
    const { machines, waiting } = journal.port.view.pools[number]!;
    // A machine that was made smaller while jobs ran on it has less than nothing free.
    const sum = (amounts: Int32Array): number =>
      amounts.reduce((total, amount) => total + Math.max(0, amount), 0);
    return {
      name,
      engine: engineName,
      policy: plan.policy,
      machines: plan.machines.length,
      machinesClosed: closings.filter((_, machine) => pool.isClosed(machine)).length,
      cores: sum(machines.capacityCores) / 1000,
      coresFree: sum(machines.freeCores) / 1000,
      memoryMiB: sum(machines.capacityMemory),
      memoryFreeMiB: sum(machines.freeMemory),
      gpus: sum(machines.capacityGpu) / 1000,
      gpusFree: sum(machines.freeGpu) / 1000,
      waiting,
      ...counts[at]!,
      suspends: engine.capabilities.suspend,
      unreachable:
        unreachable === null
          ? null
          : {
              reason: unreachable.reason,
              since: new Date(unreachable.sinceUnixSeconds * 1000).toISOString(),
            },
      paused: pauseView(pool.paused, pool.ownPause === null),
    };
  });
}

/** A machine that was made smaller while jobs ran on it. */
function overfullText(coresFree: number, memoryFreeMiB: number): string[] {
  const more = [
    ...(coresFree < 0 ? [`${-coresFree} ${coresFree === -1 ? "core" : "cores"}`] : []),
    ...(memoryFreeMiB < 0 ? [memoryText(-memoryFreeMiB)] : []),
  ];
  return more.length === 0 ? [] : [`its jobs hold ${more.join(" and ")} more than it has, until they end`];
}

export function machineViews({ pools, books, journal }: Service): MachineView[] {
  const jobsOn = new Map<string, number[]>();
  for (const { pool, placement, job } of books.attempts.values())
    for (const { machine } of placement) {
      const key = `${pool} ${machine}`;
      const jobs = jobsOn.get(key);
      if (jobs === undefined) jobsOn.set(key, [job.number]);
      else jobs.push(job.number);
    }
  return pools.flatMap((pool) => {
    const { machines } = journal.port.view.pools[pool.number]!;
    return pool.machines.map((machine, at): MachineView => {
      const { drain } = pool.closings[at]!;
      const closed = pool.whyClosed(at);
      const reasons = [
        ...(closed === "" ? [] : [closed]),
        ...(pool.paused === null
          ? []
          : [
              `${pool.ownPause === null ? "the farm" : "its pool"} is paused by ${pool.paused.actor}${pool.paused.reason === "" ? "" : `: ${pool.paused.reason}`}`,
            ]),
        ...overfullText(machines.freeCores[at]! / 1000, machines.freeMemory[at]!),
      ];
      return {
        pool: pool.name,
        name: machine.name,
        state: drain !== null ? "drained" : pool.isClosed(at) ? "closed" : "up",
        reason: reasons.join("; "),
        since:
          drain !== null
            ? new Date(drain.at * 1000).toISOString()
            : pool.unreachable !== null
              ? new Date(pool.unreachable.sinceUnixSeconds * 1000).toISOString()
              : pool.paused === null
                ? null
                : new Date(pool.paused.at * 1000).toISOString(),
        cores: machine.coresMilli / 1000,
        coresFree: Math.max(0, machines.freeCores[at]!) / 1000,
        memoryMiB: machine.memoryMiB,
        memoryFreeMiB: Math.max(0, machines.freeMemory[at]!),
        gpus: machine.gpuMilli / 1000,
        gpusFree: Math.max(0, machines.freeGpu[at]!) / 1000,
        owner: machine.owner,
        attributes: machine.attributes,
        jobs: jobsOn.get(`${pool.number} ${machine.name}`) ?? [],
      };
    });
  });
}
