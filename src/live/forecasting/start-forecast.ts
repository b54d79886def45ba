import { ENOUGH_JOBS, valueAt } from "../../forecast/index.ts";
import type { JobState } from "../store/job-states.ts";

/** When a waiting job will start, as it is shown. Times are ISO 8601, in UTC. */
export interface StartForecast {
  /** When it was made. */
  readonly madeAt: string;
  /** The pool that it waits in, or would go to if it were submitted; null: it waits at its virtual pool. */
  readonly pool: string | null;
  /** Of how many possible futures it is made. */
  readonly futures: number;
  /** Whether the times are not to be relied on: it is cut short, or so few jobs have ended that little is known. */
  readonly isRough: boolean;
  /** Whether most of the futures ended before it starts: so much waits that the time did not suffice. */
  readonly isCutShort: boolean;
  /** How many jobs have ended that run times are learnt from: of the kind that is known least. */
  readonly pastJobs: number;
  /** Why it starts never, as long as the farm is as it is; null: it will start. */
  readonly never: string | null;
  /** As likely before as after; null: beyond what is foreseen. */
  readonly startsAt: string | null;
  /** Whether its place is free as it was made, and it starts at once in nearly all of the futures. */
  readonly isNow: boolean;
  /** The times between which it starts with this likelihood. */
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
  /** As it asks for them: `matlab=1`; empty: none. */
  readonly licences: string;
  /** The limits that it would be above if it started now, in words: the machines do not matter until it is not. */
  readonly limits: readonly string[];
  /** What is taken for granted of the jobs that it waits for: how they end, at the first try; empty: nothing is. */
  readonly assumed: string;
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
  /** By when it has to have started, or it is cancelled for its deadline; null: it has none, or has started. */
  readonly lastStartAt: string | null;
  /** Null: it does not wait to be started, or waits for what cannot be forecast. */
  readonly forecast: StartForecast | null;
}

/** What a forecast says beside the times. */
export type Facts = Pick<
  StartForecast,
  | "futures"
  | "isCutShort"
  | "pastJobs"
  | "never"
  | "jobsAhead"
  | "coreHoursAhead"
  | "cores"
  | "memoryMiB"
  | "gpus"
  | "licences"
  | "limits"
> & {
  /** Whether it would start at once if no job ended and none came: it waits for nothing. */
  readonly hasRoom: boolean;
  /** These are absent from those that an earlier version has kept. */
  readonly pool?: string | null;
  readonly assumed?: string;
};

/** A forecast as it is kept: ten thousand of them are written at a time, and few of those are read. */
export interface Forecast {
  readonly facts: Facts;
  /** Since 1970. */
  readonly unixSeconds: number;
  /** From then on, at `shares`; null: beyond what is foreseen. */
  readonly waitSeconds: readonly (number | null)[];
}

const shares = [0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975] as const;
/** What starts within this counts as at once: engines take some seconds. */
export const NOW_SECONDS = 5;
/** Beyond it a date means nothing. */
const FORESEEN_SECONDS = 400 * 86_400;

/** @param quantiles of the wait, by `SHARES` */
export function forecastOf(quantiles: readonly number[], unixSeconds: number, facts: Facts): Forecast {
  const waitSeconds = shares.map((share) => {
    const seconds = valueAt(quantiles, share);
    // Up: of a job that may not start before a time no earlier one is to be told.
    return seconds > FORESEEN_SECONDS ? null : Math.ceil(seconds * 10 - 1e-6) / 10;
  });
  return { facts, unixSeconds, waitSeconds };
}

export function neverStarts(never: string, unixSeconds: number, facts: Omit<Facts, "never">): Forecast {
  return { facts: { ...facts, never }, unixSeconds, waitSeconds: shares.map(() => null) };
}

/** @param ageSeconds how long ago it was made: what was to start at once and waits still does not start now */
export function shown({ facts, unixSeconds, waitSeconds }: Forecast, ageSeconds = 0): StartForecast {
  const { hasRoom, ...told } = facts;
  const at = (share: (typeof shares)[number]): string | null => {
    const seconds = waitSeconds[shares.indexOf(share)];
    return seconds === null || seconds === undefined ? null : timeOf(unixSeconds + seconds);
  };
  // Where jobs are over in no time, what waits for their end starts within seconds too, and nothing is free for it.
  const isNow =
    hasRoom && ageSeconds <= NOW_SECONDS && (waitSeconds[shares.indexOf(0.9)] ?? Infinity) <= NOW_SECONDS;
  const knowsLittle = facts.pastJobs < ENOUGH_JOBS && facts.never === null && !isNow;
  return {
    madeAt: timeOf(unixSeconds),
    startsAt: at(0.5),
    isNow,
    isRough: facts.isCutShort || knowsLittle,
    within50: { from: at(0.25), to: at(0.75) },
    within80: { from: at(0.1), to: at(0.9) },
    within95: { from: at(0.025), to: at(0.975) },
    ...told,
    pool: told.pool ?? null,
    assumed: told.assumed ?? "",
  };
}

function timeOf(unixSeconds: number): string {
  return new Date(Math.round(unixSeconds * 1000)).toISOString();
}
