import { InputError } from "../errors.ts";
import type { NetbatchPool, Share } from "./netbatch-pools.ts";

/**
 * What is guessed of a pool: the thesis gives no number for it, and results may depend on it. `croft study buckets
 * --sensitivity` and `croft study load --sensitivity` vary these one by one.
 */
export interface NetbatchModel {
  /** The part of the background's jobs that ask for eight cores. */
  readonly eightCoreShare: number;
  /** By what the memory of the background's jobs is multiplied: 1 is the pool's own table. */
  readonly memoryFactor: number;
  /** The part of all jobs that arrive during a burst. */
  readonly burstShare: number;
  /** The mean number of consecutive jobs of one campaign. */
  readonly meanRun: number;
  /** The campaigns that submit side by side. */
  readonly activeCampaigns: number;
  /** The load offered to the pool at the original rate. */
  readonly load: number;
}

/** The parameters, their limits, and what they are. */
export const netbatchParameters: readonly {
  readonly key: keyof NetbatchModel;
  /** As on the command line. */
  readonly name: string;
  readonly summary: string;
  readonly least: number;
  readonly most: number;
  readonly isWhole?: true;
}[] = [
  {
    key: "eightCoreShare",
    name: "eight-core-share",
    summary: "background jobs of eight cores",
    least: 0,
    most: 0.5,
  },
  {
    key: "memoryFactor",
    name: "memory-factor",
    summary: "memory of the background, times",
    least: 0.05,
    most: 4,
  },
  {
    key: "burstShare",
    name: "burst-share",
    summary: "jobs that arrive during bursts",
    least: 0.01,
    most: 0.9,
  },
  {
    key: "meanRun",
    name: "mean-run",
    summary: "consecutive jobs of one campaign",
    least: 1,
    most: 10_000,
    isWhole: true,
  },
  {
    key: "activeCampaigns",
    name: "active-campaigns",
    summary: "campaigns side by side",
    least: 1,
    most: 10_000,
    isWhole: true,
  },
  { key: "load", name: "load", summary: "load at the log's own pace", least: 0.01, most: 2 },
];

/** The parameters of a pool as it is. */
export function modelOf(pool: NetbatchPool): NetbatchModel {
  const { burstShare, meanRun, activeCampaigns, load } = pool;
  return {
    eightCoreShare: shareOf(pool.cores, EIGHT),
    memoryFactor: 1,
    burstShare,
    meanRun,
    activeCampaigns,
    load,
  };
}

/**
 * The pool with some parameters changed. Jobs of fewer cores keep their proportions among each other.
 *
 * @throws {InputError} where a parameter is outside its limits
 */
export function withModel(pool: NetbatchPool, model: Partial<NetbatchModel>): NetbatchPool {
  for (const { key, name, least, most, isWhole = false } of netbatchParameters) {
    const value = model[key];
    if (value === undefined) continue;
    if (!(value >= least && value <= most) || (isWhole && !Number.isInteger(value))) {
      throw new InputError(
        `${name} must be ${isWhole ? "a whole number" : "a number"} from ${least} to ${most}, not ${value}`,
      );
    }
  }
  const { eightCoreShare, memoryFactor = 1, ...direct } = model;
  return {
    ...pool,
    ...direct,
    cores: eightCoreShare === undefined ? pool.cores : withShare(pool.cores, EIGHT, eightCoreShare),
    memoryMiB:
      memoryFactor === 1
        ? pool.memoryMiB
        : pool.memoryMiB.map(([value, share]): Share => [
            Math.max(1, Math.round(memoryFactor * value)),
            share,
          ]),
  };
}

/** `, memory-factor 0.75`: what differs from the pool's own model. */
export function modelText(model: Partial<NetbatchModel>): string {
  return netbatchParameters
    .filter(({ key }) => model[key] !== undefined)
    .map(({ key, name }) => `, ${name} ${model[key]}`)
    .join("");
}

const EIGHT = 8;

function shareOf(shares: readonly Share[], value: number): number {
  return shares.find(([each]) => each === value)?.[1] ?? 0;
}

/** Sets one value's share; the others' are scaled, so that the sum stays as it was. */
function withShare(shares: readonly Share[], value: number, share: number): Share[] {
  const others = shares.filter(([each]) => each !== value);
  const total = shares.reduce((sum, [, each]) => sum + each, 0);
  const factor = (total - share) / others.reduce((sum, [, each]) => sum + each, 0);
  const scaled = others.map(([each, part]): Share => [each, part * factor]);
  return share === 0 ? scaled : [...scaled, [value, share]];
}
