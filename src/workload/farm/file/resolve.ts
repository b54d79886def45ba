import { farmDefaults } from "../defaults.ts";
import type {
  Farm,
  MachineGroup,
  PhysicalPool,
  PoolHooks,
  PreemptionRule,
  ReschedulingRule,
  UserGroup,
  VirtualPool,
} from "../farm.ts";
import { channelsOf } from "./channels.ts";
import { checked, type FarmChecks } from "./checks.ts";
import type { FarmFile, GroupEntry, Name, PoolEntry } from "./farm-shape.ts";
import { gpusOf, refuseSharedDevices, withGpus } from "./gpus.ts";
import { groupsOf } from "./groups.ts";
import { limitsOf } from "./limits.ts";
import { NameTable } from "./names.ts";
import { reservationsOf } from "./reservations.ts";

/**
 * The farm that a file describes: names are looked up, defaults filled in.
 *
 * @param title the name of the farm if the file gives none
 * @throws InputError if a name is not defined or settings contradict one another
 */
export async function resolveFarm(
  file: FarmFile,
  checks: FarmChecks,
  title: string,
  folder: string,
): Promise<Farm> {
  const name = file.name ?? title;
  const sites = new NameTable("site", file.sites ?? [{ value: name, at: file.at }]);
  const siteOf = (site: Name | null, at: FarmFile["at"]): number => {
    if (site !== null && file.sites === null)
      site.at.refuse("the file lists no sites: add sites, or leave this out");
    if (site !== null) return sites.numberOf(site);
    return sites.list.length === 1 ? 0 : at.refuse("site is missing: the farm has several");
  };

  const poolNames = new NameTable("pool", named(file.pools));
  const pools: PhysicalPool[] = [];
  refuseSharedDevices(file);
  for (const entry of file.pools)
    pools.push(await poolOf(entry, siteOf(entry.site, entry.at), checks, folder));
  const virtualPools = virtualPoolsOf(file, checks, sites, siteOf, poolNames);
  const rescheduling = reschedulingOf(file, checks, poolNames);
  refuseIdle(file, sites, pools, virtualPools, rescheduling.candidates);
  const limits = limitsOf(file.limits);
  return {
    name,
    sites: sites.list,
    transferSeconds: transfersOf(file, sites),
    pools,
    virtualPools,
    preemption: preemptionOf(file, checks),
    rescheduling,
    ...(limits.length === 0 ? {} : { limits }),
    ...(file.reservations === null
      ? {}
      : {
          reservations: reservationsOf(
            file.reservations,
            pools,
            poolNames,
            checks.enginesTellMachines !== true,
          ),
        }),
    ...(file.groups === null || file.groups.size === 0
      ? {}
      : { userGroups: Array.from(file.groups, ([group, entry]) => userGroupOf(group, entry)) }),
    ...(file.notify === null || file.notify.size === 0 ? {} : { channels: channelsOf(file.notify) }),
    ...(file.output === null ? {} : { outputMiB: file.output.most }),
    ...(file.retention === null ? {} : { retentionSeconds: file.retention }),
  };
}

/** A group that says nobody has the members of the Unix group of its name. */
function userGroupOf(
  name: string,
  { users, unixGroups, maxPriority, projects, role }: GroupEntry,
): UserGroup {
  return {
    name,
    users: users ?? [],
    unixGroups: unixGroups ?? (users === null ? [name] : []),
    maxPriority,
    projects: projects ?? [],
    ...(role === null ? {} : { role }),
  };
}

/** An entry's name, with the place of the name. */
function named(entries: readonly { name: string; places: FarmFile["places"] }[]): Name[] {
  return entries.map(({ name, places }) => ({ value: name, at: places.get("name")! }));
}

