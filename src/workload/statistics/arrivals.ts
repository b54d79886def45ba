import type { Workload } from "../workload.ts";

/** Arrivals counted in periods of equal length, from the first submission on. */
export interface ArrivalRate {
  readonly periodSeconds: number;
  /** The number of periods from the first submission to the last, including empty ones. */
  readonly periods: number;
  readonly mean: number;
  readonly max: number;
  readonly peakToMean: number;
  /** Variance over mean: 1 if jobs arrive independently of each other, more if they come in bursts. */
  readonly dispersion: number;
}

/** When jobs arrive, by hour of the day and day of the week. */
export interface ArrivalCycle {
  /**
   * Whether hours and days are in UTC; otherwise in the log's own clock, whose second 0 counts as midnight on a Monday.
   */
  readonly utc: boolean;
  /** The parts of all jobs by hour, 24 values. */
  readonly hourOfDay: Float64Array;
  /** The parts of all jobs by day, 7 values, from Monday. */
  readonly dayOfWeek: Float64Array;
}

const secondsPerHour = 3600;
const secondsPerDay = 86_400;
/** 1 January 1970 was a Thursday. */
const weekdayOfEpoch = 3;

export function arrivalRate({ submitSeconds, count }: Workload, periodSeconds: number): ArrivalRate {
  const first = submitSeconds[0] ?? 0;
  const last = submitSeconds[count - 1] ?? 0;
  const periods = count === 0 ? 0 : Math.floor((last - first) / periodSeconds) + 1;
  let max = 0;
  let squares = 0;
  // Rows are in order, so a period's jobs are neighbours. No array of periods is made, as there may be millions.
  for (let row = 0; row < count;) {
    const period = Math.floor((submitSeconds[row]! - first) / periodSeconds);
    const start = row;
    while (row < count && Math.floor((submitSeconds[row]! - first) / periodSeconds) === period) row++;
    const jobs = row - start;
    max = Math.max(max, jobs);
    squares += jobs * jobs;
  }
  const mean = count / periods;
  const variance = squares / periods - mean * mean;
  return { periodSeconds, periods, mean, max, peakToMean: max / mean, dispersion: variance / mean };
}

export function arrivalCycle({ submitSeconds, count, farm }: Workload): ArrivalCycle {
  const unixStart = farm?.unixStartSeconds;
  const hourOfDay = new Float64Array(24);
  const dayOfWeek = new Float64Array(7);
  for (let row = 0; row < count; row++) {
    const clock = submitSeconds[row]! + (unixStart ?? 0);
    const day = Math.floor(clock / secondsPerDay);
    const hour = Math.floor((clock - day * secondsPerDay) / secondsPerHour);
    hourOfDay[hour]!++;
    dayOfWeek[modulo(day + (unixStart === undefined ? 0 : weekdayOfEpoch), 7)]!++;
  }
  const shareOf = (jobs: number): number => jobs / count;
  return {
    utc: unixStart !== undefined,
    hourOfDay: hourOfDay.map(shareOf),
    dayOfWeek: dayOfWeek.map(shareOf),
  };
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
