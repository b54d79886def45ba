import {
  findPolicy,
  heuristics,
  NONE,
  routings,
  shareTree,
  strategies,
  victimRules,
  type EngineSettings,
  type LicenceCount,
  type Limit,
  type PoolManagerSettings,
  type SuspendCapability,
} from "../index.ts";
import type { PlainRequest } from "./events.ts";

/** Random numbers from a seed. The whole state is one number. */
export class Draws {
  state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A whole number from 0 to below the argument (Mulberry32, public domain). */
  below(n: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * n);
  }

  chance(part: number): boolean {
    return this.below(1_000_000) < part * 1_000_000;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }
}

/** An engine's settings, without the generator, and what its jobs ask for. */
export interface AnyEngine {
  readonly describe: string;
  /**
   * New settings, whose moves draw from `random`.
   *
   * @param suspend by pool, in place of what is drawn
   */
  settings(random: (below: number) => number, suspend?: readonly SuspendCapability[]): EngineSettings;
  request(draws: Draws): PlainRequest;
}

const policyNames = [
  "first-fit",
  "first-fit",
  "mix-fit",
  "worse-fit-cores",
  "max-jobs",
  "max-wait",
  "lookahead",
  "fcfs",
  "easy",
  "easy-sjbf",
  "conservative",
  "backfill:2",
];
const suspendCapabilities = ["full", "cpu-only", "none"] as const;
const named = heuristics.slice(0, 2);
const projects = ["/a/x", "/a/y", "/b"];
/** What jobs ask for of two licences, by the number in their request. */
const licenceRequests: readonly (readonly LicenceCount[])[] = [
  [],
  [{ licence: 0, count: 1 }],
  [{ licence: 0, count: 2 }],
  [
    { licence: 0, count: 1 },
    { licence: 1, count: 1 },
  ],
];

/** What the suspended jobs of up to three pools may keep. */
export function anySuspend(seed: number): SuspendCapability[] {
  const draws = new Draws(seed ^ 0x4e10ad);
  return [0, 1, 2].map(() => draws.of(suspendCapabilities));
}

