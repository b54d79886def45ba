import {
  attributeTypes,
  meets,
  shareTree,
  type AttributeTypes,
  type Attributes,
  type EngineSettings,
  type LicenceSettings,
  type PoolManagerSettings,
  type SuspendCapability,
  type UsageSettings,
} from "../../core/index.ts";
import { knownRouting, knownStrategy, knownVictimRule, resolvePolicy } from "../../simulation/index.ts";
import { licenceSettings } from "./licence-requests.ts";
import type { Requirements } from "./requirements.ts";
import { PRIORITIES } from "../limits.ts";

/**
 * The configuration of the decision engine, as JSON. It is stored, since the journal can only be replayed with it.
 * Names were checked when the farm was read.
 */
export interface PlainFarm {
  readonly seed: number;
  readonly transferSeconds: readonly (readonly number[])[];
  readonly pools: readonly PlainPool[];
  readonly virtualPools: readonly {
    readonly name: string;
    readonly site: number;
    readonly pools: readonly number[];
    readonly routing: string;
    readonly viewAgeSeconds: number;
    /** Absent: it has none. */
    readonly hasQueue?: true;
  }[];
  readonly victim: string | null;
  readonly strategy: string;
  readonly waitThresholdSeconds: number;
  readonly checkSeconds: number;
  /** Null: as often as it takes. */
  readonly maxRestarts: number | null;
  /** The pools where jobs may be restarted that name none; null: those where they may first be sent. */
  readonly restartPools: readonly number[] | null;
}

export interface PlainPool {
  readonly name: string;
  readonly site: number;
  readonly policy: string;
  readonly maxJobsList: readonly string[];
  readonly intervalSeconds: number;
  /** Null: all may reserve. */
  readonly reserving: number | null;
  readonly shares: readonly { readonly path: string; readonly share: number }[] | null;
  /** Fair share by what was used; absent: by the cores in use, or there is none. */
  readonly usage?: UsageSettings;
  /** Absent: it has none. */
  readonly licences?: readonly { readonly name: string; readonly count: number }[];
  readonly suspend: SuspendCapability;
  readonly machines: readonly PlainMachine[];
}

export interface PlainMachine {
  readonly name: string;
  readonly coresMilli: number;
  readonly memoryMiB: number;
  readonly gpuMilli: number;
  readonly speed: number;
  readonly owner: string | null;
  readonly attributes: Attributes;
}

/** How long a job avoids a machine on which it could not start. */
const RETRY_SECONDS = 30;
const MAX_START_FAILURES = 5;

/** The groups that own machines; number 1 is the first. */
export function ownersOf({ pools }: PlainFarm): string[] {
  const owners = pools.flatMap(({ machines }) => machines.map(({ owner }) => owner));
  return [...new Set(owners)].filter((owner) => owner !== null);
}

/** The projects that have shares; number 0 is that of jobs without one. */
export function projectsOf({ pools }: PlainFarm): string[] {
  return ["", ...new Set(pools.flatMap(({ shares }) => (shares ?? []).map(({ path }) => path)))];
}

/** All that requirement expressions can ask of a machine. */
export function attributesOfMachine(machine: PlainMachine): Attributes {
  const { attributes, coresMilli, memoryMiB, gpuMilli, speed, owner } = machine;
  return {
    ...attributes,
    cores: coresMilli / 1000,
    memory: memoryMiB,
    gpus: gpuMilli / 1000,
    speed,
    ...(owner === null ? {} : { owner }),
  };
}

export function attributeTypesOf({ pools }: PlainFarm): AttributeTypes {
  return attributeTypes(pools.flatMap(({ machines }) => machines.map(attributesOfMachine)));
}

export function engineSettings(
  farm: PlainFarm,
  requirements: Requirements,
  random: (below: number) => number,
): EngineSettings {
  const owners = ownersOf(farm);
  const projects = projectsOf(farm);
  const licences = licenceSettings(farm.pools, requirements.licences);
  return {
    pools: farm.pools.map((pool, number) =>
      poolSettings(pool, owners, projects, requirements, licences?.[number]),
    ),
    virtualPools: farm.virtualPools.map(({ site, pools, routing, viewAgeSeconds, hasQueue }) => ({
      site,
      pools,
      viewAgeSeconds,
      hasQueue: hasQueue === true,
      routing: knownRouting(routing),
    })),
    transferSeconds: farm.transferSeconds,
    // The first is any pool; then each pool by itself.
    candidateLists: [
      { pools: null, restartPools: farm.restartPools },
      ...farm.pools.map((_, number) => ({ pools: [number], restartPools: null })),
    ],
    priorities: PRIORITIES,
    victimRule: farm.victim === null ? null : knownVictimRule(farm.victim),
    strategy: knownStrategy(farm.strategy),
    waitThresholdSeconds: farm.waitThresholdSeconds,
    rebalanceSeconds: farm.checkSeconds,
    maxRestarts: farm.maxRestarts ?? Infinity,
    random,
    faults: { retrySeconds: RETRY_SECONDS, maxStartFailures: MAX_START_FAILURES },
  };
}

function poolSettings(
  pool: PlainPool,
  owners: readonly string[],
  projects: readonly string[],
  requirements: Requirements,
  licences: LicenceSettings | undefined,
): PoolManagerSettings {
  const { machines, shares, usage } = pool;
  const { kind, heuristic } = resolvePolicy(pool.policy, pool.maxJobsList);
  const { groupOf, leaders } = groupsOf(machines);
  const attributes = leaders.map(attributesOfMachine);
  const column = (of: (machine: PlainMachine) => number): Int32Array => Int32Array.from(machines, of);
  return {
    capacities: {
      groupOf,
      coresMilli: column(({ coresMilli }) => coresMilli),
      memoryMiB: column(({ memoryMiB }) => memoryMiB),
      gpuMilli: machines.some(({ gpuMilli }) => gpuMilli > 0) ? column(({ gpuMilli }) => gpuMilli) : null,
    },
    policy: kind,
    heuristic,
    named: [],
    reserving: pool.reserving ?? Infinity,
    examined: Infinity,
    ...(shares === null ? {} : { shares: shareTree(projects, shares) }),
    ...(usage === undefined ? {} : { usage }),
    ...(licences === undefined ? {} : { licences }),
    site: pool.site,
    groups: {
      ownerOf: Int32Array.from(leaders, ({ owner }) => (owner === null ? 0 : owners.indexOf(owner) + 1)),
      speedOf: Float64Array.from(leaders, ({ speed }) => speed),
      count: leaders.length,
      meets: (wanted, group) => {
        const requirement = requirements.of(wanted);
        return requirement === null || meets(requirement, attributes[group]!);
      },
    },
    intervalSeconds: pool.intervalSeconds,
    suspend: pool.suspend,
  };
}

/** Machines that requirements cannot tell apart are of one group. */
export function groupsOf(machines: readonly PlainMachine[]): {
  groupOf: Int32Array;
  leaders: PlainMachine[];
} {
  const leaders: PlainMachine[] = [];
  const numbers = new Map<string, number>();
  const groupOf = Int32Array.from(machines, (machine) => {
    const { name: _name, ...traits } = machine;
    const key = JSON.stringify(traits);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, leaders.length);
    return leaders.push(machine) - 1;
  });
  return { groupOf, leaders };
}
