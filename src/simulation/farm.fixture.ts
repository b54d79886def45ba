import type { Farm, MachineGroup, PhysicalPool, VirtualPool, Workload } from "../workload/index.ts";
import { simulate, type GivenSettings } from "./simulate.ts";
import type { FarmRunResult, SimulationExtras } from "./simulation.ts";

/** Machines of one core without memory, unless told otherwise. */
export function aGroup(group: Partial<MachineGroup> = {}): MachineGroup {
  return {
    count: 1,
    coresMilli: 1000,
    memoryMiB: null,
    gpuMilli: null,
    speed: 1,
    owner: null,
    attributes: {},
    ...group,
  };
}

/** A pool at the first site whose cycles follow every event, unless told otherwise. */
export function aPoolOf(
  name: string,
  groups: readonly Partial<MachineGroup>[],
  pool: Partial<PhysicalPool> = {},
): PhysicalPool {
  return {
    name,
    site: 0,
    groups: groups.map(aGroup),
    policy: "first-fit",
    maxJobsList: [],
    intervalSeconds: 0,
    reserving: Infinity,
    shares: null,
    ...pool,
  };
}

/** One virtual pool over these pools, at one site; jobs that wait for more than half an hour may be moved. */
export function farmOf(
  pools: readonly PhysicalPool[],
  farm: Partial<Omit<Farm, "rescheduling" | "preemption">> & {
    rescheduling?: Partial<Farm["rescheduling"]>;
    preemption?: Partial<Farm["preemption"]>;
    virtualPool?: Partial<VirtualPool>;
  } = {},
): Farm {
  const { rescheduling, preemption, virtualPool, ...rest } = farm;
  return {
    name: "examples",
    sites: ["here"],
    transferSeconds: [[0]],
    pools,
    virtualPools: [
      {
        name: "users",
        site: 0,
        pools: pools.map((_, pool) => pool),
        routing: "round-robin",
        viewAgeSeconds: 0,
        hasQueue: false,
        ...virtualPool,
      },
    ],
    preemption: { keepsMemory: true, victim: "lowest-priority", ...preemption },
    rescheduling: {
      strategy: "NoRes",
      waitThresholdSeconds: 1800,
      checkSeconds: 60,
      maxRestarts: Infinity,
      candidates: null,
      checkpointSeconds: null,
      ...rescheduling,
    },
    ...rest,
  };
}

/** Where the time of one job went, in seconds. */
export interface JobAccount {
  readonly row: number;
  readonly completedSeconds: number;
  readonly waitingSeconds: number;
  readonly runningSeconds: number;
  readonly suspendedSeconds: number;
  readonly transferSeconds: number;
  readonly lostSeconds: number;
  readonly suspensions: number;
  readonly moves: number;
}

/** A run on a farm, with the account of every job that ran, in the order in which they were done. */
export function runFarm(
  workload: Workload,
  farm: Farm,
  settings: GivenSettings = {},
  extras: SimulationExtras = {},
): {
  result: FarmRunResult;
  accounts: JobAccount[];
  startSeconds: Float64Array;
  completedSeconds: Float64Array;
} {
  const { result, schedule, ledger } = simulate(workload, farm, settings, extras);
  const { startSeconds } = schedule;
  const completedSeconds = startSeconds.map((_, row) => ledger.endOf(row));
  const accounts = [...completedSeconds.keys()]
    .filter((row) => !Number.isNaN(startSeconds[row]))
    .map((row): JobAccount => {
      const times = ledger.timesOf(row);
      return {
        row,
        completedSeconds: completedSeconds[row],
        waitingSeconds: times?.waiting ?? ledger.waitOf(row),
        runningSeconds: times?.running ?? completedSeconds[row] - startSeconds[row],
        suspendedSeconds: times?.suspended ?? 0,
        transferSeconds: times?.transfer ?? 0,
        lostSeconds: times?.lost ?? 0,
        suspensions: times?.suspensions ?? 0,
        moves: times?.moves ?? 0,
      };
    })
    .sort((a, b) => a.completedSeconds - b.completedSeconds);
  return { result, accounts, startSeconds, completedSeconds };
}
