import { drawOf } from "./draws.ts";

/** What is known of a job before it ends. Names are codes of the caller's; `NOBODY` where the log tells none. */
export interface JobTraits {
  readonly user: number;
  readonly name: number;
  /** The run time that was asked for, which is its limit; Infinity where none was. */
  readonly requestedSeconds: number;
}

export const NOBODY = -1;

/** Past run times that a draw may take, most alike first: of how many jobs each level remembers the last. */
const levels = [
  { last: 24, key: ({ user, name, requestedSeconds }: JobTraits) => `${user} ${name} ${requestedSeconds}` },
  { last: 24, key: ({ user, requestedSeconds }: JobTraits) => `${user} ${requestedSeconds}` },
  { last: 48, key: ({ user, requestedSeconds }: JobTraits) => `${user} ${isLimited(requestedSeconds)}` },
  { last: 256, key: ({ requestedSeconds }: JobTraits) => sizeOf(requestedSeconds) },
  { last: 1024, key: ({ requestedSeconds }: JobTraits) => isLimited(requestedSeconds) },
] as const;

/**
 * A level with n jobs is believed in n of n + this many draws; the others look at the next level, and beyond the last
 * one at nothing that is known. It shrinks a user of few jobs towards the farm, and a job that has outlived all but a few
 * of the farm's towards ignorance.
 */
const SHRINKAGE = 3;

/**
 * Until so many jobs have ended, of those with a limit or of those without, a draw may be of ignorance too: what has
 * ended so far may be like nothing that comes.
 */
export const ENOUGH_JOBS = 30;

/** Of a job that has just begun and of which nothing is known: as likely to run on longer as not. */
const UNKNOWN_SECONDS = 600;
/** So many times as long as it has run a job goes on at most that has outlived others. */
const MOST_TIMES = 19;

/** Users, names and limits that are remembered: those of which a job has ended last. */
const MOST_RINGS = 20_000;

/**
 * Run times of jobs as those of their likes were: a draw is a past job's share of what it had asked for, so that what
 * fails at once, and what is ended at its limit, come as often as they did. Jobs without a limit are drawn in seconds.
 */
export class RunTimeModel {
  private readonly rings = new Map<string, Ring>();

  /** How many jobs have ended that are of the same kind as this one: with a limit, or without. */
  known(traits: JobTraits): number {
    return this.rings.get(farmKey(traits))?.count ?? 0;
  }

  /** A job has ended after so long, whatever its end was. */
  learn(traits: JobTraits, runSeconds: number): void {
    const value = runSeconds / scaleOf(traits);
    for (const [level, { last, key }] of levels.entries()) {
      const name = `${level} ${key(traits)}`;
      const ring = this.rings.get(name) ?? new Ring(last);
      ring.add(value);
      // To the end of the map, whose first entry is then the one that was longest without news.
      this.rings.delete(name);
      this.rings.set(name, ring);
    }
    while (this.rings.size > MOST_RINGS) this.rings.delete(this.rings.keys().next().value!);
  }

  /**
   * Draws the run time of a job that has run for `elapsedSeconds`: always more than that.
   *
   * @param draw the n-th of the numbers in [0, 1) that the draw is made of
   * @param ofBatches of jobs that are submitted together: what earlier ones were like, and not the last alone
   */
  draw(
    traits: JobTraits,
    elapsedSeconds: number,
    draw: (purpose: number) => number,
    ofBatches = false,
  ): number {
    const scale = scaleOf(traits);
    const least = elapsedSeconds / scale;
    const all = this.known(traits);
    if (all < ENOUGH_JOBS && draw(2 * levels.length + 1) * (all + SHRINKAGE) >= all)
      return unlike(traits, elapsedSeconds, draw(2 * levels.length));
    for (const [level, { key }] of levels.entries()) {
      const ring = this.rings.get(`${level} ${key(traits)}`);
      if (ring === undefined) continue;
      const known = ring.countAbove(least, ofBatches);
      if (known === 0) continue;
      if (draw(2 * level) * (known + SHRINKAGE) >= known) continue;
      return ring.above(least, Math.floor(draw(2 * level + 1) * known), ofBatches) * scale;
    }
    return outliving(traits, elapsedSeconds, draw(2 * levels.length));
  }

  /** The mean of all draws. */
  mean(traits: JobTraits, elapsedSeconds: number, ofBatches = false): number {
    const scale = scaleOf(traits);
    const least = elapsedSeconds / scale;
    const all = this.known(traits);
    let left = all < ENOUGH_JOBS ? all / (all + SHRINKAGE) : 1;
    let sum = (1 - left) * unlikeMean(traits, elapsedSeconds);
    for (const [level, { key }] of levels.entries()) {
      const ring = this.rings.get(`${level} ${key(traits)}`);
      const known = ring?.countAbove(least, ofBatches) ?? 0;
      if (known === 0) continue;
      const believed = (left * known) / (known + SHRINKAGE);
      sum += believed * ring!.meanAbove(least, ofBatches) * scale;
      left -= believed;
    }
    return sum + left * outlivingMean(traits, elapsedSeconds);
  }
}

