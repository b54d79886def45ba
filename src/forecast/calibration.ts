import { MEDIAN, SHARES } from "./quantiles.ts";

/** Below this, differences of a wait do not matter to anybody: waits are compared on a log scale above it. */
const SCALE_SECONDS = 60;
/** Of how many forecasts that came true the corrections are made. */
const LAST = 400;
/** Of so many at least, whatever their horizons. */
const ALIKE = 100;
/** What starts within this in all futures finds its machines free now: misses of jobs that had to wait say nothing of it. */
const AT_ONCE_SECONDS = 1;
/**
 * As if so many batches had come as they were forecast: a few that missed do not yet say that others will, and least of
 * all by how much.
 */
const BELIEVED = 3;
/** Jobs that a user submits within this are one batch. */
const BATCH_SECONDS = 3600;

/**
 * How far a quantile is moved by each job that came earlier or later than it said, on the log scale. A farm changes, and
 * misses of months ago then say too little: what comes too late is followed by longer forecasts, until as many come
 * late as should (adaptive conformal inference, Gibbs and Candès 2021). More follows faster, and is less sharp.
 */
const DRIFT_STEP = 0.02;

interface Outcome {
  readonly horizon: number;
  readonly batch: number;
  /** The job still waits: its misses are this or more. */
  readonly isOpen: boolean;
  /** By share: how much longer than forecast the job waited, as a difference of logarithms. */
  readonly misses: readonly number[];
}

/**
 * The batch of a job, by when it was forecast first. The jobs of one run alike and wait for the same, so that all their
 * forecasts miss by the same: a thousand of them say as much as one.
 */
export function batchOf(user: number, atSeconds: number): number {
  return user * 2 ** 21 + (Math.floor(atSeconds / BATCH_SECONDS) % 2 ** 21);
}

/**
 * Corrects forecasts by how earlier ones came out: an ensemble alone is too narrow, since it does not know what its
 * models do not. Each quantile is moved by that quantile of its own earlier misses (conformalised quantile regression,
 * Romano and others 2019), which are those of forecasts of a like horizon as far as there are enough. A batch of jobs
 * counts as one (as groups do in the hierarchical conformal prediction of Lee, Barber and Willett 2023).
 */
export class Calibration {
  private readonly outcomes: Outcome[] = [];
  /** By share, what is added on the log scale. */
  private readonly drift = SHARES.map(() => 0);

  /**
   * A job for which these waits were forecast has waited for so long, and has started.
   *
   * @param told the forecast as it was corrected then
   * @param batch see `batchOf`
   */
  learn(forecast: readonly number[], waitSeconds: number, told: readonly number[], batch: number): void {
    this.outcomes.push(outcomeOf({ forecast, waitSeconds, batch }, false));
    if (this.outcomes.length > 4 * LAST) this.outcomes.splice(0, this.outcomes.length - 3 * LAST);
    const alike = this.outcomes.reduce((count, each) => count + (each.batch === batch ? 1 : 0), 0);
    for (const [at, share] of SHARES.entries())
      this.drift[at]! += (DRIFT_STEP / alike) * (share - (waitSeconds <= told[at]! ? 1 : 0));
  }

  /**
   * The forecast, corrected.
   *
   * @param waiting forecasts whose jobs still wait, and for how long: without them, long waits would be learnt too late
   */
  correct(forecast: readonly number[], waiting: readonly Waiting[] = []): number[] {
    return this.corrector(waiting, 0)(forecast);
  }

  /**
   * As `correct`, for many forecasts at one time.
   *
   * @param step horizons that differ by less, on the log scale, are corrected alike; 0: each by itself
   */
  corrector(waiting: readonly Waiting[], step: number): (forecast: readonly number[]) => number[] {
    // The latest first: of equally like ones they say more.
    const open = waiting.map((each) => outcomeOf(each, true));
    const all = weighted(open.concat(this.outcomes.toReversed()));
    if (this.outcomes.length === 0) return (forecast) => [...forecast];
    const known = new Map<number, readonly number[]>();
    return (forecast) => {
      if (forecast.at(-1)! <= AT_ONCE_SECONDS) return [...forecast];
      const exact = logOf(forecast[MEDIAN]!);
      const horizon = step === 0 ? exact : Math.round(exact / step) * step;
      const moves = known.get(horizon) ?? movesAt(horizon, all);
      known.set(horizon, moves);
      let least = 0;
      return forecast.map((value, at) => {
        // Beyond what the budget can see there is nothing to correct.
        if (value === Infinity) return value;
        least = Math.max(least, SCALE_SECONDS * (Math.exp(logOf(value) + moves[at]! + this.drift[at]!) - 1));
        return least;
      });
    };
  }
}

