import type { GivenSettings } from "../../../../simulation/index.ts";
import { candidatePools, type CodedColumn, type Farm, type Workload } from "../../../../workload/index.ts";
import type { TwoSites, Variant } from "./chapter.ts";

export function settingsOfVariant(
  { strategy, routing = "round-robin" }: Variant,
  seed: number,
): GivenSettings {
  return { strategy, routing, seed };
}

/** The farm as a variant has it. */
export function farmOfVariant(farm: Farm, variant: Variant): Farm {
  const { viewAgeSeconds, hasQueue, slowdown = 0, restartDelaySeconds = 0, sites } = variant;
  const { checkpointSeconds, waitThresholdSeconds, checkSeconds } = variant;
  const changed: Farm = {
    ...farm,
    pools: farm.pools.map((pool) => ({
      ...pool,
      groups: pool.groups.map((group) => ({ ...group, speed: group.speed / (1 + slowdown) })),
    })),
    virtualPools: farm.virtualPools.map((virtualPool) => ({
      ...virtualPool,
      viewAgeSeconds: viewAgeSeconds ?? virtualPool.viewAgeSeconds,
      hasQueue: hasQueue ?? virtualPool.hasQueue,
    })),
    rescheduling: {
      ...farm.rescheduling,
      checkpointSeconds:
        checkpointSeconds === undefined ? farm.rescheduling.checkpointSeconds : checkpointSeconds,
      waitThresholdSeconds: waitThresholdSeconds ?? farm.rescheduling.waitThresholdSeconds,
      checkSeconds: checkSeconds ?? farm.rescheduling.checkSeconds,
    },
  };
  if (restartDelaySeconds > 0) return withDelays(changed, () => restartDelaySeconds);
  if (sites === undefined) return changed;
  return withDelays(changed, (from, to) => (siteOf(from) === siteOf(to) ? 0 : sites.delaySeconds));
}

/**
 * The farm with a further delay from pool to pool. Each pool is put at a site of its own for that. Virtual pools stay
 * where they are, as far from each pool as before.
 */
function withDelays(farm: Farm, secondsBetween: (from: number, to: number) => number): Farm {
  const { sites, transferSeconds, pools } = farm;
  /** By the new site: the old one, and the pool that is there. */
  const places = [
    ...sites.map((_, site) => ({ site, pool: null })),
    ...pools.map(({ site }, pool) => ({ site, pool })),
  ];
  return {
    ...farm,
    sites: [...sites, ...pools.map(({ name }) => `site of ${name}`)],
    transferSeconds: places.map((from) =>
      places.map((to) => {
        const further =
          from.pool === null || to.pool === null || from === to ? 0 : secondsBetween(from.pool, to.pool);
        return transferSeconds[from.site]![to.site]! + further;
      }),
    ),
    pools: pools.map((pool, number) => ({ ...pool, site: sites.length + number })),
  };
}

/** Pools are at two sites in turn, in the order of the farm. */
function siteOf(pool: number): number {
  return pool % 2;
}

/**
 * The jobs as a variant has them: those that may run in several pools are submitted at two sites in turn, and sent to
 * pools of their own site. They may be restarted in pools of that site, or in all in which they may be now.
 */
export function workloadOfVariant(workload: Workload, farm: Farm, { sites }: Variant): Workload {
  return sites === undefined ? workload : splitBetweenSites(workload, farm, sites);
}

function splitBetweenSites(workload: Workload, farm: Farm, { restarts }: TwoSites): Workload {
  const { count } = workload;
  const sent = codesFor(count);
  const restarted = codesFor(count);
  const numbers = new Map(farm.pools.map(({ name }, number) => [name, number]));
  const atSite = (names: readonly string[], site: number): string =>
    names.filter((name) => siteOf(numbers.get(name)!) === site).join(";");
  const nameAt = (column: CodedColumn | null | undefined, row: number): string =>
    column ? column.names[column.codes[row]!]! : "";
  for (let row = 0; row < count; row++) {
    const entry = nameAt(workload.pools, row);
    const named = candidatePools(entry);
    const pools = named.length > 0 ? named : farm.pools.map(({ name }) => name);
    const again = nameAt(workload.restartPools, row);
    const mayRestart = again === "" ? pools : candidatePools(again);
    const own = atSite(pools, row % 2);
    const isSplit = pools.length > 1 && own !== "";
    sent.set(row, isSplit ? own : entry);
    if (!isSplit) restarted.set(row, again);
    else restarted.set(row, restarts === "own site" ? atSite(mayRestart, row % 2) : mayRestart.join(";"));
  }
  return { ...workload, pools: sent.column, restartPools: restarted.column };
}

function codesFor(count: number): { column: CodedColumn; set: (row: number, name: string) => void } {
  const names: string[] = [];
  const codes = new Int32Array(count);
  const known = new Map<string, number>();
  return {
    column: { codes, names },
    set(row, name) {
      let code = known.get(name);
      if (code === undefined) known.set(name, (code = names.push(name) - 1));
      codes[row] = code;
    },
  };
}
