import type { JobState } from "../service/job-states.ts";
import { MEDIAN, middle } from "../../forecast/index.ts";

/** When a waiting job will start, as it is shown. Times are ISO 8601, in UTC. */
export interface StartForecast {
  /** When it was made. */
  readonly madeAt: string;
  /** Of how many possible futures it is made; 0: of none, since it never starts as things are. */
  readonly futures: number;
  /** Why it starts never, as long as the farm is as it is; null: it will start. */
  readonly never: string | null;
  /** As likely before as after; null: beyond what is foreseen. */
  readonly startsAt: string | null;
  /** Whether it starts at once in nearly all of the futures. */
  readonly isNow: boolean;
  /** The times between which it starts with this likelihood; null: beyond what is foreseen. */
  readonly within50: Between;
  readonly within80: Between;
  readonly within95: Between;
  /** Jobs that come before it in its queue, and what they will take. */
  readonly jobsAhead: number;
  readonly coreHoursAhead: number;
  /** What it waits for. */
  readonly cores: number;
  readonly memoryMiB: number;
  readonly gpus: number;
}

/** Null: beyond what is foreseen. */
export interface Between {
  readonly from: string | null;
  readonly to: string | null;
}

/** When a job starts, whatever its state is. */
export interface JobForecast {
  /** Null: it is not submitted. */
  readonly job: number | null;
  readonly state: JobState | null;
  readonly reason: string;
  readonly startedAt: string | null;
  /** Null: it does not wait to be started, or waits for what cannot be forecast. */
  readonly forecast: StartForecast | null;
}

/** What a forecast says beside the times. */
export type Facts = Pick<
  StartForecast,
  "futures" | "jobsAhead" | "coreHoursAhead" | "cores" | "memoryMiB" | "gpus"
>;

/** What starts within this counts as at once: engines take some seconds. */
const NOW_SECONDS = 5;
/** Beyond it a date means nothing. */
const FORESEEN_SECONDS = 400 * 86_400;

/** @param quantiles of the wait from `unixSeconds` on, by `SHARES` */
export function startForecast(
  quantiles: readonly number[],
  unixSeconds: number,
  facts: Facts,
): StartForecast {
  const at = (seconds: number): string | null =>
    seconds > FORESEEN_SECONDS ? null : timeOf(unixSeconds + seconds);
  const between = (part: number): Between => {
    const [low, high] = middle(quantiles, part);
    return { from: at(low), to: at(high) };
  };
  return {
    madeAt: timeOf(unixSeconds),
    never: null,
    startsAt: at(quantiles[MEDIAN]!),
    isNow: middle(quantiles, 0.8)[1] <= NOW_SECONDS,
    within50: between(0.5),
    within80: between(0.8),
    within95: between(0.95),
    ...facts,
  };
}

export function neverStarts(why: string, unixSeconds: number, facts: Facts): StartForecast {
  const nothing: Between = { from: null, to: null };
  return {
    madeAt: timeOf(unixSeconds),
    never: why,
    startsAt: null,
    isNow: false,
    within50: nothing,
    within80: nothing,
    within95: nothing,
    ...facts,
    futures: 0,
  };
}

function timeOf(unixSeconds: number): string {
  return new Date(Math.round(unixSeconds * 1000)).toISOString();
}
