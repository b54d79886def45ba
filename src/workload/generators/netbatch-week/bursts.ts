import { LogQuantiles, type QuantileTable } from "../quantiles.ts";
import type { Random } from "../random.ts";
import { generalPools, ownedPools } from "./pools.ts";

/** A time in which jobs of high priority come, wave after wave, for some of the pools. */
export interface Burst {
  readonly startMinute: number;
  readonly minutes: number;
  /** Numbers of pools. */
  readonly pools: readonly number[];
  /** The work it brings over what its pools can do meanwhile. */
  readonly demand: number;
}

/** What the bursts of a scenario are like. */
export interface BurstSettings {
  readonly perWeek: number;
  /** Hours they last, by quantile: several hours to a week (Zhang 2010, section 2.3). */
  readonly hours: QuantileTable;
  readonly demand: readonly [least: number, most: number];
  /** Where: in the owned pools, or in all but the largest. */
  readonly where: "owned" | "but the largest";
}

const minutesPerWeek = 10_080;

/**
 * The bursts of some weeks, spread evenly over the time and over their durations: another
 * seed gives other bursts, and a week much like it.
 */
export function drawBursts(settings: BurstSettings, weeks: number, random: Random): Burst[] {
  const { perWeek, where } = settings;
  const hours = new LogQuantiles(settings.hours);
  const count = Math.max(1, Math.round(perWeek * weeks));
  const gap = (weeks * minutesPerWeek) / count;
  const [low, high] = settings.demand;
  const pools = where === "owned" ? ownedPools : [...generalPools.slice(1), ...ownedPools];
  const ranks = shuffled([...Array(count).keys()], random);
  return ranks.map((rank, i) => ({
    minutes: 60 * hours.at((rank + 0.4 + 0.2 * random.unit()) / count),
    startMinute: (i + 0.3 + 0.1 * random.unit()) * gap,
    pools,
    demand: low + (high - low) * random.unit(),
  }));
}

function shuffled<T>(items: T[], random: Random): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const other = random.index(i + 1);
    [items[i], items[other]] = [items[other]!, items[i]!];
  }
  return items;
}
