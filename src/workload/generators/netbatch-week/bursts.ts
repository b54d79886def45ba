import { LogQuantiles } from "../quantiles.ts";
import type { Random } from "../../random.ts";
import type { BurstSettings } from "./models.ts";

/** A time in which an owner's jobs arrive. */
export interface Burst {
  readonly startMinute: number;
  readonly minutes: number;
}

export const minutesPerWeek = 10_080;

/**
 * The bursts of a pool in some weeks, spread evenly over the time and over the range of lengths: another seed gives
 * other bursts, and a similar week.
 */
export function drawBursts(settings: BurstSettings, weeks: number, late: number, random: Random): Burst[] {
  const hours = new LogQuantiles(settings.hours);
  const count = burstsIn(settings, weeks);
  const gap = (weeks * minutesPerWeek) / count;
  const ranks = shuffled([...Array(count).keys()], random);
  return ranks.map((rank, i) => ({
    minutes: 60 * hours.at((rank + 0.4 + 0.2 * random.unit()) / count),
    startMinute: (i + late + 0.04 * random.unit()) * gap,
  }));
}

/** The number of bursts in a pool. */
export function burstsIn({ perWeek }: BurstSettings, weeks: number): number {
  return Math.max(1, Math.round(perWeek * weeks));
}

function shuffled<T>(items: T[], random: Random): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const other = random.index(i + 1);
    [items[i], items[other]] = [items[other]!, items[i]!];
  }
  return items;
}
