import { quantilesOf, SHARES } from "../../../forecast/index.ts";

/** Of so many jobs that started last the recent waits are those. */
const RECENT = 200;

/**
 * What sites print today, from the recent past alone: the mean wait, quantiles of waits (QBETS: Nurmi, Brevik and Wolski
 * 2007), and the place in the queue over the recent rate of starts (what Kueue plans). All go by jobs that had to wait,
 * as the jobs that are scored.
 */
export class Baselines {
  private readonly waits: number[] = [];
  private readonly starts: number[] = [];

  /** A job has started. */
  started(now: number, waitSeconds: number): void {
    keep(this.starts, now);
    if (waitSeconds > 0) keep(this.waits, waitSeconds);
  }

  /** The mean of recent waits, for every share. */
  mean(): number[] {
    const { waits } = this;
    const sum = waits.reduce((total, wait) => total + wait, 0);
    return certain(waits.length === 0 ? 0 : sum / waits.length);
  }

  /** The quantiles of recent waits. */
  quantile(): number[] {
    return this.waits.length === 0 ? certain(0) : quantilesOf(this.waits);
  }

  /** @param ahead how many jobs wait before it */
  position(ahead: number, now: number): number[] {
    const { starts } = this;
    if (starts.length < 2) return certain(0);
    const perJob = (now - starts[0]!) / starts.length;
    return certain((ahead + 1) * perJob);
  }
}

/** A point: the same time for every share. */
export function certain(waitSeconds: number): number[] {
  return SHARES.map(() => waitSeconds);
}

function keep(values: number[], value: number): void {
  values.push(value);
  if (values.length > RECENT) values.shift();
}
