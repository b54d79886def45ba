import type { QuantileTable } from "./quantiles.ts";

/**
 * The four NetBatch pools of Shai 2014, as far as the text describes them.
 *
 * The numbers of jobs, users, machines and cores are those of Table 2.1. The shapes of the demand follow sections 2 and
 * 3.2 and Figures 2.1, 2.2, 3.3 and 3.4; where those give a picture and no number, the number is our choice, and tests
 * check it against the text. Machine types are our choice throughout: the text gives none.
 */
export interface NetbatchPool {
  readonly letter: "a" | "b" | "c" | "d";
  readonly jobsPerMonth: number;
  readonly users: number;
  readonly machineTypes: readonly MachineType[];
  /** The load offered to the pool at the original rate. Pool D's log has 0.555; the others' is our guess. */
  readonly load: number;
  /** The number of background campaigns that submit side by side: the more, the steadier the demand. */
  readonly activeCampaigns: number;
  /** The mean number of consecutive jobs of one campaign. */
  readonly meanRun: number;
  /** The cores of a background campaign's jobs, with their parts of the background's jobs. */
  readonly cores: readonly Share[];
  /** Single jobs of more cores strewn in, with their parts of all jobs. */
  readonly strayCores: readonly Share[];
  /** The MiB of a background campaign's jobs, with their parts of the background's jobs. */
  readonly memoryMiB: readonly Share[];
  /** The part of all jobs that arrive during a burst. */
  readonly burstShare: number;
  readonly bursts: readonly Burst[];
}

export type Share = readonly [value: number, share: number];

export interface MachineType {
  readonly count: number;
  readonly cores: number;
  readonly memoryGiB: number;
}

/** Jobs of one user, all alike, that crowd out the others for a while. */
export interface Burst {
  readonly weight: number;
  readonly cores: number;
  readonly memoryMiB: number;
  /** The part of the jobs arriving during the burst that belong to it. */
  readonly dominance: number;
  /** The fewest and the most jobs that arrive during the burst. */
  readonly jobs: readonly [number, number];
}

/** From the audit of pool D's published log. */
const LOAD_OF_D = 0.555;
const MEAN_RUN = 12;

const poolA: NetbatchPool = {
  letter: "a",
  jobsPerMonth: 13_368_191,
  users: 1_104,
  load: LOAD_OF_D,
  machineTypes: [
    { count: 339, cores: 4, memoryGiB: 32 },
    { count: 237, cores: 8, memoryGiB: 32 },
    { count: 237, cores: 8, memoryGiB: 64 },
    { count: 250, cores: 12, memoryGiB: 64 },
    { count: 250, cores: 12, memoryGiB: 96 },
    { count: 300, cores: 16, memoryGiB: 128 },
    { count: 20, cores: 32, memoryGiB: 256 },
  ],
  activeCampaigns: 12,
  meanRun: MEAN_RUN,
  cores: [
    [1, 0.93],
    [2, 0.045],
    [4, 0.02],
    [8, 0.005],
  ],
  strayCores: [],
  memoryMiB: [
    [1024, 0.2],
    [2048, 0.25],
    [4096, 0.26],
    [6144, 0.07],
    [8192, 0.14],
    [16384, 0.05],
    [32768, 0.025],
    [65536, 0.005],
  ],
  burstShare: 0.12,
  // The burstiest pool in both dimensions: averages of buckets above 2 cores and above 20 GB.
  bursts: [
    { weight: 3, cores: 1, memoryMiB: 32768, dominance: 0.85, jobs: [2000, 12000] },
    { weight: 3, cores: 1, memoryMiB: 16384, dominance: 0.85, jobs: [2000, 15000] },
    { weight: 1, cores: 4, memoryMiB: 8192, dominance: 0.5, jobs: [2000, 10000] },
    { weight: 3, cores: 2, memoryMiB: 4096, dominance: 0.8, jobs: [2000, 15000] },
  ],
};

const poolB: NetbatchPool = {
  letter: "b",
  jobsPerMonth: 13_085_800,
  users: 1_615,
  load: LOAD_OF_D,
  machineTypes: [
    { count: 305, cores: 4, memoryGiB: 32 },
    { count: 280, cores: 8, memoryGiB: 32 },
    { count: 880, cores: 8, memoryGiB: 64 },
    { count: 600, cores: 12, memoryGiB: 64 },
    { count: 500, cores: 12, memoryGiB: 96 },
    { count: 500, cores: 16, memoryGiB: 128 },
    { count: 50, cores: 32, memoryGiB: 256 },
  ],
  activeCampaigns: 16,
  meanRun: MEAN_RUN,
  cores: [
    [1, 0.985],
    [2, 0.01],
    [4, 0.005],
  ],
  strayCores: [],
  memoryMiB: [
    [1024, 0.1],
    [2048, 0.14],
    [4096, 0.56],
    [8192, 0.13],
    [16384, 0.05],
    [32768, 0.02],
  ],
  burstShare: 0.18,
  // Sparse bursts of cores, intense bursts of memory, none above 20 GB.
  bursts: [
    { weight: 6, cores: 1, memoryMiB: 16384, dominance: 0.9, jobs: [3000, 20000] },
    { weight: 3, cores: 1, memoryMiB: 24576, dominance: 0.65, jobs: [3000, 12000] },
    { weight: 0.5, cores: 2, memoryMiB: 4096, dominance: 0.7, jobs: [2000, 6000] },
  ],
};