async function poolOf(
  entry: PoolEntry,
  site: number,
  checks: FarmChecks,
  folder: string,
): Promise<PhysicalPool> {
  const { name, maxJobs, interval, reservations, shares, licences, places } = entry;
  const policy = entry.policy === null ? farmDefaults.policy : checked(entry.policy, checks.policy);
  if (maxJobs !== null && !(checks.triesList?.(policy) ?? policy === "max-jobs")) {
    places.get("maxJobs")!.refuse(`the policy ${policy} tries no list of heuristics, as max-jobs does`);
  }
  const maxJobsList = (maxJobs ?? []).map((heuristic) => checked(heuristic, checks.heuristic));
  if (entry.machines === null && checks.enginesTellMachines !== true)
    entry.at.refuse("machines is missing: only a live farm can ask the pool's engine for them");
  const gpus = gpusOf(entry);
  const groups = withGpus(entry, gpus, await groupsOf(entry, folder, checks));
  if (
    groups.length > 0 &&
    groups.every(({ memoryMiB }) => memoryMiB === null) &&
    checks.needsMemory?.(policy, maxJobsList) === true
  ) {
    places
      .get("policy")!
      .refuse(
        `${policy} decides by memory, but the pool's machines tell none; choose a policy that needs none, such as first-fit`,
      );
  }
  return {
    name,
    site,
    groups,
    ...(entry.engine === null ? {} : { engine: entry.engine }),
    policy,
    maxJobsList,
    intervalSeconds: interval,
    reserving:
      reservations === null || reservations === "all"
        ? Infinity
        : Number(reservations === "none" ? 0 : reservations),
    shares: shares === null ? null : Array.from(shares, ([path, share]) => ({ path, share })),
    ...usageOf(entry, groups),
    ...(licences === null || licences.size === 0
      ? {}
      : { licences: Array.from(licences, ([licence, count]) => ({ name: licence, count })) }),
    ...(gpus === null ? {} : { gpus }),
    ...(entry.hooks === null ? {} : { hooks: hooksOf(entry.hooks) }),
  };
}

function hooksOf({ value, at }: NonNullable<PoolEntry["hooks"]>): PoolHooks {
  const { prolog, epilog, limit: limitSeconds, scratch } = value;
  if (prolog === null && epilog === null && scratch === null)
    at.refuse("this does nothing: give prolog, epilog or scratch");
  return { prolog, epilog, limitSeconds, scratch };
}

/** What fair share counts. Settings without effect are refused, and memory where the machines tell none. */
function usageOf(
  { shares, fairShare, halfLife, fairShareOf, places }: PoolEntry,
  groups: readonly MachineGroup[],
): Pick<PhysicalPool, "usage"> {
  if (fairShare !== null && shares === null)
    fairShare.at.refuse("the pool has no shares: add shares, {} where all projects have the same");
  if (fairShare?.value !== "usage") {
    for (const name of ["halfLife", "fairShareOf"] as const)
      places.get(name)?.refuse("it is for fairShare: usage");
    return {};
  }
  const of = fairShareOf?.value ?? "cores";
  if (of === "memory" && groups.length > 0 && groups.every(({ memoryMiB }) => memoryMiB === null))
    fairShareOf!.at.refuse("the pool's machines tell no memory to share");
  return {
    usage: {
      halfLifeSeconds: halfLife ?? farmDefaults.halfLifeSeconds,
      of: of as NonNullable<PhysicalPool["usage"]>["of"],
    },
  };
}

function virtualPoolsOf(
  { virtualPools }: FarmFile,
  checks: FarmChecks,
  sites: NameTable,
  siteOf: (site: Name | null, at: FarmFile["at"]) => number,
  pools: NameTable,
): VirtualPool[] {
  const all = [...pools.list.keys()];
  if (virtualPools === null) {
    return sites.list.map((name, site) => ({
      name,
      site,
      pools: all,
      routing: farmDefaults.routing,
      viewAgeSeconds: 0,
      hasQueue: false,
    }));
  }
  // Only to find names that are listed twice.
  void new NameTable("virtual pool", named(virtualPools));
  return virtualPools.map((entry) => {
    return {
      name: entry.name,
      site: siteOf(entry.site, entry.at),
      pools: entry.pools === null ? all : poolsOf(entry.pools, pools),
      routing: entry.routing === null ? farmDefaults.routing : checked(entry.routing, checks.routing),
      viewAgeSeconds: entry.viewAge,
      hasQueue: entry.queue,
    };
  });
}

