import { hostname } from "node:os";

import { resolvePolicy } from "../../simulation/index.ts";
import {
  gpuPartOf,
  InputError,
  reservedMachines,
  type Channel,
  type Farm,
  type FarmLimit,
  type FarmReservation,
  type PhysicalPool,
} from "../../workload/index.ts";
import type { Engine, Machine } from "../engines/engine.ts";
import type { EngineKind, System } from "../engines/engine-kind.ts";
import { GuardedEngine } from "../engines/guarded.ts";
import { engines, findEngine } from "../engines/registry.ts";
import type { MadeReservation } from "../store/reservations.ts";
import { hashOf } from "./environments.ts";
import type { PlainFarm, PlainMachine, PlainPool } from "./plain-farm.ts";

/** A pool of the farm's file and the engine that runs its jobs. */
export interface PlannedPool {
  readonly pool: PhysicalPool;
  readonly kind: EngineKind;
  readonly engine: Engine;
}

/** A pool whose file names no engine runs on this machine. */
const DEFAULT_ENGINE = { kind: "local", settings: {} } as const;

/** The devices of a pool whose jobs are to see none of the machine's. */
const NO_DEVICES = { devices: [] } as const;

/** The farm without a farm file: this machine, without suspensions. */
export function defaultFarm(): Farm {
  const site = hostname();
  return {
    name: site,
    sites: [site],
    transferSeconds: [[0]],
    pools: [
      {
        name: "local",
        site: 0,
        groups: [],
        engine: DEFAULT_ENGINE,
        policy: "first-fit",
        maxJobsList: [],
        intervalSeconds: 0,
        reserving: Infinity,
        shares: null,
      },
    ],
    virtualPools: [
      { name: "default", site: 0, pools: [0], routing: "round-robin", viewAgeSeconds: 0, hasQueue: false },
    ],
    preemption: { keepsMemory: true, victim: null },
    rescheduling: {
      strategy: "NoRes",
      waitThresholdSeconds: 1800,
      checkSeconds: 60,
      maxRestarts: Infinity,
      candidates: null,
      checkpointSeconds: null,
    },
  };
}

/** The same farm, whose engines also run jobs of root. */
export function withRoot(farm: Farm): Farm {
  const pools = farm.pools.map((pool): PhysicalPool => {
    const { kind, settings } = pool.engine ?? DEFAULT_ENGINE;
    const { rootSettings } = findEngine(kind) ?? {};
    return rootSettings === undefined
      ? pool
      : { ...pool, engine: { kind, settings: { ...rootSettings, ...settings } } };
  });
  return { ...farm, pools };
}

/**
 * Makes the engines of a farm, not yet open.
 *
 * @param systemOf what an engine has of the world, by the name of its pool
 * @throws InputError where an engine is not known, or cannot be what the file says
 */
export function planPools(farm: Farm, systemOf: (pool: string) => System): PlannedPool[] {
  for (const { name, from } of farm.reservations ?? [])
    if (from.since === "log")
      throw new InputError(
        `reservation ${name} begins a time after a log: in a farm that runs it begins at a date, such as 2026-11-28T22:00Z`,
      );
  // A job of a pool beside them would see all, those of others' jobs too.
  const hidesGpus = farm.pools.some(({ gpus }) => gpus !== undefined);
  const planned = farm.pools.map((pool, number) => {
    const { name, engine = DEFAULT_ENGINE } = pool;
    if (name.includes("/") || name === "." || name === "..")
      throw new InputError(
        `pool ${name}: a live farm keeps a folder for each pool, and its machines are called POOL/MACHINE: give it a name without /, and not . or ..`,
      );
    const kind = findEngine(engine.kind);
    if (kind === undefined)
      throw new InputError(
        `pool ${name}: there is no engine ${JSON.stringify(engine.kind)}; there are ${engines.map((each) => each.name).join(", ")}`,
      );
    if (farm.limits?.some(isOfRunning) === true && resolvePolicy(pool.policy).kind.heedsLicences === false)
      throw new InputError(
        `pool ${name}: policy ${pool.policy} promises jobs when they will start, and does not know of the farm's limits; choose another, such as easy, conservative or first-fit`,
      );
    const isReserved = farm.reservations?.some((each) => each.pool === number) === true;
    if (isReserved && resolvePolicy(pool.policy).kind.heedsLicences === false)
      throw new InputError(
        `pool ${name}: policy ${pool.policy} promises jobs when they will start, and does not know of the farm's reservations; choose another, such as easy, conservative or first-fit`,
      );
    if (pool.licences !== undefined && resolvePolicy(pool.policy).kind.heedsLicences === false)
      throw new InputError(
        `pool ${name}: policy ${pool.policy} promises jobs when they will start, and does not know when the pool's licences will be free; choose one that promises nothing, such as first-fit, max-jobs or fcfs`,
      );
    if (resolvePolicy(pool.policy).kind.plansOnPredictions === true)
      throw new InputError(
        `pool ${name}: policy ${pool.policy} plans on predicted run times, and a live farm predicts none; choose one that plans on estimates, such as easy-sjbf`,
      );
    if (pool.gpus !== undefined && kind.givesGpus !== true)
      throw new InputError(
        `pool ${name}: the engine ${engine.kind} gives no job devices of its own: leave gpus out, as its machines tell how many they have`,
      );
    if (pool.hooks !== undefined && kind.runsHooks !== true)
      throw new InputError(
        `pool ${name}: the engine ${engine.kind} runs no prolog or epilog and makes no scratch folders: leave hooks out, and set its own up for that`,
      );
    try {
      const settings = {
        ...kind.machineSettings?.(pool),
        ...(hidesGpus && kind.givesGpus === true && pool.gpus === undefined ? { gpus: NO_DEVICES } : {}),
        ...engine.settings,
      };
      const planned = new GuardedEngine(kind.create(settings, systemOf(name)));
      const { output, limits } = planned.capabilities;
      if (farm.outputMiB !== undefined && output !== "none" && limits.output === "ignored")
        throw new InputError(
          `its engine ${kind.name} does not limit what jobs print: leave output out of the file`,
        );
      return { pool, kind, engine: planned };
    } catch (error) {
      if (error instanceof InputError) throw new InputError(`pool ${name}: ${error.message}`);
      throw error;
    }
  });
  if (farm.outputMiB !== undefined && planned.every(({ engine }) => engine.capabilities.output === "none"))
    throw new InputError(
      "no pool's engine has jobs that print, so that nothing is limited: leave output out of the file",
    );
  return planned;
}

