import { InputError } from "../errors.ts";
import type { Machines } from "../machines/machines.ts";
import type { Workload } from "../workload.ts";
import { jobsPerMinute } from "./arrivals.ts";
import {
  jobsPerUserOfD,
  netbatchPools,
  runtimeSecondsOfD,
  zeroRuntimeShareOfD,
  type NetbatchPool,
  type Share,
} from "./netbatch-pools.ts";
import { LogQuantiles } from "./quantiles.ts";
import { Balanced, Random, Weighted } from "./random.ts";

/*
 * A stand-in for the logs of the NetBatch pools (Shai 2014), which may not be passed on.
 *
 * Jobs come in campaigns: one user submits many like jobs, of one project, one demand of
 * cores and memory and similar run times. A few campaigns submit side by side, in runs
 * of consecutive jobs; now and then one, a burst, crowds out the others. That is what makes
 * the averages of 1,000 consecutive jobs burst as in Figures 3.3 and 3.4, and what
 * tells matching heuristics apart: independent jobs would look alike to all of them.
 */

export type PoolLetter = keyof typeof netbatchPools;

export interface NetbatchOptions {
  /** How many jobs, from the month's beginning at the month's rate; by default the pool's month. */
  readonly jobs?: number;
  /** A whole number; the same seed gives the same workload on every machine. */
  readonly seed?: number;
}

/** Jobs beyond this many are refused: their columns would take over 6 GB. */
const maxJobs = 200_000_000;
/** When the month of the original logs begins: Thursday, 1 November 2012, UTC. */
const startOfNovember2012 = 1_351_728_000;
const daysPerMonth = 30;
const secondsPerDay = 86_400;
/** The load that the pool is offered at the original rate; pool D's log has 0.555. */
const offeredLoad = 0.555;
/** Mean jobs in a run of consecutive jobs of one campaign. */
const meanRun = 12;
const largestCampaign = 20_000;
/** Campaigns of long jobs are small: nobody submits ten thousand jobs of a day each. */
const largestLongCampaign = 500;
/**
 * Run times fall in 20 equal strata of the distribution. A job falls in its campaign's with
 * this probability, else anywhere: user and executable explain 0.71, about its square,
 * of the variance of the log of pool D's run times.
 */
const runtimeStrata = 20;
const longStrata = 2;
const inStratum = 0.85;
/** One campaign in this many is a user's handful of jobs; users take turns, so that all submit. */
const casualEvery = 6;

const projects = ["core", "graphics", "chipset", "mobile", "tools"].flatMap((unit) =>
  ["rtl", "verification", "layout", "timing"].map((project) => `/${unit}/${project}`),
);

/** Campaign sizes over the square root of their user's jobs. */
const campaignSize = new LogQuantiles([
  [0, 0.05],
  [0.5, 1.5],
  [0.9, 10],
  [1, 40],
]);

interface Campaign {
  readonly user: number;
  readonly coresMilli: number;
  readonly memoryMiB: number;
  readonly stratum: number;
  left: number;
}

