import { InputError } from "../../workload/errors.ts";
import { parseShorthand } from "../../workload/machines/shorthand.ts";
import type { Machines } from "../../workload/machines/machines.ts";
import type { Workload } from "../../workload/workload.ts";
import { workloadOf } from "../../workload/workload-of.ts";
import { LogQuantiles } from "../../workload/generators/quantiles.ts";
import { Random, Weighted } from "../../workload/random.ts";

interface AccountingOptions {
  /** The number of jobs; by default those of a month. */
  readonly jobs?: number;
  /** A whole number; the same seed gives the same workload on every machine. */
  readonly seed?: number;
}

/** The model of one queue. The names are common ones of a physics centre; the figures are our own. */
interface Queue {
  readonly name: string;
  /** The part of all jobs, in the long run. */
  readonly share: number;
  /** Run times in seconds, by quantile. */
  readonly runtime: LogQuantiles;
  /** The mean number of jobs in a row that belong together; 1 if each is on its own. */
  readonly campaign: number;
}

const monthJobs = 5_000_000;
const maxJobs = 200_000_000;
const monthSeconds = 30 * 86_400;

const analysis = new LogQuantiles([
  [0, 20],
  [0.2, 240],
  [0.5, 1500],
  [0.8, 5400],
  [0.95, 16_000],
  [1, 86_400],
]);
const production = new LogQuantiles([
  [0, 60],
  [0.1, 900],
  [0.5, 4200],
  [0.9, 12_000],
  [1, 90_000],
]);
const short = new LogQuantiles([
  [0, 5],
  [0.5, 180],
  [0.9, 1200],
  [1, 7200],
]);

const queues: readonly Queue[] = [
  { name: "atlas", share: 0.3, runtime: analysis, campaign: 20 },
  { name: "cms", share: 0.25, runtime: production, campaign: 60 },
  { name: "lhcb", share: 0.15, runtime: production, campaign: 40 },
  { name: "alice", share: 0.12, runtime: analysis, campaign: 30 },
  { name: "ams", share: 0.1, runtime: production, campaign: 80 },
  { name: "theory", share: 0.05, runtime: production, campaign: 10 },
  { name: "short", share: 0.03, runtime: short, campaign: 1 },
];

/**
 * A log like that of a batch system's accounting: jobs of one slot in several queues, each with its own run times and
 * with campaigns of many jobs in a row, offered faster than 800 nodes of 8 slots can run them. Synthetic: the shares,
 * run times and campaigns are chosen, not taken from any site.
 *
 * @throws InputError if the number of jobs or the seed cannot be used
 */
export function generateAccounting({ jobs = monthJobs, seed = 1 }: AccountingOptions = {}): Workload {
  if (!(Number.isInteger(jobs) && jobs >= 1 && jobs <= maxJobs)) {
    throw new InputError(`jobs must be a whole number from 1 to ${maxJobs}, not ${jobs}`);
  }
  if (!Number.isInteger(seed)) throw new InputError(`the seed must be a whole number, not ${seed}`);
  const submitSeconds = new Float64Array(new SharedArrayBuffer(jobs * 8));
  const runtimeSeconds = new Float64Array(new SharedArrayBuffer(jobs * 8));
  const coresMilli = new Int32Array(new SharedArrayBuffer(jobs * 4)).fill(1000);
  const codes = new Int32Array(new SharedArrayBuffer(jobs * 4));
  const random = new Random(seed);
  const streams = new Streams(random);
  for (let row = 0; row < jobs; row++) {
    const queue = streams.next();
    submitSeconds[row] = Math.floor((row * monthSeconds) / monthJobs);
    runtimeSeconds[row] = Math.max(1, Math.round(queues[queue]!.runtime.at(random.unit())));
    codes[row] = queue;
  }
  return workloadOf({
    name: "accounting (synthetic)",
    synthetic: true,
    submitSeconds,
    runtimeSeconds,
    coresMilli,
    queue: { codes, names: queues.map(({ name }) => name) },
    notes: [{ what: `generated with seed ${seed}; not a recorded log`, count: jobs }],
    farm: { computer: "a farm of 800 nodes of 8 slots (synthetic)", nodes: 800, processors: 6400 },
  });
}

export function accountingFarm(): Machines {
  return { ...parseShorthand("800x8c"), name: "accounting" };
}

/** As many campaigns at a time as a site has active users. Each gives its queue's jobs in turn. */
class Streams {
  private readonly random: Random;
  private readonly byCampaigns: Weighted;
  private readonly queue = new Int32Array(8);
  private readonly left = new Int32Array(8);

  constructor(random: Random) {
    this.random = random;
    this.byCampaigns = new Weighted(queues.map(({ share, campaign }) => share / campaign));
  }

  /** The queue of the next job. */
  next(): number {
    const { random, queue, left } = this;
    const at = random.index(queue.length);
    if (left[at] === 0) {
      const drawn = this.byCampaigns.draw(random);
      queue[at] = drawn;
      // From 1 to twice the mean less 1, all equally likely.
      left[at] = 1 + random.index(2 * queues[drawn]!.campaign - 1);
    }
    left[at]!--;
    return queue[at]!;
  }
}