/** Nothing is known of the farm's jobs: to its limit at most, or, beyond one, as a job that outlives others. */
function unlike(traits: JobTraits, elapsedSeconds: number, draw: number): number {
  const { requestedSeconds } = traits;
  if (requestedSeconds < Infinity && elapsedSeconds < requestedSeconds)
    return elapsedSeconds + (requestedSeconds - elapsedSeconds) * Math.min(1, 0.05 + 2 * draw);
  return outliving(traits, elapsedSeconds, draw);
}

function unlikeMean(traits: JobTraits, elapsedSeconds: number): number {
  const { requestedSeconds } = traits;
  if (requestedSeconds < Infinity && elapsedSeconds < requestedSeconds)
    // Of draws below 0.475 the mean of 0.05 and 1; of the others 1.
    return elapsedSeconds + (requestedSeconds - elapsedSeconds) * (0.475 * 0.525 + 0.525);
  return outlivingMean(traits, elapsedSeconds);
}

/**
 * A job that has outlived those that are known: as long again times any factor (a Pareto tail of index 1), to its limit
 * at most unless it is beyond that. The few that ran for as large a part of what they asked for mostly had small limits,
 * and reached them: that says little of one with a limit of weeks.
 */
function outliving({ requestedSeconds }: JobTraits, elapsedSeconds: number, draw: number): number {
  const seconds =
    elapsedSeconds + Math.max(UNKNOWN_SECONDS, elapsedSeconds) * Math.min(MOST_TIMES, draw / (1 - draw));
  return elapsedSeconds < requestedSeconds ? Math.min(requestedSeconds, seconds) : seconds;
}

function outlivingMean({ requestedSeconds }: JobTraits, elapsedSeconds: number): number {
  const again = Math.max(UNKNOWN_SECONDS, elapsedSeconds);
  const most =
    elapsedSeconds < requestedSeconds
      ? Math.min(MOST_TIMES, (requestedSeconds - elapsedSeconds) / again)
      : MOST_TIMES;
  // The mean of d / (1 - d), cut off at m, is the logarithm of 1 + m.
  return elapsedSeconds + again * Math.log1p(most);
}

/** The ring of the farm's jobs of a kind. */
function farmKey(traits: JobTraits): string {
  return `${levels.length - 1} ${levels.at(-1)!.key(traits)}`;
}

function scaleOf({ requestedSeconds }: JobTraits): number {
  return requestedSeconds < Infinity ? Math.max(1, requestedSeconds) : 1;
}

function isLimited(requestedSeconds: number): string {
  return requestedSeconds < Infinity ? "limited" : "without limit";
}

/** Short and long: the two classes that are right for most jobs (Reiner-Benaim and others 2016), in steps of four. */
function sizeOf(requestedSeconds: number): string {
  return requestedSeconds < Infinity ? String(Math.round(Math.log2(Math.max(1, requestedSeconds)) / 2)) : "?";
}

/** Of a user's batches of hundreds of jobs, several are remembered by a few jobs each: one job in so many is. */
const BATCH_JOBS = 64;

/** The last values of many; and as many of a longer past, each as likely as another until there are very many. */
class Ring {
  private readonly last: Float64Array;
  private readonly longer: Float64Array;
  /** Of all that were added. */
  count = 0;

  constructor(last: number) {
    this.last = new Float64Array(last);
    this.longer = new Float64Array(last);
  }

  add(value: number): void {
    const { last, longer, count } = this;
    last[count % last.length] = value;
    if (count < longer.length) longer[count] = value;
    // Reservoir sampling, which forgets once there are more than it would tell apart.
    else if (drawOf(0, 0, count, 0) < Math.max(1 / BATCH_JOBS, longer.length / (count + 1)))
      longer[Math.floor(drawOf(0, 0, count, 1) * longer.length)] = value;
    this.count++;
  }

  countAbove(least: number, ofBatches: boolean): number {
    const values = ofBatches ? this.longer : this.last;
    const { length } = this;
    let above = 0;
    for (let i = 0; i < length; i++) if (values[i]! > least) above++;
    return above;
  }

  /** The n-th of the values above `least`, in no order. */
  above(least: number, n: number, ofBatches: boolean): number {
    const values = ofBatches ? this.longer : this.last;
    let left = n;
    for (let i = 0; ; i++) if (values[i]! > least && left-- === 0) return values[i]!;
  }

  /** The mean of the values above `least`, of which there are some. */
  meanAbove(least: number, ofBatches: boolean): number {
    const values = ofBatches ? this.longer : this.last;
    const { length } = this;
    let [sum, count] = [0, 0];
    for (let i = 0; i < length; i++)
      if (values[i]! > least) {
        sum += values[i]!;
        count++;
      }
    return sum / count;
  }

  private get length(): number {
    return Math.min(this.count, this.last.length);
  }
}