/** A month of the pool's jobs, or as many as asked. Synthetic, and says so. */
export function generateNetbatch(letter: PoolLetter, options: NetbatchOptions = {}): Workload {
  const pool: NetbatchPool = netbatchPools[letter];
  const { jobs: count = pool.jobsPerMonth, seed = 1 } = options;
  if (!(Number.isInteger(count) && count >= 1 && count <= maxJobs)) {
    throw new InputError(`jobs must be a whole number from 1 to ${maxJobs}, not ${count}`);
  }
  if (!Number.isInteger(seed)) throw new InputError(`the seed must be a whole number, not ${seed}`);

  const submitSeconds = new Float64Array(new SharedArrayBuffer(count * 8));
  const runtimeSeconds = new Float64Array(new SharedArrayBuffer(count * 8));
  const integers = (): Int32Array => new Int32Array(new SharedArrayBuffer(count * 4));
  const coresMilli = integers();
  const memoryMiB = integers();
  const userCodes = integers();
  const projectCodes = integers();

  const random = new Random(seed);
  const arrivals = jobsPerMinute(pool.jobsPerMonth / daysPerMonth, new Random(seed ^ 0x5bd1e995));
  const campaigns = new Campaigns(pool, random);
  const runtime = new LogQuantiles(runtimeSecondsOfD);
  const runtimeScale = runtimeScaleOf(pool, runtime);
  const stray = new StrayCores(pool.strayCores);

  let row = 0;
  for (let minute = 0; row < count; minute++) {
    const arriving = arrivals.next().value as number;
    for (let i = 0; i < arriving && row < count; i++, row++) {
      const campaign = campaigns.next();
      submitSeconds[row] = minute * 60 + Math.floor((60 * (i + random.unit())) / arriving);
      const u =
        random.unit() < inStratum ? (campaign.stratum + random.unit()) / runtimeStrata : random.unit();
      runtimeSeconds[row] =
        u < zeroRuntimeShareOfD
          ? 0
          : Math.max(
              1,
              Math.round(runtimeScale * runtime.at((u - zeroRuntimeShareOfD) / (1 - zeroRuntimeShareOfD))),
            );
      coresMilli[row] = stray.draw(random) ?? campaign.coresMilli;
      memoryMiB[row] = campaign.memoryMiB;
      userCodes[row] = campaign.user;
      projectCodes[row] = projectOf(campaign.user);
    }
  }

  const machines = netbatchMachines(letter);
  return {
    name: `netbatch-${letter} (synthetic)`,
    synthetic: true,
    count,
    submitSeconds,
    runtimeSeconds,
    coresMilli,
    memoryMiB,
    gpuMilli: null,
    tasks: null,
    estimateSeconds: null,
    jobNumber: null,
    recordedWaitSeconds: null,
    project: { codes: projectCodes, names: projects },
    user: {
      codes: userCodes,
      names: Array.from({ length: pool.users }, (_, i) => `u${String(i + 1).padStart(4, "0")}`),
    },
    queue: null,
    policy: null,
    priority: null,
    notes: [{ what: `generated with seed ${seed}, after Shai 2014; not a recorded log`, count }],
    farm: {
      computer: `NetBatch pool ${letter.toUpperCase()} (synthetic)`,
      nodes: machines.count,
      processors: coresOf(pool),
      unixStartSeconds: startOfNovember2012,
    },
  };
}

/** The pool's machines: Table 2.1's numbers of machines and cores; the mix of types is our choice. */
export function netbatchMachines(letter: PoolLetter): Machines {
  const { machineTypes } = netbatchPools[letter];
  const rows = machineTypes.flatMap((type) => Array.from({ length: type.count }, () => type));
  return {
    name: `netbatch-${letter}`,
    count: rows.length,
    ids: rows.map((_, i) => `${letter}${String(i + 1).padStart(4, "0")}`),
    coresMilli: Int32Array.from(rows, ({ cores }) => cores * 1000),
    memoryMiB: Int32Array.from(rows, ({ memoryGiB }) => memoryGiB * 1024),
    gpuMilli: null,
  };
}

/** Decides whose job is next. */
class Campaigns {
  readonly #pool: NetbatchPool;
  readonly #random: Random;
  readonly #cores: Balanced;
  readonly #memory: Balanced;
  readonly #strata = new Balanced(Array.from({ length: runtimeStrata }, () => 1));
  readonly #usersByJobs: Weighted;
  readonly #usersByCampaigns: Weighted;
  readonly #jobsRoot: readonly number[];
  readonly #burstKinds: Weighted;
  readonly #meanGap: number;
  readonly #active: Campaign[];
  #started = 0;
  #current = 0;
  #runLeft = 0;
  #burst: Campaign | null = null;
  #dominance = 0;
  /** Jobs until the burst ends, or until the next begins. */
  #phaseLeft: number;

  constructor(pool: NetbatchPool, random: Random) {
    this.#pool = pool;
    this.#random = random;
    this.#cores = new Balanced(pool.cores.map(([, share]) => share));
    this.#memory = new Balanced(pool.memoryMiB.map(([, share]) => share));
    const quantiles = new LogQuantiles(jobsPerUserOfD);
    const jobs = Array.from({ length: pool.users }, (_, i) => quantiles.at(1 - (i + 0.5) / pool.users));
    // Active users have more campaigns and larger ones: the product is their jobs.
    this.#jobsRoot = jobs.map(Math.sqrt);
    this.#usersByJobs = new Weighted(jobs);
    this.#usersByCampaigns = new Weighted(this.#jobsRoot);
    this.#burstKinds = new Weighted(pool.bursts.map(({ weight }) => weight));
    this.#meanGap = (meanBurstJobs(pool) * (1 - pool.burstShare)) / pool.burstShare;
    this.#active = Array.from({ length: pool.activeCampaigns }, () => this.#start());
    this.#phaseLeft = Math.ceil(this.#meanGap * random.unit());
  }