/** A list of pools by name, each once. */
function poolsOf(list: readonly Name[], pools: NameTable): number[] {
  const numbers = list.map((pool) => pools.numberOf(pool));
  list.forEach(({ value, at }, place) => {
    if (numbers.indexOf(numbers[place]!) < place) at.refuse(`"${value}" stands in this list twice`);
  });
  return numbers;
}

/** A site without a pool, and a pool that no virtual pool reaches, are mistakes. */
function refuseIdle(
  file: FarmFile,
  sites: NameTable,
  pools: readonly PhysicalPool[],
  virtualPools: readonly VirtualPool[],
  restarts: readonly number[] | null,
): void {
  const used = new Set([...pools, ...virtualPools].map(({ site }) => site));
  file.sites?.forEach(({ at }, site) => {
    if (!used.has(site)) at.refuse(`site "${sites.list[site]}" has neither a pool nor a virtual pool`);
  });
  const reached = new Set([...virtualPools.flatMap(({ pools }) => pools), ...(restarts ?? [])]);
  file.pools.forEach(({ at }, pool) => {
    if (!reached.has(pool)) at.refuse(`pool "${pools[pool]!.name}": no virtual pool is connected to it`);
  });
}

/** A delay that is listed holds in both directions, unless the way back is listed too. */
function transfersOf({ transfers, transferDelay, places }: FarmFile, sites: NameTable): number[][] {
  if (sites.list.length === 1) {
    places.get("transferDelay")?.refuse("the farm has one site: there is nowhere to transfer to");
    places.get("transfers")?.refuse("the farm has one site: there is nowhere to transfer to");
  }
  const delays = sites.list.map((_, from) =>
    sites.list.map((_, to) => (from === to ? 0 : (transferDelay ?? 0))),
  );
  const listed = new Set<string>();
  const ways = (transfers ?? []).map(({ from, to, delay, at }) => {
    const way = { from: sites.numberOf(from), to: sites.numberOf(to), delay };
    if (way.from === way.to) to.at.refuse("a transfer goes from one site to another");
    const key = `${way.from} ${way.to}`;
    if (listed.has(key)) at.refuse(`the delay from "${from.value}" to "${to.value}" stands here twice`);
    listed.add(key);
    return way;
  });
  for (const { from, to, delay } of ways) {
    delays[from]![to] = delay;
    if (!listed.has(`${to} ${from}`)) delays[to]![from] = delay;
  }
  return delays;
}

function preemptionOf({ preemption }: FarmFile, checks: FarmChecks): PreemptionRule {
  const victim = preemption?.victim ?? null;
  if (victim?.value === "none") {
    preemption?.places.get("keepsMemory")?.refuse("no job is suspended under victim: none");
    return { keepsMemory: true, victim: null };
  }
  return {
    keepsMemory: preemption?.keepsMemory ?? true,
    victim: victim === null ? farmDefaults.victim : checked(victim, checks.victim),
  };
}

function reschedulingOf({ rescheduling }: FarmFile, checks: FarmChecks, pools: NameTable): ReschedulingRule {
  const { strategy = null, waitThreshold = null, check = null } = rescheduling ?? {};
  const checkpoint = rescheduling?.checkpoint ?? null;
  return {
    strategy: strategy === null ? farmDefaults.strategy : checked(strategy, checks.strategy),
    waitThresholdSeconds: waitThreshold ?? farmDefaults.waitThresholdSeconds,
    checkSeconds: check ?? farmDefaults.checkSeconds,
    maxRestarts: rescheduling?.maxRestarts ?? Infinity,
    candidates: rescheduling?.candidates == null ? null : poolsOf(rescheduling.candidates, pools),
    checkpointSeconds: checkpoint,
  };
}
