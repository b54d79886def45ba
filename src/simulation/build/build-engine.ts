import {
  attributeTypes,
  Engine,
  meets,
  NONE,
  shareTree,
  type EngineSettings,
  type Heuristic,
  type NamedPolicy,
  type PackingSettings,
  type PoolLists,
  type PoolManagerSettings,
  type Requirement,
} from "../../core/index.ts";
import { Random } from "../../workload/generators/random.ts";
import {
  InputError,
  machineAttributes,
  nearest,
  type CodedColumn,
  type Farm,
  type PhysicalPool,
  type Workload,
} from "../../workload/index.ts";
import { candidatePools } from "../../workload/workload.ts";
import { familyOfRows } from "../packing/families.ts";
import { registry } from "../plugin.ts";
import { findAnyHeuristic, resolvePolicy } from "../policy-names.ts";
import { readRequirement } from "../requirements.ts";
import { CYCLE_SECONDS, type SimulationSettings } from "../settings.ts";
import { farmLicences, licencesCount, refusePromises } from "./licences.ts";
import { knownRouting, knownStrategy, knownVictimRule } from "./known.ts";
import { machinesOfPools, type PoolMachines } from "./machines.ts";

/** Priorities that a farm tells apart: it keeps lists of jobs for each. */
const MAX_PRIORITIES = 256;

/** An engine ready to run a workload, and what a row of the workload is to it. */
export interface BuiltEngine {
  readonly engine: Engine;
  readonly farm: Farm;
  readonly machines: readonly PoolMachines[];
  /** By pool, by group of machines. */
  readonly speeds: readonly Float64Array[];
  readonly policies: readonly NamedPolicy[];
  readonly rows: RowColumns;
  readonly requirements: readonly (Requirement | null)[];
  /** The names of the licences that jobs ask for, by number; none where licences do not count. */
  readonly licences: readonly string[];
  readonly strategy: string;
  readonly routing: string;
}

/** What the engine's numbers are for each row; null: the same for all, 0 or `NONE`. */
export interface RowColumns {
  readonly virtualPool: Int32Array | null;
  readonly candidates: Int32Array | null;
  readonly priority: Int32Array | null;
  readonly owner: Int32Array | null;
  readonly requirement: Int32Array | null;
  readonly licences: Int32Array | null;
  readonly heuristic: Int32Array | null;
  readonly family: Uint8Array | null;
}

/** @throws InputError where the workload names what the farm does not have, or the farm what Croft does not */
export function buildEngine(workload: Workload, farm: Farm, settings: SimulationSettings): BuiltEngine {
  if (farm.pools.length === 0 || farm.virtualPools.length === 0)
    throw new InputError(`farm ${farm.name} has no ${farm.pools.length === 0 ? "pools" : "virtual pools"}`);
  const machines = machinesOfPools(farm);
  const named = namedHeuristics(workload);
  const sites = columnOf(workload, workload.site, (name, whose) => virtualPoolOf(farm, name, whose));
  const lists = candidateLists(workload, farm);
  const priorities = priorityClasses(workload);
  const owners = [...new Set(farm.pools.flatMap(({ groups }) => groups.map(({ owner }) => owner)))].filter(
    (owner) => owner !== null,
  );
  const ownerNumber = (name: string | null): number => (name === null ? 0 : owners.indexOf(name) + 1);
  const { requirements, numbers: requirement } = readRequirements(workload, farm);
  const licences = farmLicences(workload, farm);
  const speeds = farm.pools.map(({ groups }) => Float64Array.from(groups, ({ speed }) => speed));
  const policies = farm.pools.map((pool) => policyOf(pool, workload, settings, licences !== null));
  const { preemption, rescheduling } = farm;
  const packing: PackingSettings | null =
    settings.packing === null ? null : { ...settings.packing, families: settings.packing.families.length };
  const pools = farm.pools.map((pool, number): PoolManagerSettings => {
    const attributes = pool.groups.map(machineAttributes);
    const shares = settings.fairShare ?? pool.shares;
    const reserving = settings.reserving ?? pool.reserving;
    const { kind, heuristic } = policies[number];
    const intervalSeconds = settings.intervalSeconds ?? pool.intervalSeconds;
    return {
      capacities: machines[number],
      policy: kind,
      heuristic,
      named: named.heuristics,
      // Under the order-driven clock a job that finds no slot keeps none from others.
      reserving: settings.clock === "order" ? 0 : reserving,
      examined: settings.examined,
      leastFree: settings.leastFree,
      ...(packing === null ? {} : { packing }),
      ...(licences === null ? {} : { licences: licences.settings[number] }),
      plainScan: settings.plainScan,
      ...(shares === null || workload.project === null
        ? {}
        : { shares: shareTree(workload.project.names, shares) }),
      site: pool.site,
      groups: {
        count: pool.groups.length,
        meets: (wanted, group) => meets(requirements[wanted]!, attributes[group]),
        ownerOf: Int32Array.from(pool.groups, ({ owner }) => ownerNumber(owner)),
        speedOf: speeds[number],
      },
      intervalSeconds: intervalSeconds ?? (kind.reactsToEvents ? 0 : CYCLE_SECONDS),
      suspend: preemption.keepsMemory ? "cpu-only" : "full",
    };
  });

  const strategy = knownStrategy(settings.strategy ?? rescheduling.strategy);
  const random = new Random(settings.seed);
  const engineSettings: EngineSettings = {
    pools,
    virtualPools: farm.virtualPools.map((virtualPool) => ({
      site: virtualPool.site,
      pools: virtualPool.pools,
      routing: knownRouting(settings.routing ?? virtualPool.routing),
      viewAgeSeconds: virtualPool.viewAgeSeconds,
      hasQueue: virtualPool.hasQueue,
    })),
    transferSeconds: farm.transferSeconds,
    candidateLists: lists.lists,
    priorities: priorities.count,
    victimRule: preemption.victim === null ? null : knownVictimRule(preemption.victim),
    strategy,
    waitThresholdSeconds: rescheduling.waitThresholdSeconds,
    rebalanceSeconds: rescheduling.checkSeconds,
    maxRestarts: rescheduling.maxRestarts,
    random: (below) => random.index(below),
  };
  const ownRoutings = [...new Set(farm.virtualPools.map(({ routing }) => routing))];
  return {
    engine: new Engine(engineSettings),
    farm,
    machines,
    speeds,
    policies,
    rows: {
      virtualPool: sites,
      candidates: lists.numbers,
      priority: priorities.numbers,
      owner: columnOf(workload, workload.group, ownerNumber),
      requirement,
      licences: licences?.requests ?? null,
      heuristic: named.numbers,
      family: settings.packing === null ? null : familyOfRows(workload, settings.packing.families),
    },
    requirements,
    licences: licences?.names ?? [],
    strategy: strategy.name,
    routing: settings.routing ?? ownRoutings.join(", "),
  };
}

