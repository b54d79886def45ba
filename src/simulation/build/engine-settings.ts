import {
  attributeTypes,
  meets,
  shareTree,
  type Attributes,
  type AttributeTypes,
  type EngineSettings,
  type Heuristic,
  type LicenceCount,
  type LicenceSettings,
  type NamedPolicy,
  type PoolLists,
  type PoolManagerSettings,
  type Requirement,
} from "../../core/index.ts";
import { resolvePolicy } from "../settings/policy-names.ts";
import type { FarmSpec, MachineSpec, PoolSpec } from "./farm-spec.ts";
import { limitSettings, type Account } from "./limits.ts";
import { bookingSettings } from "./reservations.ts";
import { knownRouting, knownStrategy, knownVictimRule } from "./known.ts";

/** What jobs name by number. A live farm learns more of it as jobs come. */
export interface JobTerms {
  readonly projects: readonly string[];
  readonly candidateLists: readonly PoolLists[];
  /** The number of priorities: all are below it. */
  readonly priorities: number;
  /** The heuristics that jobs may name. */
  readonly heuristics: readonly Heuristic[];
  /** Null: it asks for nothing. */
  readonly requirement: (number: number) => Requirement | null;
  /** The names of licences by number, and what a request asks for, by name; null: licences do not count. */
  readonly licences: {
    readonly names: readonly string[];
    asked(request: number): ReadonlyMap<string, number>;
  } | null;
  /** Whom a job counts against, for the farm's limits, and for whose it is where machines are reserved. */
  readonly account: (number: number) => Account;
}

/** What is no part of the farm: how its moves are drawn, and, in a program of one's own, policies without a name. */
export interface EngineChoices {
  readonly random: EngineSettings["random"];
  /** By pool; absent: as they are named. */
  readonly policies?: readonly NamedPolicy[];
  readonly faults?: EngineSettings["faults"];
}

/** Memory of a machine that tells none, on a farm where others do. */
const NO_LIMIT_MIB = 2 ** 31 - 1;

/** The groups that own machines; number 1 is the first. */
export function ownersOf({ pools }: FarmSpec): string[] {
  const owners = pools.flatMap(({ machines }) => machines.map(({ owner }) => owner));
  return [...new Set(owners)].filter((owner) => owner !== null);
}

/** All that requirements can ask of a machine. */
export function attributesOfMachine(machine: Omit<MachineSpec, "name" | "count">): Attributes {
  const { attributes, speed, owner } = machine;
  const { coresMilli, memoryMiB, gpuMilli } = machine.whole ?? machine;
  return {
    ...attributes,
    cores: coresMilli / 1000,
    ...(memoryMiB === null ? {} : { memory: memoryMiB }),
    ...(gpuMilli === null ? {} : { gpus: gpuMilli / 1000 }),
    speed,
    ...(owner === null ? {} : { owner }),
  };
}

export function attributeTypesOf({ pools }: FarmSpec): AttributeTypes {
  return attributeTypes(pools.flatMap(({ machines }) => machines.map(attributesOfMachine)));
}

/**
 * What the engine of a farm is made of, wherever it decides: in a simulation, in the live farm, or ahead of it in
 * another thread. Names must be known.
 */
export function engineSettings(farm: FarmSpec, terms: JobTerms, choices: EngineChoices): EngineSettings {
  const owners = ownersOf(farm);
  const licences = licenceSettings(farm, terms);
  const machines = farm.pools.flatMap((pool) => pool.machines);
  const isMemoryTold = machines.length === 0 || machines.some(({ memoryMiB }) => memoryMiB !== null);
  return {
    pools: farm.pools.map((pool, number) => {
      const bookings = bookingSettings(farm, number, terms.account);
      return {
        ...poolSettings(pool, owners, terms, choices.policies?.[number], isMemoryTold),
        ...(licences === null ? {} : { licences: licences[number] }),
        ...(bookings === null ? {} : { bookings }),
      };
    }),
    virtualPools: farm.virtualPools.map(({ site, pools, routing, viewAgeSeconds, hasQueue }) => ({
      site,
      pools,
      viewAgeSeconds,
      hasQueue: hasQueue === true,
      routing: knownRouting(routing),
    })),
    transferSeconds: farm.transferSeconds,
    candidateLists: terms.candidateLists,
    priorities: terms.priorities,
    victimRule: farm.victim === null ? null : knownVictimRule(farm.victim),
    strategy: knownStrategy(farm.strategy),
    waitThresholdSeconds: farm.waitThresholdSeconds,
    rebalanceSeconds: farm.checkSeconds,
    maxRestarts: farm.maxRestarts ?? Infinity,
    random: choices.random,
    ...(choices.faults === undefined ? {} : { faults: choices.faults }),
    ...(farm.limits === undefined ? {} : { limits: limitSettings(farm.limits, terms.account) }),
  };
}

