import {
  Engine,
  meets,
  shareTree,
  type EngineSettings,
  type NamedPolicy,
  type PackingSettings,
  type PoolManagerSettings,
  type Requirement,
  type Share,
  type UsageSettings,
} from "../../core/index.ts";
import { Random } from "../../workload/random.ts";
import {
  InputError,
  machineAttributes,
  type Farm,
  type PhysicalPool,
  type Workload,
} from "../../workload/index.ts";
import { CYCLE_SECONDS, type SimulationSettings } from "../settings/settings.ts";
import { familyOfRows } from "../settings/families.ts";
import { knownRouting, knownStrategy, knownVictimRule } from "./known.ts";
import { farmLicences } from "./licences.ts";
import { machinesOfPools, type MachineColumns } from "./machines.ts";
import { policyOf } from "./pool-policies.ts";
import {
  candidateLists,
  columnOf,
  namedHeuristics,
  priorityClasses,
  readRequirements,
  virtualPoolOf,
} from "./row-numbers.ts";

/** An engine ready to run a workload, and what a row of the workload is to it. */
export interface BuiltEngine {
  readonly engine: Engine;
  readonly farm: Farm;
  readonly machines: readonly MachineColumns[];
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
interface RowColumns {
  readonly virtualPool: Int32Array | null;
  readonly candidates: Int32Array | null;
  readonly priority: Int32Array | null;
  readonly owner: Int32Array | null;
  readonly requirement: Int32Array | null;
  readonly licences: Int32Array | null;
  readonly heuristic: Int32Array | null;
  readonly family: Uint8Array | null;
}

/** What fair share goes by in a pool: what the run says of all of them, or the pool's own. */
export function fairShareOf(
  pool: PhysicalPool,
  { fairShare, usage }: SimulationSettings,
): { readonly shares: readonly Share[] | null; readonly usage: UsageSettings | undefined } {
  return fairShare === null
    ? { shares: pool.shares, usage: pool.usage }
    : { shares: fairShare, usage: usage ?? undefined };
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
    const { shares, usage } = fairShareOf(pool, settings);
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
        : { shares: shareTree(workload.project.names, shares), ...(usage === undefined ? {} : { usage }) }),
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
