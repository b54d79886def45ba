import {
  Port,
  type NamedPolicy,
  type Requirement,
  type Share,
  type UsageSettings,
} from "../../core/index.ts";
import { Random } from "../../workload/random.ts";
import { gpuPartOf, InputError, type Farm, type PhysicalPool, type Workload } from "../../workload/index.ts";
import { CYCLE_SECONDS, type SimulationSettings } from "../settings/settings.ts";
import { familyOfRows } from "../settings/families.ts";
import { accountsOf } from "./accounts.ts";
import type { Account } from "./limits.ts";
import { engineSettings, ownersOf } from "./engine-settings.ts";
import type { FarmSpec, PoolSpec } from "./farm-spec.ts";
import { farmLicences } from "./licences.ts";
import { reservationSpecs } from "./reservations.ts";
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

/** A port ready to run a workload, and what a row of the workload is to it. */
export interface BuiltEngine {
  readonly port: Port;
  readonly farm: Farm;
  readonly machines: readonly MachineColumns[];
  /** By pool, by group of machines. */
  readonly speeds: readonly Float64Array[];
  readonly policies: readonly NamedPolicy[];
  readonly rows: RowColumns;
  readonly requirements: readonly (Requirement | null)[];
  /** The names of the licences that jobs ask for, by number; none where licences do not count. */
  readonly licences: readonly string[];
  /** Whom jobs count against, by number; empty where the farm has no limits and no reservations. */
  readonly accounts: readonly Account[];
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
  readonly account: Int32Array | null;
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

/**
 * @param names how the port names jobs: by handle, or by numbers as a live farm's, so that it can be saved and forked
 * @throws InputError where the workload names what the farm does not have, or the farm what Croft does not
 */
export function buildEngine(
  workload: Workload,
  farm: Farm,
  settings: SimulationSettings,
  names: "handles" | "numbers" = "handles",
): BuiltEngine {
  if (farm.pools.length === 0 || farm.virtualPools.length === 0)
    throw new InputError(`farm ${farm.name} has no ${farm.pools.length === 0 ? "pools" : "virtual pools"}`);
  const machines = machinesOfPools(farm);
  const named = namedHeuristics(workload);
  const sites = columnOf(workload, workload.site, (name, whose) => virtualPoolOf(farm, name, whose));
  const lists = candidateLists(workload, farm);
  const priorities = priorityClasses(workload);
  const { requirements, numbers: requirement } = readRequirements(workload, farm);
  const licences = farmLicences(workload, farm);
  const accounts = accountsOf(workload, farm);
  const policies = farm.pools.map((pool) => policyOf(pool, workload, settings, licences !== null));
  refuseBlind(farm, policies);
  const considersGpus = machines.some(({ gpuMilli }) => gpuMilli !== null);
  const spec = {
    ...specOf(farm, settings, policies, workload, considersGpus),
    ...(farm.reservations === undefined ? {} : { reservations: reservationSpecs(farm, workload) }),
  };
  const owners = ownersOf(spec);
  const random = new Random(settings.seed);
  const terms = {
    projects: workload.project?.names ?? [],
    candidateLists: lists.lists,
    priorities: priorities.count,
    heuristics: named.heuristics,
    requirement: (number: number) => requirements[number]!,
    licences,
    account: (number: number) => accounts!.accounts[number],
  };
  return {
    port: new Port(
      engineSettings(spec, terms, { random: (below) => random.index(below), policies }),
      names === "handles",
    ),
    farm,
    machines,
    speeds: farm.pools.map(({ groups }) => Float64Array.from(groups, ({ speed }) => speed)),
    policies,
    rows: {
      virtualPool: sites,
      candidates: lists.numbers,
      priority: priorities.numbers,
      owner: columnOf(workload, workload.group, (name) => owners.indexOf(name) + 1),
      requirement,
      licences: licences?.requests ?? null,
      account: accounts?.numbers ?? null,
      heuristic: named.numbers,
      family: settings.packing === null ? null : familyOfRows(workload, settings.packing.families),
    },
    requirements,
    licences: licences?.names ?? [],
    accounts: accounts?.accounts ?? [],
    strategy: spec.strategy,
    routing: settings.routing ?? [...new Set(farm.virtualPools.map(({ routing }) => routing))].join(", "),
  };
}

/** Refuses policies that the farm's limits or reservations would make wrong. */
function refuseBlind(
  { limits = [], reservations = [], pools }: Farm,
  policies: readonly NamedPolicy[],
): void {
  const areRunsLimited = limits.some(
    ({ runningJobs, runningCores }) => runningJobs !== null || runningCores !== null,
  );
  policies.forEach(({ name, kind }, number) => {
    if (kind.heedsLicences !== false) return;
    const isReserved = reservations.some(({ pool }) => pool === number);
    if (areRunsLimited || isReserved)
      throw new InputError(
        `policy ${name} of pool ${pools[number].name} promises jobs when they will start, and does not know of the farm's ${areRunsLimited ? "limits" : "reservations"}; choose another, such as easy, conservative or first-fit`,
      );
  });
}

/** What a run says of a farm, and what the farm says where the run does not. */
function specOf(
  farm: Farm,
  settings: SimulationSettings,
  policies: readonly NamedPolicy[],
  workload: Workload,
  considersGpus: boolean,
): FarmSpec {
  const { preemption, rescheduling } = farm;
  const pools = farm.pools.map((pool, number): PoolSpec => {
    const { shares, usage } = fairShareOf(pool, settings);
    const { kind, name: policy } = policies[number];
    // Under the order-driven clock a job that finds no slot keeps none from others.
    const reserving = settings.clock === "order" ? 0 : (settings.reserving ?? pool.reserving);
    const { packing, examined, leastFree, plainScan } = settings;
    return {
      name: pool.name,
      site: pool.site,
      policy,
      maxJobsList: pool.maxJobsList,
      intervalSeconds:
        settings.intervalSeconds ??
        pool.intervalSeconds ??
        workload.farm?.intervalSeconds ??
        (kind.reactsToEvents ? 0 : CYCLE_SECONDS),
      reserving: finite(reserving),
      shares: workload.project === null ? null : shares,
      ...(usage === undefined ? {} : { usage }),
      ...(pool.licences === undefined ? {} : { licences: pool.licences }),
      ...(pool.gpus === undefined ? {} : { gpuPart: gpuPartOf(pool.gpus) }),
      suspend: preemption.keepsMemory ? "cpu-only" : "full",
      machines: pool.groups.map((group, at) => ({ name: `${pool.name}-${at + 1}`, ...group })),
      considersGpus,
      ...(examined === Infinity ? {} : { examined }),
      leastFree,
      ...(packing === null
        ? {}
        : {
            packing: {
              policy: packing.policy,
              families: packing.families.length,
              ttlSeconds: finite(packing.ttlSeconds),
            },
          }),
      plainScan,
    };
  });
  return {
    seed: settings.seed,
    transferSeconds: farm.transferSeconds,
    pools,
    virtualPools: farm.virtualPools.map(({ routing, hasQueue, ...rest }) => ({
      ...rest,
      routing: settings.routing ?? routing,
      ...(hasQueue ? { hasQueue } : {}),
    })),
    ...(farm.limits === undefined ? {} : { limits: farm.limits }),
    victim: preemption.victim,
    strategy: settings.strategy ?? rescheduling.strategy,
    waitThresholdSeconds: rescheduling.waitThresholdSeconds,
    checkSeconds: rescheduling.checkSeconds,
    maxRestarts: finite(rescheduling.maxRestarts),
    restartPools: rescheduling.candidates,
  };
}

/** JSON has no infinity. */
function finite(value: number): number | null {
  return value === Infinity ? null : value;
}
