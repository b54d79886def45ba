import { InputError } from "../errors.ts";
import type { Machines } from "../machines/machines.ts";
import { workloadOf } from "../workload-of.ts";
import type { Workload } from "../workload.ts";
import { jobsPerMinute } from "./arrivals.ts";
import { Campaigns, drawRuntimeRank } from "./campaigns.ts";
import {
  netbatchPools,
  runtimeSecondsOfD,
  zeroRuntimeShareOfD,
  type NetbatchPool,
  type Share,
} from "./netbatch-pools.ts";
import { modelText, withModel, type NetbatchModel } from "./netbatch-model.ts";
import { LogQuantiles } from "./quantiles.ts";
import { Random } from "../random.ts";

export type PoolLetter = keyof typeof netbatchPools;

export interface NetbatchOptions {
  /** The number of jobs, from the beginning of the month at the month's rate; by default the pool's month. */
  readonly jobs?: number;
  /** A whole number; the same seed gives the same workload on every machine. */
  readonly seed?: number;
  /** What differs from the pool's own model, to study what a guess decides. */
  readonly model?: Partial<NetbatchModel>;
}

/** More jobs are refused: their columns would take over 6 GB. */
const maxJobs = 200_000_000;
/** When the month of the original logs begins: Thursday, 1 November 2012, UTC. */
const startOfNovember2012 = 1_351_728_000;
const daysPerMonth = 30;
const secondsPerDay = 86_400;

const projects = ["core", "graphics", "chipset", "mobile", "tools"].flatMap((unit) =>
  ["rtl", "verification", "layout", "timing"].map((project) => `/${unit}/${project}`),
);

/**
 * A month of the pool's jobs, or as many as asked for: a stand-in for the logs of the NetBatch pools (Shai 2014), which
 * may not be passed on. Synthetic, and marked so.
 *
 * @throws {InputError} if the number of jobs or the seed cannot be used
 */
export function generateNetbatch(letter: PoolLetter, options: NetbatchOptions = {}): Workload {
  const { model = {} } = options;
  const pool = withModel(netbatchPools[letter], model);
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
      const rank = (drawRuntimeRank(campaign, random) - zeroRuntimeShareOfD) / (1 - zeroRuntimeShareOfD);
      runtimeSeconds[row] = rank < 0 ? 0 : Math.max(1, Math.round(runtimeScale * runtime.at(rank)));
      coresMilli[row] = stray.draw(random) ?? campaign.coresMilli;
      memoryMiB[row] = campaign.memoryMiB;
      userCodes[row] = campaign.user;
      projectCodes[row] = projectOf(campaign.user);
    }
  }

  const machines = netbatchMachines(letter);
  return workloadOf({
    name: `netbatch-${letter} (synthetic)`,
    synthetic: true,
    submitSeconds,
    runtimeSeconds,
    coresMilli,
    memoryMiB,
    project: { codes: projectCodes, names: projects },
    user: {
      codes: userCodes,
      names: Array.from({ length: pool.users }, (_, i) => `u${String(i + 1).padStart(4, "0")}`),
    },
    notes: [
      { what: `generated with seed ${seed}${modelText(model)}, after Shai 2014; not a recorded log`, count },
    ],
    farm: {
      computer: `NetBatch pool ${letter.toUpperCase()} (synthetic)`,
      nodes: machines.count,
      processors: coresOf(pool),
      unixStartSeconds: startOfNovember2012,
    },
  });
}

/** The pool's machines: the numbers of machines and cores are those of Table 2.1, the mix of types is our choice. */
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

/** Draws the rare job that has more cores than its campaign's others. */
class StrayCores {
  private readonly shares: readonly Share[];
  private readonly total: number;

  constructor(shares: readonly Share[]) {
    this.shares = shares;
    this.total = shares.reduce((sum, [, share]) => sum + share, 0);
  }

  draw(random: Random): number | null {
    if (this.total === 0) return null;
    let u = random.unit();
    if (u >= this.total) return null;
    for (const [cores, share] of this.shares) {
      if (u < share) return cores * 1000;
      u -= share;
    }
    return null;
  }
}

/** Every user has one project; large and small users are spread over all projects. */
function projectOf(user: number): number {
  return (user * 7) % projects.length;
}

function coresOf(pool: NetbatchPool): number {
  return pool.machineTypes.reduce((sum, { count, cores }) => sum + count * cores, 0);
}

/** A factor for pool D's run times that gives the pool its load; for pool D itself it is 1, except for rounding. */
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
  const coreSeconds = pool.load * coresOf(pool) * daysPerMonth * secondsPerDay;
  return coreSeconds / (pool.jobsPerMonth * meanCores * meanRuntime);
}

function meanOf(shares: readonly Share[]): number {
  const total = shares.reduce((sum, [, share]) => sum + share, 0);
  return shares.reduce((sum, [value, share]) => sum + value * share, 0) / total;
}