const poolC: NetbatchPool = {
  letter: "c",
  jobsPerMonth: 13_313_793,
  users: 1_146,
  load: LOAD_OF_D,
  machineTypes: [
    { count: 74, cores: 4, memoryGiB: 32 },
    { count: 295, cores: 8, memoryGiB: 64 },
    { count: 600, cores: 12, memoryGiB: 96 },
    { count: 500, cores: 16, memoryGiB: 128 },
    { count: 30, cores: 32, memoryGiB: 256 },
  ],
  // Many bursts at once: the demand for cores is moderate and steady, with bursts of small amplitude.
  activeCampaigns: 40,
  meanRun: MEAN_RUN,
  cores: [
    [1, 0.865],
    [2, 0.11],
    [4, 0.025],
  ],
  strayCores: [],
  memoryMiB: [
    [1024, 0.2],
    [2048, 0.32],
    [4096, 0.28],
    [8192, 0.15],
    [16384, 0.04],
    [32768, 0.01],
  ],
  burstShare: 0.2,
  bursts: [
    { weight: 3, cores: 1, memoryMiB: 8192, dominance: 0.7, jobs: [3000, 15000] },
    { weight: 2, cores: 1, memoryMiB: 12288, dominance: 0.6, jobs: [3000, 15000] },
  ],
};

const poolD: NetbatchPool = {
  letter: "d",
  jobsPerMonth: 9_054_066,
  users: 862,
  load: LOAD_OF_D,
  machineTypes: [
    { count: 91, cores: 4, memoryGiB: 32 },
    { count: 101, cores: 8, memoryGiB: 32 },
    { count: 300, cores: 12, memoryGiB: 64 },
    { count: 300, cores: 12, memoryGiB: 96 },
    { count: 900, cores: 16, memoryGiB: 64 },
    { count: 900, cores: 16, memoryGiB: 128 },
    { count: 100, cores: 32, memoryGiB: 256 },
  ],
  activeCampaigns: 20,
  meanRun: MEAN_RUN,
  cores: [[1, 1]],
  // The audit of the published log: 7,615, 124 and 28 of 9,054,066 jobs.
  strayCores: [
    [2, 7615 / 9_054_066],
    [4, 124 / 9_054_066],
    [8, 28 / 9_054_066],
  ],
  memoryMiB: [
    [512, 0.1],
    [1024, 0.22],
    [2048, 0.27],
    [4096, 0.25],
    [8192, 0.12],
    [16384, 0.03],
    [32768, 0.01],
  ],
  burstShare: 0.16,
  // High demands of memory, with periods of particularly low ones between them.
  bursts: [
    { weight: 3, cores: 1, memoryMiB: 16384, dominance: 0.8, jobs: [2000, 12000] },
    { weight: 1, cores: 1, memoryMiB: 32768, dominance: 0.4, jobs: [2000, 8000] },
    { weight: 4, cores: 1, memoryMiB: 512, dominance: 0.94, jobs: [3000, 15000] },
  ],
};

export const netbatchPools = { a: poolA, b: poolB, c: poolC, d: poolD } as const;

/**
 * Run times of pool D's jobs that ran for a second or more, from the audit of the
 * published log. The points at 98 % and 99.5 % are set so that the top 10 % and the top
 * 1 % of the jobs have the shares of the work that the audit gives, 78 % and 37 %.
 */
export const runtimeSecondsOfD: QuantileTable = [
  [0, 1],
  [0.01, 1],
  [0.05, 3],
  [0.1, 8],
  [0.25, 36],
  [0.5, 486],
  [0.75, 3312],
  [0.9, 14814],
  [0.95, 28595],
  [0.98, 47000],
  [0.99, 93482],
  [0.995, 170000],
  [0.999, 476257],
  [0.9999, 863368],
  [1, 2399482],
];

/** The share of pool D's jobs that ran for less than half a second, logged as 0. */
export const zeroRuntimeShareOfD = 605_118 / 9_054_066;

/** Jobs of one user of pool D in the month; the lowest point is our choice. */
export const jobsPerUserOfD: QuantileTable = [
  [0, 40],
  [0.5, 903],
  [0.9, 15312],
  [0.99, 125614],
  [1, 1670714],
];
