import { MEDIAN, SHARES } from "./quantiles.ts";

/** Below this, differences of a wait do not matter to anybody: waits are compared on a log scale above it. */
const SCALE_SECONDS = 60;
/** Of how many forecasts that came true the corrections are made. */
const LAST = 400;
/** Of so many at least, whatever their horizons. */
const ALIKE = 100;
/** What starts within this in all futures finds its machines free now: misses of jobs that had to wait say nothing of it. */
const AT_ONCE_SECONDS = 1;
/** Fewer teach nothing about the ends of a distribution. */
const LEAST = 20;

/**
 * How far a quantile is moved by each job that came earlier or later than it said, on the log scale. A farm changes, and
 * misses of months ago then say too little: what comes too late is followed by longer forecasts, until as many come
 * late as should (adaptive conformal inference, Gibbs and Candès 2021). More follows faster, and is less sharp.
 */
const DRIFT_STEP = 0.02;

interface Outcome {
  readonly horizon: number;
  /** The job still waits: its misses are this or more. */
  readonly isOpen: boolean;
  /** By share: how much longer than forecast the job waited, as a difference of logarithms. */
  readonly misses: readonly number[];
}

/**
 * Corrects forecasts by how earlier ones came out: an ensemble alone is too narrow, since it does not know what its
 * models do not. Each quantile is moved by that quantile of its own earlier misses (conformalised quantile regression,
 * Romano and others 2019), which are those of forecasts of a like horizon as far as there are enough.
 */
export class Calibration {
  private readonly outcomes: Outcome[] = [];
  /** By share, what is added on the log scale. */
  private readonly drift = SHARES.map(() => 0);

  /**
   * A job for which these waits were forecast has waited for so long, and has started.
   *
   * @param told the forecast as it was corrected then
   */
  learn(forecast: readonly number[], waitSeconds: number, told: readonly number[]): void {
    this.outcomes.push(outcomeOf(forecast, waitSeconds, false));
    if (this.outcomes.length > 4 * LAST) this.outcomes.splice(0, this.outcomes.length - 3 * LAST);
    for (const [at, share] of SHARES.entries())
      this.drift[at]! += DRIFT_STEP * (share - (waitSeconds <= told[at]! ? 1 : 0));
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
    const open = waiting.map((each) => outcomeOf(each.forecast, each.waitSeconds, true));
    const all = open.concat(this.outcomes.toReversed());
    if (this.outcomes.length < LEAST) return (forecast) => [...forecast];
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
}

/** By share, how far a forecast of this horizon is to be moved. */
function movesAt(horizon: number, all: readonly Outcome[]): number[] {
  const alike = all
    .toSorted((a, b) => Math.abs(a.horizon - horizon) - Math.abs(b.horizon - horizon))
    .slice(0, Math.max(ALIKE, Math.min(LAST, Math.ceil(all.length / 4))));
  return SHARES.map((share, at) => {
    const misses = alike
      .map(({ misses: all, isOpen }) => ({ miss: all[at]!, isOpen }))
      .sort((a, b) => a.miss - b.miss);
    return atShare(misses, share);
  });
}

function outcomeOf(forecast: readonly number[], waitSeconds: number, isOpen: boolean): Outcome {
  const wait = logOf(waitSeconds);
  return { horizon: logOf(forecast[MEDIAN]!), isOpen, misses: forecast.map((value) => wait - logOf(value)) };
}

/**
 * The miss below which a share of them lies, with one more beyond the last at each end, so that a share is covered by
 * few values too. Those of jobs that still wait are known to be this or more: each stands for a later one as those that
 * have come tell (the estimator of Kaplan and Meier 1958).
 */
function atShare(
  sorted: readonly { readonly miss: number; readonly isOpen: boolean }[],
  share: number,
): number {
  // As if each of those that have come were some: itself, and its part of those that were open before it.
  let [left, below] = [1, 0];
  let [before, at] = [Number.NaN, 0];
  for (const [place, { miss, isOpen }] of sorted.entries()) {
    if (isOpen) continue;
    const next = below + left / (sorted.length + 1 - place);
    if (next >= share) {
      if (Number.isNaN(before)) return miss;
      return before + ((share - at) / (next - at)) * (miss - before);
    }
    [before, at] = [miss, next];
    left -= next - below;
    below = next;
  }
  return sorted.at(-1)!.miss;
}

function logOf(seconds: number): number {
  return Math.log(1 + Math.max(0, Math.min(seconds, 1e9)) / SCALE_SECONDS);
}
