import { jobsPerUserOfD, type Burst, type NetbatchPool } from "./netbatch-pools.ts";
import { LogQuantiles } from "./quantiles.ts";
import { Balanced, Weighted, type Random } from "../random.ts";

/**
 * Jobs come in campaigns: one user submits many like jobs, of one project, one demand of cores and memory and similar
 * run times. A few campaigns submit side by side, in runs of consecutive jobs; now and then one, a burst, crowds out
 * the others. That makes the averages of 1,000 consecutive jobs burst as in Figures 3.3 and 3.4, and lets matching
 * heuristics differ: with independent jobs they would all do alike.
 */

const largestCampaign = 20_000;
/** Campaigns of long jobs are small: no user submits ten thousand jobs of a day each. */
const largestLongCampaign = 500;
/**
 * Run times fall into 20 equal strata of the distribution. A job falls into its campaign's stratum with this
 * probability, otherwise into any. User and executable explain 0.71, about its square, of the variance of the log of
 * pool D's run times.
 */
const runtimeStrata = 20;
const longStrata = 2;
const inStratum = 0.85;
/** One campaign in this many is a handful of a user's jobs. Users take turns, so that all of them submit. */
const casualEvery = 6;

/** The sizes of campaigns, relative to the square root of their user's number of jobs. */
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
  /** Which part of the distribution of run times most of its jobs fall in. */
  readonly stratum: number;
  /** The jobs that it has yet to submit. */
  left: number;
}

/** The quantile, from 0 to below 1, of the run time of one of the campaign's jobs. */
export function drawRuntimeRank({ stratum }: Campaign, random: Random): number {
  return random.unit() < inStratum ? (stratum + random.unit()) / runtimeStrata : random.unit();
}

/** Decides which campaign has the next job. */
export class Campaigns {
  private readonly pool: NetbatchPool;
  private readonly random: Random;
  private readonly cores: Balanced;
  private readonly memory: Balanced;
  private readonly strata = new Balanced(Array.from({ length: runtimeStrata }, () => 1));
  private readonly usersByJobs: Weighted;
  private readonly usersByCampaigns: Weighted;
  private readonly jobsRoot: readonly number[];
  private readonly burstKinds: Weighted;
  private readonly meanGap: number;
  private readonly active: Campaign[];
  private started = 0;
  private current = 0;
  private runLeft = 0;
  private burst: Campaign | null = null;
  private dominance = 0;
  /** The number of jobs until the burst ends, or until the next begins. */
  private phaseLeft: number;

  constructor(pool: NetbatchPool, random: Random) {
    this.pool = pool;
    this.random = random;
    this.cores = new Balanced(pool.cores.map(([, share]) => share));
    this.memory = new Balanced(pool.memoryMiB.map(([, share]) => share));
    const quantiles = new LogQuantiles(jobsPerUserOfD);
    const jobs = Array.from({ length: pool.users }, (_, i) => quantiles.at(1 - (i + 0.5) / pool.users));
    // Active users have more campaigns, and larger ones. The product is their number of jobs.
    this.jobsRoot = jobs.map(Math.sqrt);
    this.usersByJobs = new Weighted(jobs);
    this.usersByCampaigns = new Weighted(this.jobsRoot);
    this.burstKinds = new Weighted(pool.bursts.map(({ weight }) => weight));
    this.meanGap = (meanBurstJobs(pool.bursts) * (1 - pool.burstShare)) / pool.burstShare;
    this.active = Array.from({ length: pool.activeCampaigns }, () => this.start());
    this.phaseLeft = Math.ceil(this.meanGap * random.unit());
  }

  next(): Campaign {
    if (this.phaseLeft === 0) this.changePhase();
    this.phaseLeft--;
    if (this.burst !== null && this.random.unit() < this.dominance) return this.burst;

    let campaign = this.active[this.current]!;
    if (this.runLeft === 0 || campaign.left === 0) {
      if (campaign.left === 0) this.active[this.current] = this.start();
      this.current = this.random.index(this.active.length);
      this.runLeft = 1 + this.random.index(2 * this.pool.meanRun - 1);
      campaign = this.active[this.current]!;
    }
    this.runLeft--;
    campaign.left--;
    return campaign;
  }

  private start(): Campaign {
    const random = this.random;
    const casual = this.started % casualEvery === 0;
    const user = casual ? (this.started / casualEvery) % this.pool.users : this.usersByCampaigns.draw(random);
    this.started++;
    const stratum = this.strata.draw(random);
    const long = stratum >= runtimeStrata - longStrata;
    const size = casual
      ? 1 + random.index(8)
      : Math.min(
          long ? largestLongCampaign : largestCampaign,
          Math.ceil(this.jobsRoot[user]! * campaignSize.at(random.unit())),
        );
    this.strata.credit(stratum, size);
    const cores = this.cores.draw(random);
    this.cores.credit(cores, size);
    const memory = this.memory.draw(random);
    this.memory.credit(memory, size);
    return {
      user,
      coresMilli: this.pool.cores[cores]![0] * 1000,
      memoryMiB: this.pool.memoryMiB[memory]![0],
      stratum,
      left: size,
    };
  }

  private changePhase(): void {
    const random = this.random;
    if (this.burst !== null) {
      this.burst = null;
      this.phaseLeft = Math.ceil(this.meanGap * (0.25 + 1.5 * random.unit()));
      return;
    }
    const kind = this.pool.bursts[this.burstKinds.draw(random)]!;
    const [fewest, most] = kind.jobs;
    const jobs = fewest + random.index(most - fewest + 1);
    let stratum = this.strata.draw(random);
    if (stratum >= runtimeStrata - longStrata) stratum -= longStrata;
    this.strata.credit(stratum, jobs * kind.dominance);
    this.burst = {
      user: this.usersByJobs.draw(random),
      coresMilli: kind.cores * 1000,
      memoryMiB: kind.memoryMiB,
      stratum,
      left: jobs,
    };
    this.dominance = kind.dominance;
    this.phaseLeft = jobs;
  }
}

function meanBurstJobs(bursts: readonly Burst[]): number {
  let jobs = 0;
  let weights = 0;
  for (const {
    jobs: [fewest, most],
    weight,
  } of bursts) {
    jobs += (weight * (fewest + most)) / 2;
    weights += weight;
  }
  return jobs / weights;
}