interface Waiting {
  readonly forecast: readonly number[];
  readonly waitSeconds: number;
  readonly batch: number;
}

interface Weighted extends Outcome {
  /** The part of its batch. */
  readonly weight: number;
}

function weighted(outcomes: readonly Outcome[]): Weighted[] {
  const sizes = new Map<number, number>();
  for (const { batch } of outcomes) sizes.set(batch, (sizes.get(batch) ?? 0) + 1);
  return outcomes.map((outcome) => ({ ...outcome, weight: 1 / sizes.get(outcome.batch)! }));
}

/** By share, how far a forecast of this horizon is to be moved. */
function movesAt(horizon: number, all: readonly Weighted[]): number[] {
  const alike = all
    .toSorted((a, b) => Math.abs(a.horizon - horizon) - Math.abs(b.horizon - horizon))
    .slice(0, Math.max(ALIKE, Math.min(LAST, Math.ceil(all.length / 4))));
  return SHARES.map((share, at) => {
    const misses = alike.map(({ misses: all, isOpen, weight }) => ({ miss: all[at]!, isOpen, weight }));
    misses.push({ miss: 0, isOpen: false, weight: BELIEVED });
    return atShare(
      misses.sort((a, b) => a.miss - b.miss),
      share,
    );
  });
}

function outcomeOf({ forecast, waitSeconds, batch }: Waiting, isOpen: boolean): Outcome {
  const wait = logOf(waitSeconds);
  const misses = forecast.map((value) => wait - logOf(value));
  return { horizon: logOf(forecast[MEDIAN]!), batch, isOpen, misses };
}

interface Miss {
  readonly miss: number;
  readonly isOpen: boolean;
  readonly weight: number;
}

/** Of a batch: so much is taken to be beyond the first, where one more is beyond the last, as longer waits have no end. */
const BEFORE_FIRST = 0.5;

/**
 * The miss below which a share of their weight lies, with that of one batch more beyond the last and half of one before
 * the first, so that a share is covered by few values too. Those of jobs that still wait are known to be this or more:
 * each stands for a later one as those that have come tell (the estimator of Kaplan and Meier 1958). A share that lies
 * beyond them all has no miss that was seen: it is further out than the last, as an exponential tail is.
 */
function atShare(sorted: readonly Miss[], share: number): number {
  // As if each of those that have come were some: itself, and its part of those that were open before it.
  let [left, below] = [1, 0];
  let [before, at] = [Number.NaN, 0];
  let rest = sorted.reduce((sum, { weight }) => sum + weight, 1);
  const least = BEFORE_FIRST / rest;
  if (share < least) return sorted[0]!.miss - reachOf(sorted, -1) * Math.log(least / share);
  for (const { miss, isOpen, weight } of sorted) {
    const part = weight / rest;
    rest -= weight;
    if (isOpen) continue;
    const next = below + left * part;
    if (next >= share) {
      if (Number.isNaN(before)) return miss;
      return before + ((share - at) / (next - at)) * (miss - before);
    }
    [before, at] = [miss, next];
    left -= next - below;
    below = next;
  }
  return sorted.at(-1)!.miss + reachOf(sorted, 1) * Math.log((1 - below) / (1 - share));
}

/** How far misses are beyond their median on one side, in the mean of all: the scale of the tail there. */
function reachOf(sorted: readonly Miss[], side: 1 | -1): number {
  const all = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  const middle = sorted.find(({ weight }) => (below += weight) >= all / 2)!.miss;
  return (
    sorted.reduce((sum, { miss, weight }) => sum + weight * Math.max(0, side * (miss - middle)), 0) / all
  );
}

function logOf(seconds: number): number {
  return Math.log(1 + Math.max(0, Math.min(seconds, 1e9)) / SCALE_SECONDS);
}
