import type { QuantileTable } from "../quantiles.ts";

/**
 * The parameters of the synthetic weeks. Each says where it comes from:
 *
 * - _said_: a statement of Zhang 2010, in the section named;
 * - _calibrated_: set so that the figures of Table 1 (normal load) and Table 2 (high load) come out as nearly as they do;
 * - _guess_: neither.
 *
 * No parameter is there to meet Tables 3 to 5 or Figures 2 and 4, but their runs were looked at while these were chosen.
 */
export interface WeekModel {
  /** The work that jobs bring, relative to what the farm can do while they are submitted. */
  readonly load: number;
  /** The pools where owners' bursts come, and their part of the farm. */
  readonly largePools: number;
  readonly largeShare: number;
  readonly bursts: BurstSettings;
  /** Pools that their owners keep full; jobs of low priority come here only by a restart. */
  readonly tinyPools: number;
  readonly tinyShare: number;
  readonly tiny: OwnerDemand;
  /** The other pools, all different in size: the largest is so many times the smallest. */
  readonly generalPools: number;
  readonly generalSpread: number;
  /** Whether low-priority jobs wait at their virtual pool while no pool has room, instead of in the next pool. */
  readonly hasQueue: boolean;
  /** The part of the low-priority jobs that can run in one pool only. */
  readonly pinnedShare: number;
  /** The run times of low-priority jobs on a machine of speed 1, in minutes. */
  readonly runtimeMinutes: QuantileTable;
}

/** Jobs of high priority that an owner sends to a pool: so many at once, then a steady stream. */
export interface OwnerDemand {
  /** The jobs that come at once, relative to what the pool can run at a time. */
  readonly fill: number;
  /** The work that comes then, relative to what the pool can do in the time. */
  readonly stream: number;
  readonly runtimeMinutes: QuantileTable;
}

export interface BurstSettings extends OwnerDemand {
  /** In each of the large pools. */
  readonly perWeek: number;
  /** Their lengths in hours, by quantile. */
  readonly hours: QuantileTable;
}

/** The jobs in a week of the published trace. Said (section 3.1). */
export const jobsPerWeek = 248_000;

/** The parts of jobs by cores, and by MiB per core. Guesses. */
export const coresShare = [
  [1, 0.93],
  [2, 0.05],
  [4, 0.02],
] as const;
export const memoryShare = [
  [512, 0.25],
  [1024, 0.4],
  [2048, 0.25],
  [4096, 0.1],
] as const;

/** The parts of jobs by requirement; most have none. Guesses. */
export const requirementShare = [
  ["", 0.8],
  ['os == "sles10"', 0.15],
  ["memory >= 32 GiB", 0.05],
] as const;

/**
 * Calibrated: the mean, and a tail of days. Under NoRes and high load suspended jobs are not suspended for 5846 − 4402
 * = 1444 min: jobs that run for long are met more often, and that is 2.7 times the mean.
 */
const runtimeMinutes: QuantileTable = [
  [0, 2],
  [0.1, 24],
  [0.25, 85],
  [0.5, 240],
  [0.75, 540],
  [0.9, 980],
  [0.97, 1700],
  [0.99, 2600],
  [0.999, 5200],
  [1, 10_000],
];

/** A burst's jobs are more alike. A guess; with a wider range the pool would be half empty after the first hours. */
const burstRuntimeMinutes: QuantileTable = [
  [0, 60],
  [0.1, 150],
  [0.5, 380],
  [0.9, 900],
  [1, 2400],
];

export const normalWeek: WeekModel = {
  // Said: about 40 % over the year (section 2.3), in a busy week more. Calibrated: AvgCT of all jobs in Table 2.
  load: 0.46,
  // Said: some sets of pools have the bursts (section 2.3), larger pools among them (3.2.2). Calibrated: suspend rates.
  largePools: 2,
  largeShare: 0.3,
  bursts: {
    // Said: the week has a typical burst (section 3.1). One in each pool.
    perWeek: 1,
    // Calibrated: AvgST of NoRes, 1189 min on the whole farm and 4402 on half of it.
    hours: [
      [0, 26],
      [1, 30],
    ],
    // Calibrated: the pool is full at once. Then it is nearly full, so that others start in between and are suspended;
    // without ResSusUtil suspended jobs are there to go on instead (1.56 % against 1.14 %).
    fill: 1,
    stream: 0.93,
    runtimeMinutes: burstRuntimeMinutes,
  },
  // Calibrated: ResSusRand adds 5000 to 6300 min to ResSusUtil's suspended jobs, while all jobs wait for 17 min under
  // NoRes. So there are full pools that restarts come to and new jobs do not. With these there are 20 (section 3.1).
  tinyPools: 9,
  tinyShare: 0.04,
  tiny: {
    fill: 1,
    stream: 0.9,
    // Said: some jobs are there for more than 100,000 min (section 2.2). Calibrated: ResSusRand in Table 1.
    runtimeMinutes: [
      [0, 2000],
      [0.5, 8000],
      [1, 30_000],
    ],
  },
  // Guesses. Round-robin sends each as many jobs: with a wider range the smallest would be overloaded on half the cores.
  generalPools: 9,
  generalSpread: 1.2,
  // Said: jobs are queued at once, and sent "according to resource availability" (section 2.1). Calibrated as well: in
  // Table 1 all jobs wait for 17 min on average, so those of low priority are not stuck in full pools.
  hasQueue: true,
  pinnedShare: 0,
  runtimeMinutes,
};

/**
 * Section 3.2.1: a trace in which 14 % of the jobs are suspended. How it was made is not said. Here a busier farm has
 * bursts most of the time in most of its pools, which was set by that share; about 10 % is what it came to.
 */
export const highSuspensionWeek: WeekModel = {
  ...normalWeek,
  load: 0.68,
  largePools: 8,
  largeShare: 0.58,
  generalPools: 3,
  bursts: {
    ...normalWeek.bursts,
    perWeek: 4,
    hours: [
      [0, 17],
      [1, 19],
    ],
    fill: 0.85,
    stream: 0.8,
  },
};

/** Section 2.3: a year on a farm that is used at about 40 %, whose bursts last from several hours to a week. */
export const year: WeekModel = {
  ...normalWeek,
  load: 0.4,
  bursts: {
    ...normalWeek.bursts,
    // Between the ends it is a guess.
    hours: [
      [0, 3],
      [0.5, 9],
      [0.9, 32],
      [1, 168],
    ],
  },
};
