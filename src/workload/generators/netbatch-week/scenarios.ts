import type { QuantileTable } from "../quantiles.ts";
import type { BurstSettings } from "./bursts.ts";
import type { ProjectSettings } from "./projects.ts";

/**
 * What tells one synthetic trace from another.
 *
 * Calibrated on one row of Zhang 2010, Table 1, NoRes under normal load: 1.14 % of the jobs
 * suspended, completed after 569.8 min of which 31.0 were wasted, and on the utilisation of
 * section 2.3, about 40 % and mostly between 20 and 60. Everything else that
 * comes out of it is a prediction. `netbatch-week.test.ts` checks it.
 */
export interface WeekScenario extends ProjectSettings {
  /** The farm's machines over those listed in `pools.ts`. */
  readonly farm: number;
  readonly bursts: BurstSettings;
  /** Work of high priority in the owned pools outside bursts, over what they can do. */
  readonly quiet: number;
  /** Run times of jobs of high priority over the others': someone waits for them. */
  readonly urgentRuntime: number;
  /** Between two waves of a burst. */
  readonly waveMinutes: number;
}

/** Jobs a week of the published trace (section 3.1), which the farm is made for. */
export const jobsPerWeek = 248_000;

/** Run times of jobs of low priority on a machine of speed 1, in minutes. */
export const runtimeMinutes: QuantileTable = (
  [
    [0, 5],
    [0.1, 60],
    [0.25, 180],
    [0.5, 400],
    [0.75, 720],
    [0.9, 1100],
    [0.97, 1700],
    [0.99, 2400],
    [0.999, 4500],
    [1, 8000],
  ] as const
).map(([u, minutes]) => [u, 1.04 * minutes] as const);

/** Shares of jobs by cores, and by MiB a core. */
export const coresShare = [
  [1, 0.5],
  [2, 0.4],
  [4, 0.1],
] as const;
export const memoryShare = [
  [512, 0.25],
  [1024, 0.4],
  [2048, 0.25],
  [4096, 0.1],
] as const;

/** Shares of jobs by what they require; most require nothing. */
export const requirementShare = [
  ["", 0.8],
  ['os == "sles10"', 0.15],
  ["memory >= 32 GiB", 0.05],
] as const;

export const normalWeek: WeekScenario = {
  farm: 1.02,
  load: 0.45,
  borrowed: 0.125,
  quiet: 0.06,
  urgentRuntime: 0.9,
  waveMinutes: 480,
  bursts: {
    perWeek: 2,
    hours: [
      [0, 12],
      [0.5, 30],
      [1, 60],
    ],
    demand: [0.92, 1],
    where: "owned",
  },
};

/**
 * Section 3.2.1: a trace of which 14 % of the jobs are suspended. The farm is smaller and so
 * busier, and bursts come twice a day, each in all pools but the largest.
 */
export const highSuspensionWeek: WeekScenario = {
  ...normalWeek,
  farm: 0.65,
  urgentRuntime: 1,
  bursts: {
    perWeek: 16,
    hours: [
      [0, 5],
      [0.5, 7.5],
      [1, 10],
    ],
    demand: [0.65, 0.75],
    where: "but the largest",
  },
};

/** Section 2.3: a year, whose bursts last from several hours to a week. */
export const year: WeekScenario = {
  ...normalWeek,
  bursts: {
    perWeek: 2,
    hours: [
      [0, 3],
      [0.5, 9],
      [0.9, 32],
      [1, 168],
    ],
    demand: [0.8, 1],
    where: "owned",
  },
};