function isOfRunning({ runningJobs, runningCores }: FarmLimit): boolean {
  return runningJobs !== null || runningCores !== null;
}

/** What was known when the last service ended. */
export interface KnownMachines {
  /** The last service's farm; null: there was none. */
  readonly before: PlainFarm | null;
  /** `POOL/MACHINE` of those that attempts are on. */
  readonly inUse: ReadonlySet<string>;
  /** Those that people, or the farm, have drained. */
  readonly drained: ReadonlySet<string>;
  /** Those that operators have made. */
  readonly reservations: readonly MadeReservation[];
  /** The pools whose engines do not answer and list no machines; of engines that are not open, those of the last farm. */
  readonly unanswered: ReadonlySet<string>;
}

/** The names of the pools whose engines do not answer and list no machines. */
export async function unansweredPools(planned: readonly PlannedPool[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const { pool, engine } of planned)
    if (engine.machines().length === 0 && (await engine.list()).kind === "unreachable") names.add(pool.name);
  return names;
}

/**
 * The configuration of the decision engine, with the machines that the engines know now. A machine in use stays even
 * if its engine does not list it. An engine that lists none cannot be reached, and all its machines stay.
 */
export function plainFarm(
  farm: Farm,
  planned: readonly PlannedPool[],
  seed: number,
  known: KnownMachines = {
    before: null,
    inUse: new Set(),
    drained: new Set(),
    reservations: [],
    unanswered: new Set(),
  },
): PlainFarm {
  const { preemption, rescheduling, virtualPools, transferSeconds, userGroups = [] } = farm;
  const pools = planned.map((pool) => plainPool(pool, known));
  const reservations = [
    ...reservationsOf(farm.reservations ?? [], pools),
    ...madeReservationsOf(known.reservations, pools),
  ];
  return {
    seed,
    transferSeconds,
    pools,
    // Stored farms from before there were queues stay equal to new ones without.
    virtualPools: virtualPools.map(({ hasQueue, ...rest }) => ({
      ...rest,
      ...(hasQueue ? { hasQueue } : {}),
    })),
    victim: preemption.victim,
    strategy: rescheduling.strategy,
    waitThresholdSeconds: rescheduling.waitThresholdSeconds,
    checkSeconds: rescheduling.checkSeconds,
    maxRestarts: rescheduling.maxRestarts === Infinity ? null : rescheduling.maxRestarts,
    restartPools: rescheduling.candidates,
    ...(userGroups.length === 0 ? {} : { userGroups }),
    ...(farm.limits === undefined ? {} : { limits: farm.limits }),
    ...(reservations.length === 0 && farm.reservations === undefined ? {} : { reservations }),
    ...(farm.outputMiB === undefined ? {} : { outputMiB: farm.outputMiB }),
    ...(farm.retentionSeconds === undefined ? {} : { retentionSeconds: farm.retentionSeconds }),
    ...(farm.channels === undefined
      ? {}
      : {
          channels: Object.fromEntries(farm.channels.map((channel) => [channel.name, channelText(channel)])),
        }),
  };
}

