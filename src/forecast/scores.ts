import { MEDIAN, middle, SHARES } from "./quantiles.ts";

/** A forecast of a wait, by share, and the wait that came. */
export interface Scored {
  readonly forecast: readonly number[];
  readonly waitSeconds: number;
}

export interface Scores {
  readonly coverage50: number;
  readonly coverage80: number;
  readonly coverage95: number;
  /** Mean over the shares of what a forecast lost at each: see Gneiting and Raftery 2007. */
  readonly pinballLossSeconds: number;
  /** The continuous ranked probability score: twice the pinball loss, weighted by how far apart the shares are. */
  readonly crpsSeconds: number;
  readonly medianAbsoluteErrorSeconds: number;
  readonly within1Minute: number;
  readonly within10Minutes: number;
  /** Median width of the interval of 80 %. */
  readonly width80Seconds: number;
}

export function scoresOf(scored: readonly Scored[]): Scores {
  const shareOf = (isIn: (each: Scored) => boolean): number => scored.filter(isIn).length / scored.length;
  const covered = (part: number): number =>
    shareOf(({ forecast, waitSeconds }) => {
      const [low, high] = middle(forecast, part);
      return waitSeconds >= low && waitSeconds <= high;
    });
  const errors = scored.map(({ forecast, waitSeconds }) => Math.abs(forecast[MEDIAN]! - waitSeconds));
  return {
    coverage50: covered(0.5),
    coverage80: covered(0.8),
    coverage95: covered(0.95),
    pinballLossSeconds: mean(scored.map((each) => mean(losses(each)))),
    crpsSeconds: mean(scored.map(crps)),
    medianAbsoluteErrorSeconds: median(errors),
    within1Minute: errors.filter((error) => error <= 60).length / errors.length,
    within10Minutes: errors.filter((error) => error <= 600).length / errors.length,
    width80Seconds: median(scored.map(({ forecast }) => middle(forecast, 0.8)[1] - middle(forecast, 0.8)[0])),
  };
}

function losses({ forecast, waitSeconds }: Scored): number[] {
  return SHARES.map((share, at) => {
    const miss = waitSeconds - forecast[at]!;
    return miss >= 0 ? share * miss : (share - 1) * miss;
  });
}

/** Each share stands for the ones nearer to it than to its neighbours. */
const weights = SHARES.map((share, at) => {
  const from = at === 0 ? 0 : (SHARES[at - 1]! + share) / 2;
  const to = at === SHARES.length - 1 ? 1 : (share + SHARES[at + 1]!) / 2;
  return to - from;
});

function crps(scored: Scored): number {
  return 2 * losses(scored).reduce((sum, loss, at) => sum + loss * weights[at]!, 0);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
