import type { Farm, MachineGroup, PhysicalPool } from "../../farm/farm.ts";
import { farmDefaults } from "../../farm/defaults.ts";
import type { WeekModel } from "./models.ts";

/**
 * The farm of the synthetic week: 20 pools of machines of differing speed and memory (Zhang 2010, section 3.1). Two are
 * large, and their owners' bursts come there; some are tiny, and their owners keep them full; nobody owns the others.
 */
export interface WeekPool {
  readonly name: string;
  readonly kind: "large" | "general" | "tiny";
  /** The part of the farm's power that it has. */
  readonly share: number;
  /** The business group that paid for it, whose jobs come first; null: no owner. */
  readonly owner: string | null;
  /** A factor for the speed of all its machines. */
  readonly speed: number;
  /** The kinds of machine, with their parts of the pool. */
  readonly machines: readonly MachineKind[];
}

interface MachineKind {
  readonly part: number;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly speed: number;
  readonly os: string;
}

/** Bought over years. Kinds of machine are guesses. */
const mixed: readonly MachineKind[] = [
  { part: 0.2, cores: 2, memoryGiB: 16, speed: 0.9, os: "sles9" },
  { part: 0.3, cores: 2, memoryGiB: 32, speed: 1, os: "sles10" },
  { part: 0.4, cores: 4, memoryGiB: 64, speed: 1.05, os: "sles10" },
  { part: 0.1, cores: 8, memoryGiB: 192, speed: 1.1, os: "sles10" },
];
const alike: readonly MachineKind[] = [{ part: 1, cores: 2, memoryGiB: 32, speed: 1, os: "sles10" }];

export function weekPools(model: WeekModel): WeekPool[] {
  const { largePools, largeShare, tinyPools, tinyShare, generalPools, generalSpread } = model;
  const generalShare = 1 - largeShare - tinyShare;
  // From the largest to the smallest by equal steps.
  const sizes = Array.from(
    { length: generalPools },
    (_, i) => 1 + ((generalSpread - 1) * (generalPools - 1 - i)) / Math.max(1, generalPools - 1),
  );
  const inAll = sizes.reduce((sum, size) => sum + size, 0);
  return [
    ...numbered(largePools, "large", (i) => ({ share: largeShare / largePools, owner: `unit-${i}` })),
    ...numbered(generalPools, "general", (i) => ({
      share: (generalShare * sizes[i - 1]!) / inAll,
      owner: null,
    })),
    ...numbered(tinyPools, "tiny", (i) => ({ share: tinyShare / tinyPools, owner: `team-${i}` })),
  ];
}

function numbered(
  count: number,
  kind: WeekPool["kind"],
  of: (number: number) => Pick<WeekPool, "share" | "owner">,
): WeekPool[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `${kind}-${i + 1}`,
    kind,
    ...of(i + 1),
    // Bought in different years.
    speed: kind === "general" ? 0.9 + 0.05 * ((3 * i) % 5) : 1,
    machines: kind === "tiny" ? alike : mixed,
  }));
}

/**
 * The farm.
 *
 * @param power the work it does in a minute, as cores times speed; each pool has at least one machine of each kind
 */
export function weekFarm(name: string, model: WeekModel, power: number): Farm {
  const pools = weekPools(model).map((pool): PhysicalPool => ({
    name: pool.name,
    site: 0,
    groups: groupsOf(pool, power),
    policy: farmDefaults.policy,
    maxJobsList: [],
    intervalSeconds: 0,
    reserving: 0,
    shares: null,
  }));
  return {
    name,
    sites: ["site"],
    transferSeconds: [[0]],
    pools,
    virtualPools: [
      {
        name: "site",
        site: 0,
        pools: [...pools.keys()],
        routing: farmDefaults.routing,
        viewAgeSeconds: 0,
        hasQueue: model.hasQueue,
      },
    ],
    preemption: { keepsMemory: true, victim: farmDefaults.victim },
    rescheduling: {
      strategy: farmDefaults.strategy,
      waitThresholdSeconds: farmDefaults.waitThresholdSeconds,
      checkSeconds: farmDefaults.checkSeconds,
      maxRestarts: Infinity,
      candidates: null,
      checkpointSeconds: null,
    },
  };
}

function groupsOf({ share, owner, speed, machines }: WeekPool, power: number): MachineGroup[] {
  const powerOfOne = speed * machines.reduce((sum, kind) => sum + kind.part * kind.cores * kind.speed, 0);
  return machines.map((kind): MachineGroup => ({
    count: Math.max(1, Math.round((kind.part * share * power) / powerOfOne)),
    coresMilli: kind.cores * 1000,
    memoryMiB: kind.memoryGiB * 1024,
    gpuMilli: null,
    // In thousandths, so that the file has exactly the value that is simulated.
    speed: Math.round(kind.speed * speed * 1000) / 1000,
    owner,
    attributes: { os: kind.os },
  }));
}