/** By the farm's clock. An engine that cannot be reached, and has listed no machines yet, has none to reserve. */
function reservationsOf(
  reservations: readonly FarmReservation[],
  pools: readonly PlainPool[],
): NonNullable<PlainFarm["reservations"]> {
  return reservations.flatMap(({ from, seconds, ...rest }) => {
    const names = pools[rest.pool]!.machines.map(({ name }) => name);
    if (names.length === 0) return [];
    const machines = reservedMachines(rest, names);
    return [{ ...rest, machines, fromSeconds: from.seconds, untilSeconds: from.seconds + seconds }];
  });
}

/** An address may be a secret: its hash says whether it is another one. */
function channelText(channel: Channel): string {
  const what =
    channel.kind === "webhook" ? `the address at ${new URL(channel.url).host}` : channel.command[0];
  return `${what} (${hashOf(JSON.stringify(channel)).slice(0, 8)})`;
}

/** Their pools and machines may have gone since: what is left of each. */
function madeReservationsOf(
  made: readonly MadeReservation[],
  pools: readonly PlainPool[],
): NonNullable<PlainFarm["reservations"]> {
  return made.flatMap((reservation) => {
    const {
      pool,
      machines: names,
      name,
      fromSeconds,
      untilSeconds,
      users,
      groups,
      projects,
      reason,
    } = reservation;
    const number = pools.findIndex((each) => each.name === pool);
    if (number < 0) return [];
    const named = names === null ? null : new Set(names);
    const machines = [...pools[number]!.machines.entries()].flatMap(([machine, each]) =>
      named === null || named.has(each.name) ? [machine] : [],
    );
    if (machines.length === 0) return [];
    if (resolvePolicy(pools[number]!.policy).kind.heedsLicences === false)
      throw new InputError(
        `pool ${pool}: policy ${pools[number]!.policy} promises jobs when they will start, and does not know of reservations, such as ${name}, which is made by croft reserve; choose another, such as easy, conservative or first-fit`,
      );
    return [{ name, pool: number, machines, fromSeconds, untilSeconds, users, groups, projects, reason }];
  });
}

function plainPool(
  { pool, kind, engine }: PlannedPool,
  { before, inUse, unanswered }: KnownMachines,
): PlainPool {
  const { name, site, policy, maxJobsList, intervalSeconds, reserving, shares, usage, licences, groups } =
    pool;
  const traits = groups.flatMap((group) => Array.from({ length: group.count }, () => group));
  const machines = engine.machines();
  const listed = new Set(machines.map((machine) => machine.name));
  const missing = (before?.pools.find((each) => each.name === name)?.machines ?? []).filter(
    (machine) => !listed.has(machine.name) && (machines.length === 0 || inUse.has(`${name}/${machine.name}`)),
  );
  return {
    name,
    site,
    policy,
    maxJobsList,
    // Without an interval a live farm decides at once; a simulation would use the published cycle.
    intervalSeconds: intervalSeconds ?? 0,
    reserving: reserving === Infinity ? null : reserving,
    shares,
    ...(usage === undefined ? {} : { usage }),
    ...(licences === undefined ? {} : { licences }),
    ...(pool.gpus === undefined ? {} : { gpuPart: gpuPartOf(pool.gpus), gpus: pool.gpus }),
    ...(pool.hooks === undefined ? {} : { hooks: pool.hooks }),
    suspend: engine.capabilities.suspend,
    engine: engineOf(pool, kind),
    ...(machines.length === 0 && missing.length === 0 && unanswered.has(name)
      ? { isUnknown: true as const }
      : {}),
    machines: [
      ...machines.map((machine, at) =>
        plainMachine(machine, traits.length === machines.length ? traits[at] : undefined),
      ),
      // An engine that lists none cannot be reached: nothing is known of its machines.
      ...missing.map((machine) => (machines.length === 0 ? machine : { ...machine, isGone: true as const })),
    ],
  };
}

/** As the farm's file has it: without what is added where it runs jobs of root. */
function engineOf(
  { engine: { settings } = DEFAULT_ENGINE }: PhysicalPool,
  { name, rootSettings = {} }: EngineKind,
): NonNullable<PlainPool["engine"]> {
  const own = Object.entries(settings).filter(([field, value]) => rootSettings[field] !== value);
  return { kind: name, settings: Object.fromEntries(own) };
}

function plainMachine(
  { name, coresMilli, memoryMiB, gpuMilli, whole, attributes }: Machine,
  group: PhysicalPool["groups"][number] | undefined,
): PlainMachine {
  return {
    name,
    coresMilli: Math.floor(coresMilli),
    memoryMiB: Math.floor(memoryMiB),
    gpuMilli: Math.floor(gpuMilli),
    ...(whole === undefined ? {} : { whole }),
    speed: group?.speed ?? 1,
    owner: group?.owner ?? null,
    attributes: { ...attributes, ...group?.attributes },
  };
}