/** @throws InputError where the policy of a pool is not known, or needs memory that is not told */
export function checkPoolPolicies(workload: Workload, farm: Farm, settings: SimulationSettings): void {
  for (const pool of farm.pools) policyOf(pool, workload, settings, licencesCount(workload, farm));
}

/** A number for each row, from the names in a column. `whose` tells the first job with the name. */
function columnOf(
  { jobNumber }: Workload,
  column: Workload["site"],
  numberOf: (name: string, whose: () => string) => number,
): Int32Array | null {
  if (column === null) return null;
  const whose = (code: number): string => {
    const row = column.codes.indexOf(code);
    return row < 0 ? "a job" : `job ${jobNumber === null ? row + 1 : jobNumber[row]}`;
  };
  const numbers = column.names.map((name, code) => numberOf(name, () => whose(code)));
  return column.codes.map((code) => numbers[code]);
}

/** The virtual pool of this name, or the first at the site of this name. */
function virtualPoolOf(farm: Farm, name: string, whose: () => string): number {
  if (name === "") return 0;
  const byName = farm.virtualPools.findIndex((virtualPool) => virtualPool.name === name);
  if (byName >= 0) return byName;
  const site = farm.sites.indexOf(name);
  const atSite = farm.virtualPools.findIndex((virtualPool) => virtualPool.site === site);
  if (site >= 0 && atSite >= 0) return atSite;
  const near = nearest(name, [...farm.virtualPools.map((virtualPool) => virtualPool.name), ...farm.sites]);
  throw new InputError(
    `${whose()} is submitted at "${name}", which is no virtual pool of farm ${farm.name} and no site with one; did you mean ${near.join(", ")}?`,
  );
}

/** Where jobs may go, as they name it; the first is any pool, and restarts where the farm says. */
function candidateLists(workload: Workload, farm: Farm): { lists: PoolLists[]; numbers: Int32Array | null } {
  const farmsRestarts = farm.rescheduling.candidates;
  const lists: PoolLists[] = [{ pools: null, restartPools: farmsRestarts }];
  const { pools, restartPools = null } = workload;
  if (pools === null && restartPools === null) return { lists, numbers: null };
  const first = namedPools(workload, farm, pools);
  const restarts = namedPools(workload, farm, restartPools);
  // By the list of restarts, then by the list of pools: most logs name no restarts.
  const known: number[][] = restarts.lists.map(() => []);
  known[0][0] = 0;
  const numbers = new Int32Array(workload.count);
  for (let row = 0; row < workload.count; row++) {
    const sent = first.numbers[row] ?? 0;
    const restarted = restarts.numbers[row] ?? 0;
    let list: number | undefined = known[restarted][sent];
    if (list === undefined) {
      // Who names where it may run is restarted nowhere else, unless it says so itself.
      const unsaid = sent === 0 ? farmsRestarts : null;
      list = lists.push({ pools: first.lists[sent], restartPools: restarts.lists[restarted] ?? unsaid }) - 1;
      known[restarted][sent] = list;
    }
    numbers[row] = list;
  }
  return { lists, numbers };
}

