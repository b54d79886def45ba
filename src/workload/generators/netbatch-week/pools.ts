import type { Farm, MachineGroup, PhysicalPool } from "../../farm/farm.ts";
import { farmDefaults } from "../../farm/defaults.ts";

/**
 * The farm of the synthetic week: 20 pools of hundreds to ten thousand machines of differing
 * speed and memory, as Zhang 2010, section 3.1, describes the one of its trace. How
 * many machines of which size each pool has is our choice.
 */

export interface WeekPool {
  readonly name: string;
  readonly machines: number;
  /** The business group that paid for it: its bursts are confined to its pools; null: everybody's. */
  readonly owner: string | null;
  /** A factor of all its machines' speed. */
  readonly speed: number;
  /** Kinds of machine, by their part of the pool. */
  readonly kinds: readonly MachineKind[];
}

interface MachineKind {
  readonly part: number;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly speed: number;
  readonly os: string;
}

/** Old, many, and alike. */
const old: readonly MachineKind[] = [
  { part: 0.7, cores: 2, memoryGiB: 16, speed: 0.9, os: "sles9" },
  { part: 0.3, cores: 2, memoryGiB: 32, speed: 1, os: "sles10" },
];
const mixed: readonly MachineKind[] = [
  { part: 0.2, cores: 2, memoryGiB: 16, speed: 0.9, os: "sles9" },
  { part: 0.3, cores: 2, memoryGiB: 32, speed: 1, os: "sles10" },
  { part: 0.4, cores: 4, memoryGiB: 64, speed: 1.1, os: "sles10" },
  { part: 0.1, cores: 8, memoryGiB: 192, speed: 1.2, os: "sles10" },
];

/** Machines of the pools that anyone may use, and of those that the group `cpu` paid for. */
const generalSizes = [10_000, 1100, 950, 800, 700, 600, 520, 450, 390, 340, 270, 200];
const ownedSizes = [700, 450, 300, 220, 160, 120, 100, 100];

export const weekPools: readonly WeekPool[] = [
  ...generalSizes.map((machines, i) => ({
    name: `general-${String(i + 1).padStart(2, "0")}`,
    machines,
    owner: null,
    // Bought in different years.
    speed: i === 0 ? 1 : 0.9 + 0.05 * ((i * 3) % 5),
    kinds: i === 0 ? old : mixed,
  })),
  ...ownedSizes.map((machines, i) => ({
    name: `cpu-${String(i + 1).padStart(2, "0")}`,
    machines,
    owner: "cpu",
    speed: 1.1,
    kinds: mixed,
  })),
];

/** Numbers of the pools that nobody owns, from the largest, and of those that groups own. */
export const generalPools: readonly number[] = numbersWhere((pool) => pool.owner === null);
export const ownedPools: readonly number[] = numbersWhere((pool) => pool.owner !== null);

function numbersWhere(matches: (pool: WeekPool) => boolean): number[] {
  return [...weekPools.keys()].filter((pool) => matches(weekPools[pool]!));
}

/** How much work a minute a pool can do: cores times speed, on a farm of full size. */
export function powerOf(pool: WeekPool): number {
  return (
    pool.kinds.reduce((sum, { part, cores, speed }) => sum + part * cores * speed, 0) *
    pool.machines *
    pool.speed
  );
}

/**
 * The farm.
 *
 * @param scale the part of each pool's machines that there are; at least one of each kind
 */
export function weekFarm(name: string, scale: number): Farm {
  const pools = weekPools.map((pool): PhysicalPool => ({
    name: pool.name,
    site: 0,
    groups: pool.kinds.map(({ part, cores, memoryGiB, speed, os }): MachineGroup => ({
      count: Math.max(1, Math.round(scale * part * pool.machines)),
      coresMilli: cores * 1000,
      memoryMiB: memoryGiB * 1024,
      gpuMilli: null,
      // Thousandths, so that the file says what is simulated.
      speed: Math.round(speed * pool.speed * 1000) / 1000,
      owner: pool.owner,
      attributes: { os },
    })),
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
      },
    ],
    preemption: { keepsMemory: true, victim: farmDefaults.victim },
    rescheduling: {
      strategy: farmDefaults.strategy,
      waitThresholdSeconds: farmDefaults.waitThresholdSeconds,
      checkSeconds: farmDefaults.checkSeconds,
      maxRestarts: Infinity,
      checkpointSeconds: null,
    },
  };
}
