import { quantiles } from "./quantiles.ts";

/** Shorter jobs count as this long in a bounded slowdown, which is the stretch of fractional scheduling. */
export const SHORTEST_SECONDS = 10;

const DAY_SECONDS = 86_400;

/** The figures over jobs: how many, how long they waited, how much slower they were. */
export interface JobFigures {
  /** Jobs counted in the figures (the workload's, less warm-up and cool-down). */
  readonly jobs: number;
  readonly started: number;
  /** Jobs that no machine of the pool could ever hold. */
  readonly rejected: number;
  readonly waitMeanSeconds: number;
  readonly waitMedianSeconds: number;
  readonly waitP90Seconds: number;
  readonly waitP95Seconds: number;
  readonly waitP99Seconds: number;
  readonly waitMaxSeconds: number;
  /** (completion − submission) ÷ max(run time, 1 s). */
  readonly slowdownMean: number;
  readonly slowdownMedian: number;
  readonly slowdownP95: number;
  /** max(1, (completion − submission) ÷ max(run time, 10 s)). */
  readonly boundedSlowdownMean: number;
  readonly boundedSlowdownP95: number;
  /** Wait by day of submission: what the confidence interval is drawn from. */
  readonly days: readonly DayWait[];
}

export interface DayWait {
  /** Days of the log since its first submission, from 0: at another pace a day of the run is longer or shorter. */
  readonly day: number;
  readonly jobs: number;
  readonly waitSumSeconds: number;
  /** Waiting, suspended, in transfer, or run and lost. */
  readonly wastedSumSeconds?: number;
  /** Of the bounded slowdowns. */
  readonly stretchSum?: number;
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** Gathers jobs, in the order of their submission, into their figures. */
export class JobCount {
  private readonly firstSubmit: number;
  private readonly daySeconds: number;
  private readonly waits: Float64Array;
  private readonly slowdowns: Float64Array;
  private readonly bounded: Float64Array;
  private readonly days: Required<Mutable<DayWait>>[] = [];
  private started = 0;
  private rejected = 0;
  private waitSum = 0;
  private slowdownSum = 0;
  private boundedSum = 0;

  /**
   * @param most the largest number of jobs that will be added
   * @param beta arrival times were multiplied by this
   */
  constructor(most: number, firstSubmit: number, beta: number) {
    this.firstSubmit = firstSubmit;
    this.daySeconds = beta * DAY_SECONDS;
    this.waits = new Float64Array(most);
    this.slowdowns = new Float64Array(most);
    this.bounded = new Float64Array(most);
  }

  /** A job that never ran. */
  reject(): void {
    this.rejected++;
  }

  /**
   * @param flow from submission to completion; all in seconds
   * @param wasted waiting, suspended, in transfer, or run and lost
   */
  add(submit: number, wait: number, flow: number, runtime: number, wasted = wait): void {
    const { started, days } = this;
    const slowdown = flow / Math.max(runtime, 1);
    const bounded = boundedSlowdown(flow, runtime);
    this.waits[started] = wait;
    this.slowdowns[started] = slowdown;
    this.bounded[started] = bounded;
    this.started++;
    this.waitSum += wait;
    this.slowdownSum += slowdown;
    this.boundedSum += bounded;
    const day = Math.floor((submit - this.firstSubmit) / this.daySeconds);
    let ofDay = days.at(-1);
    // Submissions come in order, so a day's jobs come together.
    if (ofDay === undefined || ofDay.day !== day)
      days.push((ofDay = { day, jobs: 0, waitSumSeconds: 0, wastedSumSeconds: 0, stretchSum: 0 }));
    ofDay.jobs++;
    ofDay.waitSumSeconds += wait;
    ofDay.wastedSumSeconds += wasted;
    ofDay.stretchSum += bounded;
  }

  figures(): JobFigures {
    const { started, rejected, days } = this;
    const mean = (sum: number): number => (started === 0 ? 0 : sum / started);
    const at = (values: Float64Array, ...parts: number[]): number[] =>
      quantiles(values.subarray(0, started), parts);
    const [median, p90, p95, p99, max] = at(this.waits, 0.5, 0.9, 0.95, 0.99, 1);
    const [slowdownMedian, slowdownP95] = at(this.slowdowns, 0.5, 0.95);
    const [boundedSlowdownP95] = at(this.bounded, 0.95);
    return {
      jobs: started + rejected,
      started,
      rejected,
      waitMeanSeconds: mean(this.waitSum),
      waitMedianSeconds: median,
      waitP90Seconds: p90,
      waitP95Seconds: p95,
      waitP99Seconds: p99,
      waitMaxSeconds: max,
      slowdownMean: mean(this.slowdownSum),
      slowdownMedian,
      slowdownP95,
      boundedSlowdownMean: mean(this.boundedSum),
      boundedSlowdownP95,
      days,
    };
  }
}

/** @param flow from submission to completion; both in seconds */
export function boundedSlowdown(flow: number, runtime: number): number {
  return Math.max(1, flow / Math.max(runtime, SHORTEST_SECONDS));
}