/** The lists of pools in a column, the first of which is none, and the number of each row's. */
function namedPools(
  workload: Workload,
  farm: Farm,
  column: CodedColumn | null,
): { lists: (readonly number[] | null)[]; numbers: ArrayLike<number> } {
  const lists: (readonly number[] | null)[] = [null];
  const poolNames = farm.pools.map(({ name }) => name);
  const numbers = columnOf(workload, column, (entry, whose) => {
    const names = candidatePools(entry);
    if (names.length === 0) return 0;
    const pools = names.map((name) => {
      const pool = poolNames.indexOf(name);
      if (pool >= 0) return pool;
      throw new InputError(
        `${whose()} names the pool "${name}", which farm ${farm.name} does not have; did you mean ${nearest(name, poolNames).join(", ")}?`,
      );
    });
    return lists.push(pools) - 1;
  });
  return { lists, numbers: numbers ?? [] };
}

/** Priorities as numbers from 0, in their order. */
function priorityClasses(workload: Workload): { count: number; numbers: Int32Array | null } {
  const { priority } = workload;
  if (priority === null) return { count: 1, numbers: null };
  const distinct = new Set<number>();
  // Jobs of one priority mostly come together.
  let last = NaN;
  for (const each of priority) {
    if (each === last) continue;
    distinct.add((last = each));
    if (distinct.size > MAX_PRIORITIES) {
      throw new InputError(
        `workload ${workload.name} has more than ${MAX_PRIORITIES} different priorities, which is the most that a farm tells apart`,
      );
    }
  }
  const order = Int32Array.from(distinct).sort();
  const numbers = new Int32Array(priority.length);
  let number = 0;
  for (let row = 0; row < numbers.length; row++) {
    if (priority[row] !== order[number]) number = order.indexOf(priority[row]);
    numbers[row] = number;
  }
  return { count: Math.max(1, order.length), numbers };
}

/** What jobs require, by number; 0 is nothing. */
function readRequirements(
  workload: Workload,
  farm: Farm,
): { requirements: (Requirement | null)[]; numbers: Int32Array | null } {
  const requirements: (Requirement | null)[] = [null];
  const types = attributeTypes(farm.pools.flatMap(({ groups }) => groups.map(machineAttributes)));
  const numbers = columnOf(workload, workload.requires, (text) =>
    text.trim() === "" ? 0 : requirements.push(readRequirement(text, types)) - 1,
  );
  return { requirements, numbers };
}

/**
 * The policy of a pool: the one asked for, else its own.
 *
 * @param doLicencesCount whether jobs ask for licences
 */
function policyOf(
  pool: PhysicalPool,
  workload: Workload,
  settings: SimulationSettings,
  doLicencesCount: boolean,
): NamedPolicy {
  const { policy: asked, maxJobsList } = settings;
  const policy =
    asked === null
      ? resolvePolicy(pool.policy, pool.maxJobsList)
      : resolvePolicy(asked, maxJobsList.length === 0 ? pool.maxJobsList : maxJobsList);
  if (doLicencesCount) refusePromises(policy, pool, workload);
  if (!policy.kind.needsMemory && !policy.heuristic.needsMemory) return policy;
  if (workload.memoryMiB === null) {
    throw new InputError(
      `policy ${policy.name} decides by memory, but workload ${workload.name} does not say how much memory its jobs ask for; ` +
        "choose a policy that needs none (first-fit, best-fit-cores, worse-fit-cores), or a log with memory",
    );
  }
  if (pool.groups.every(({ memoryMiB }) => memoryMiB === null)) {
    throw new InputError(
      `policy ${policy.name} decides by memory, but the machines of pool ${pool.name} have none; give their memory, as in 64x8c64g`,
    );
  }
  return policy;
}

/** The heuristics that jobs name, numbered, and each row's number. */
function namedHeuristics(workload: Workload): { heuristics: Heuristic[]; numbers: Int32Array | null } {
  const heuristics: Heuristic[] = [];
  const heuristicNames = registry.heuristics.map((each) => each.name);
  const numbers = columnOf(workload, workload.policy, (name, whose) => {
    if (name === "") return NONE;
    const heuristic = findAnyHeuristic(name);
    if (heuristic === undefined)
      throw new InputError(
        `workload ${workload.name}: ${whose()} names the heuristic "${name}", which is not known; did you mean ${nearest(name, heuristicNames).join(", ")}?`,
      );
    return heuristics.push(heuristic) - 1;
  });
  return { heuristics, numbers };
}