/** A small farm: a few pools of a few machines, so that every combination is met. */
export function anyEngine(seed: number): AnyEngine {
  const draws = new Draws(seed);
  const priorities = draws.of([1, 2, 3, 3]);
  const isPacked = draws.chance(0.2);
  const hasRequirements = draws.chance(0.4);
  const hasGpu = draws.chance(0.2);
  const keepsPreempting = draws.chance(0.85);
  const sites = draws.of([1, 1, 2]);
  const way = draws.of([5, 40]);
  const poolCount = draws.of([1, 1, 2, 3]);
  const pools = Array.from({ length: poolCount }, () => {
    const groupCount = draws.of([1, 2]);
    const groupOf = Int32Array.from({ length: draws.of([1, 2, 3, 4]) }, (_, machine) => machine % groupCount);
    const sizes = Array.from({ length: groupCount }, () => ({
      cores: draws.of([0, 2000, 2000, 4000, 4000]),
      memory: draws.of([512, 1024]),
      gpu: draws.of([0, 2000]),
    }));
    const policy = draws.of(policyNames);
    return {
      groupOf,
      groupCount,
      sizes,
      policy,
      intervalSeconds: draws.of([0, 0, 7, 30]),
      suspend: draws.of(suspendCapabilities),
      ownerOf: Int32Array.from({ length: groupCount }, () => draws.of([0, 0, 1])),
      site: draws.below(sites),
      isShared: !isPacked && draws.chance(0.4),
      usage: draws.of([undefined, "cores", "memory", "dominant"] as const),
      halfLifeSeconds: draws.of([20, 600]),
      reserving: draws.of([Infinity, 0, 1]),
      examined: draws.of([Infinity, Infinity, 3]),
      packing: {
        policy: draws.of(["relaxed", "exclusive", "exclusive", "none"] as const),
        ttlSeconds: draws.of([0, 50, Infinity]),
      },
    };
  });
  const strategy = draws.of(strategies);
  const routing = draws.of(routings);
  const viewAgeSeconds = draws.of([0, 0, 20]);
  const hasQueue = draws.chance(0.4);
  const victimRule = keepsPreempting ? draws.of(victimRules) : null;
  const maxRestarts = draws.of([Infinity, 2, 0]);
  const retrySeconds = draws.of([1, 60]);
  const waitThresholdSeconds = draws.of([10, 60]);
  const hasLicences = draws.chance(0.35);
  const licences = pools.map(({ policy }) =>
    findPolicy(policy)!.kind.heedsLicences === false
      ? Int32Array.of(0, 0)
      : Int32Array.of(draws.of([1, 2, 5]), draws.of([0, 1, 3])),
  );

  const hasLimits =
    pools.every(({ policy }) => findPolicy(policy)!.kind.heedsLicences !== false) && draws.chance(0.3);
  const [mostJobs, mostCores] = [draws.of([1, 2, 4]), draws.of([2000, 4000])];
  /** By account: the first counts with the second in jobs, and that one with the third in cores. */
  const jobLimit: Limit = { counted: 0, jobs: mostJobs, cores: Infinity };
  const coreLimit: Limit = { counted: 1, jobs: Infinity, cores: mostCores };
  const limits = [[], [jobLimit], [jobLimit, coreLimit], [coreLimit]];

  const hasBookings =
    pools.every(({ policy }) => findPolicy(policy)!.kind.heedsLicences !== false) && draws.chance(0.3);

  // Some users ask for thousands of years, or for no end.
  const estimates = draws.chance(0.15) ? [1, 60, 1e15, 1.15e12, Infinity] : [1, 10, 60, 100, 333];

  const poolSettings = (pool: (typeof pools)[number], number: number): PoolManagerSettings => {
    const { kind, heuristic } = findPolicy(pool.policy)!;
    const column = (of: (size: (typeof pool.sizes)[number]) => number): Int32Array =>
      Int32Array.from(pool.groupOf, (group) => of(pool.sizes[group]));
    return {
      capacities: {
        coresMilli: column(({ cores }) => cores),
        memoryMiB: column(({ memory }) => memory),
        gpuMilli: hasGpu ? column(({ gpu }) => gpu) : null,
        groupOf: pool.groupOf,
      },
      policy: kind,
      heuristic,
      named,
      reserving: pool.reserving,
      examined: pool.examined,
      ...(isPacked ? { packing: { ...pool.packing, families: 2 } } : {}),
      ...(pool.isShared ? { shares: shareTree(projects, [{ path: "/a", share: 2 }]) } : {}),
      ...(pool.usage === undefined
        ? {}
        : { usage: { of: pool.usage, halfLifeSeconds: pool.halfLifeSeconds } }),
      site: pool.site,
      groups: {
        count: pool.groupCount,
        // Requirement 1 is met by even groups, 2 by odd ones, 3 by all.
        meets: (requirement, group) => requirement === 3 || (requirement - 1) % 2 === group % 2,
        ownerOf: pool.ownerOf,
        speedOf: new Float64Array(pool.groupCount).fill(1),
      },
      intervalSeconds: pool.intervalSeconds,
      suspend: pool.suspend,
      // Nobody is of the people 0.
      ...(hasBookings
        ? {
            bookings: {
              admits: (people: number, account: number) => people > 0 && people === account,
              lateSeconds: [0, 0.5][number % 2],
            },
          }
        : {}),
      ...(hasLicences
        ? { licences: { counts: licences[number], asks: (request) => licenceRequests[request] } }
        : {}),
    };
  };

  return {
    describe: `${pools.map(({ policy, intervalSeconds, suspend, groupOf }) => `${policy}/${intervalSeconds}s/${suspend}/${groupOf.length} machines`).join(", ")}; ${strategy.name}, ${routing.name}, ${priorities} priorities, victims ${victimRule?.name ?? "never"}${isPacked ? ", packed" : ""}${hasLicences ? `, licences ${licences.map((counts) => counts.join("+")).join(" ")}` : ""}${hasLimits ? `, at most ${mostJobs} jobs and ${mostCores} thousandths of cores` : ""}${hasBookings ? ", booked" : ""}`,
    settings: (random, suspend) => ({
      pools: pools.map((pool, number) =>
        poolSettings({ ...pool, suspend: suspend?.[number] ?? pool.suspend }, number),
      ),
      virtualPools: Array.from({ length: sites }, (_, site) => ({
        site,
        pools: pools.map((__, number) => number),
        routing,
        viewAgeSeconds,
        hasQueue,
      })),
      transferSeconds: Array.from({ length: sites }, (_, from) =>
        Array.from({ length: sites }, (__, to) => (from === to ? 0 : way)),
      ),
      candidateLists: [
        { pools: null, restartPools: null },
        { pools: [0], restartPools: null },
        { pools: null, restartPools: [pools.length - 1] },
        { pools: [0], restartPools: pools.map((_, number) => number) },
      ],
      priorities,
      victimRule,
      strategy,
      waitThresholdSeconds,
      rebalanceSeconds: 15,
      maxRestarts,
      random,
      faults: { retrySeconds, maxStartFailures: 3 },
      ...(hasLimits ? { limits: { of: (account) => limits[account] } } : {}),
    }),
    request: (draw) => ({
      cores: draw.of([500, 1000, 1000, 2000]),
      memory: draw.of([0, 128, 256, 512]),
      gpu: hasGpu ? draw.of([0, 0, 1000]) : 0,
      tasks: draw.of([1, 1, 1, 2, 4]),
      project: draw.below(projects.length),
      ...(isPacked ? { family: draw.below(3) } : {}),
      heuristic: draw.of([NONE, NONE, NONE, 0, 1]),
      estimateSeconds: draw.of(estimates),
      ...(hasRequirements ? { requirement: draw.below(4) } : {}),
      ...(hasLicences ? { licences: draw.of([0, 0, 1, 2, 3]) } : {}),
      owner: draw.of([0, 0, 1, 2]),
      virtualPool: draw.below(sites),
      candidates: draw.of([0, 0, 0, 1, 2, 3]),
      priority: draw.below(priorities),
      retries: draw.of([0, 1, 5]),
      ...(hasLimits || hasBookings ? { account: draw.below(4) } : {}),
    }),
  };
}