  next(): Campaign {
    if (this.#phaseLeft === 0) this.#changePhase();
    this.#phaseLeft--;
    if (this.#burst !== null && this.#random.unit() < this.#dominance) return this.#burst;

    let campaign = this.#active[this.#current]!;
    if (this.#runLeft === 0 || campaign.left === 0) {
      if (campaign.left === 0) this.#active[this.#current] = this.#start();
      this.#current = this.#random.index(this.#active.length);
      this.#runLeft = 1 + this.#random.index(2 * meanRun - 1);
      campaign = this.#active[this.#current]!;
    }
    this.#runLeft--;
    campaign.left--;
    return campaign;
  }

  #start(): Campaign {
    const random = this.#random;
    const casual = this.#started % casualEvery === 0;
    const user = casual
      ? (this.#started / casualEvery) % this.#pool.users
      : this.#usersByCampaigns.draw(random);
    this.#started++;
    const stratum = this.#strata.draw(random);
    const long = stratum >= runtimeStrata - longStrata;
    const size = casual
      ? 1 + random.index(8)
      : Math.min(
          long ? largestLongCampaign : largestCampaign,
          Math.ceil(this.#jobsRoot[user]! * campaignSize.at(random.unit())),
        );
    this.#strata.credit(stratum, size);
    const cores = this.#cores.draw(random);
    this.#cores.credit(cores, size);
    const memory = this.#memory.draw(random);
    this.#memory.credit(memory, size);
    return {
      user,
      coresMilli: this.#pool.cores[cores]![0] * 1000,
      memoryMiB: this.#pool.memoryMiB[memory]![0],
      stratum,
      left: size,
    };
  }

  #changePhase(): void {
    const random = this.#random;
    if (this.#burst !== null) {
      this.#burst = null;
      this.#phaseLeft = Math.ceil(this.#meanGap * (0.25 + 1.5 * random.unit()));
      return;
    }
    const kind = this.#pool.bursts[this.#burstKinds.draw(random)]!;
    const [fewest, most] = kind.jobs;
    const jobs = fewest + random.index(most - fewest + 1);
    let stratum = this.#strata.draw(random);
    if (stratum >= runtimeStrata - longStrata) stratum -= longStrata;
    this.#strata.credit(stratum, jobs * kind.dominance);
    this.#burst = {
      user: this.#usersByJobs.draw(random),
      coresMilli: kind.cores * 1000,
      memoryMiB: kind.memoryMiB,
      stratum,
      left: jobs,
    };
    this.#dominance = kind.dominance;
    this.#phaseLeft = jobs;
  }
}

/** Draws the rare job of more cores than its campaign's. */
class StrayCores {
  readonly #shares: readonly Share[];
  readonly #total: number;

  constructor(shares: readonly Share[]) {
    this.#shares = shares;
    this.#total = shares.reduce((sum, [, share]) => sum + share, 0);
  }

  draw(random: Random): number | null {
    if (this.#total === 0) return null;
    let u = random.unit();
    if (u >= this.#total) return null;
    for (const [cores, share] of this.#shares) {
      if (u < share) return cores * 1000;
      u -= share;
    }
    return null;
  }
}

/** Every user has one project; large and small users spread over all of them. */
function projectOf(user: number): number {
  return (user * 7) % projects.length;
}

function coresOf(pool: NetbatchPool): number {
  return pool.machineTypes.reduce((sum, { count, cores }) => sum + count * cores, 0);
}

function meanBurstJobs(pool: NetbatchPool): number {
  return meanOf(pool.bursts.map(({ jobs: [fewest, most], weight }) => [(fewest + most) / 2, weight]));
}

/** Stretches pool D's run times so that the pool is offered the load; 1 for pool D itself but for rounding. */
function runtimeScaleOf(pool: NetbatchPool, runtime: LogQuantiles): number {
  const background = meanOf(pool.cores);
  const burst = meanOf(
    pool.bursts.map(({ cores, dominance, jobs: [fewest, most], weight }) => [
      dominance * cores + (1 - dominance) * background,
      weight * (fewest + most),
    ]),
  );
  const meanCores = pool.burstShare * burst + (1 - pool.burstShare) * background;
  const meanRuntime = runtime.mean() * (1 - zeroRuntimeShareOfD);
  const coreSeconds = offeredLoad * coresOf(pool) * daysPerMonth * secondsPerDay;
  return coreSeconds / (pool.jobsPerMonth * meanCores * meanRuntime);
}

function meanOf(shares: readonly Share[]): number {
  const total = shares.reduce((sum, [, share]) => sum + share, 0);
  return shares.reduce((sum, [value, share]) => sum + value * share, 0) / total;
}