function poolSettings(
  pool: PoolSpec,
  owners: readonly string[],
  { projects, heuristics, requirement }: JobTerms,
  own: NamedPolicy | undefined,
  isMemoryTold: boolean,
): PoolManagerSettings {
  const { machines, shares, usage, packing, examined, leastFree, plainScan } = pool;
  const { kind, heuristic } = own ?? resolvePolicy(pool.policy, pool.maxJobsList);
  const { groupOf, leaders } = groupsOf(machines);
  const attributes = leaders.map(attributesOfMachine);
  const column = (of: (machine: MachineSpec) => number): Int32Array =>
    Int32Array.from(machines.flatMap((machine) => Array<number>(machine.count ?? 1).fill(of(machine))));
  const considersGpus =
    pool.considersGpus ?? machines.some(({ gpuMilli, whole }) => (whole?.gpuMilli ?? gpuMilli ?? 0) > 0);
  return {
    capacities: {
      groupOf,
      coresMilli: column(({ coresMilli }) => coresMilli),
      memoryMiB: isMemoryTold ? column(({ memoryMiB }) => memoryMiB ?? NO_LIMIT_MIB) : null,
      gpuMilli: considersGpus ? column(({ gpuMilli }) => gpuMilli ?? 0) : null,
      ...(machines.some(({ whole }) => whole !== undefined)
        ? {
            whole: {
              coresMilli: column(({ coresMilli, whole }) => whole?.coresMilli ?? coresMilli),
              memoryMiB: column(({ memoryMiB, whole }) => whole?.memoryMiB ?? memoryMiB ?? NO_LIMIT_MIB),
              gpuMilli: column(({ gpuMilli, whole }) => whole?.gpuMilli ?? gpuMilli ?? 0),
            },
          }
        : {}),
    },
    policy: kind,
    heuristic,
    named: heuristics,
    reserving: pool.reserving ?? Infinity,
    examined: examined ?? Infinity,
    ...(leastFree === undefined ? {} : { leastFree }),
    ...(packing === undefined ? {} : { packing: { ...packing, ttlSeconds: packing.ttlSeconds ?? Infinity } }),
    plainScan: plainScan === true,
    ...(pool.gpuPart === undefined ? {} : { gpuPart: pool.gpuPart }),
    ...(shares === null ? {} : { shares: shareTree(projects, shares) }),
    ...(usage === undefined ? {} : { usage }),
    site: pool.site,
    groups: {
      ownerOf: Int32Array.from(leaders, ({ owner }) => (owner === null ? 0 : owners.indexOf(owner) + 1)),
      speedOf: Float64Array.from(leaders, ({ speed }) => speed),
      count: leaders.length,
      meets: (number, group) => {
        const wanted = requirement(number);
        return wanted === null || meets(wanted, attributes[group]);
      },
    },
    ...(pool.isUnknown === undefined ? {} : { isUnknown: pool.isUnknown }),
    intervalSeconds: pool.intervalSeconds,
    suspend: pool.suspend,
  };
}

/** By pool; null where licences do not count. */
function licenceSettings({ pools }: FarmSpec, { licences }: JobTerms): LicenceSettings[] | null {
  if (licences === null) return null;
  const { names } = licences;
  const numbers = new Map(names.map((name, number) => [name, number]));
  const known: (readonly LicenceCount[])[] = [];
  const asks = (request: number): readonly LicenceCount[] =>
    (known[request] ??= Array.from(licences.asked(request), ([name, count]) => ({
      licence: numbers.get(name)!,
      count,
    })));
  return pools.map(({ licences: own = [] }) => {
    const countOf = new Map(own.map(({ name, count }) => [name, count]));
    return { counts: Int32Array.from(names, (name) => countOf.get(name) ?? 0), asks };
  });
}

/** Machines that requirements cannot tell apart are of one group; so are those of an entry with a count. */
export function groupsOf<Machine extends MachineSpec>(
  machines: readonly Machine[],
): { groupOf: Int32Array; leaders: Machine[] } {
  const leaders: Machine[] = [];
  const numbers = new Map<string, number>();
  const groupOf = machines.flatMap((machine) => {
    const { name: _name, count, ...traits } = machine;
    if (count !== undefined) return Array<number>(count).fill(leaders.push(machine) - 1);
    const key = JSON.stringify(traits);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, leaders.length);
    return leaders.push(machine) - 1;
  });
  return { groupOf: Int32Array.from(groupOf), leaders };
}
