import {
  ArrivalModel,
  asRequested,
  batchOf,
  Calibration,
  drawOf,
  type Course,
  likeThePast,
  MEDIAN,
  median,
  quantilesOf,
  runAhead,
  RunTimeModel,
  scoresOf,
  type Budget,
  type Moment,
  type Scored,
  type Scores,
} from "../../../forecast/index.ts";
import { Baselines, certain } from "./baselines.ts";
import type { ForecastWorld } from "./world.ts";

/** The methods, in the order of the table. */
export const forecastMethods = ["croft", "requested", "mean", "quantile", "position"] as const;
export type ForecastMethod = (typeof forecastMethods)[number];

/** Jobs that wait less are not scored: whether something starts at once is another question. */
export const LEAST_WAIT_SECONDS = 60;
/** The first part of the moments teaches the calibration, and is not scored. */
const TEACHING = 1 / 3;
const DAY = 86_400;

export interface ForecastSettings {
  /** Jobs to score. */
  readonly moments: number;
  readonly seed: number;
  readonly members: number;
  readonly onProgress?: (done: number, all: number) => void;
}

export interface ForecastRow extends Scores {
  readonly method: ForecastMethod;
  /** How far the forecast of the start had moved when half of the wait was over, median. */
  readonly revisionMedianSeconds: number;
}

export interface ForecastResult {
  readonly rows: readonly ForecastRow[];
  /** How many jobs were scored. */
  readonly jobs: number;
  /** As many jobs of which each is of another batch would tell as much. */
  readonly independentJobs: number;
  /** Of Croft's forecasts, by tenth of the wait. */
  readonly deciles: readonly (Pick<Scores, "coverage50" | "coverage80" | "coverage95"> & {
    readonly waitMedianSeconds: number;
  })[];
}

interface Told {
  readonly row: number;
  readonly at: number;
  readonly batch: number;
  /** As the ensemble has it, before it is corrected. */
  readonly raw: readonly number[];
  readonly by: Readonly<Record<ForecastMethod, readonly number[]>>;
}

/**
 * Forecasts the starts of jobs of a log at the moment of their submission, each from what had happened by then, and
 * scores them by what came.
 */
export function studyForecast(world: ForecastWorld, settings: ForecastSettings): ForecastResult {
  const starts = world.startSeconds();
  const waitOf = (row: number): number => starts[row]! - world.submitSeconds[row]!;
  const chosen = choose(
    Array.from(starts.keys()).filter((row) => waitOf(row) >= LEAST_WAIT_SECONDS),
    Math.ceil(settings.moments / (1 - TEACHING)),
    settings.seed,
  );
  const isScored = new Set(chosen.slice(Math.ceil(chosen.length * TEACHING)));
  const isChosen = new Set(chosen);
  const halfway = chosen
    .filter((row) => isScored.has(row))
    .map((row) => ({ row, at: world.submitSeconds[row]! + waitOf(row) / 2 }))
    .sort((a, b) => a.at - b.at);

  const runTimes = new RunTimeModel();
  const arrivals = new ArrivalModel();
  const calibration = new Calibration();
  const baselines = new Baselines();
  const ran = new Map<number, number>();
  const open = new Map<number, Told>();
  const first = new Map<number, Told>();
  const revised = new Map<number, Told>();
  const course: Course = world.course({
    started(job, now) {
      const row = job - 1;
      baselines.started(now, now - world.submitSeconds[row]!);
      const told = open.get(row);
      if (told === undefined) return;
      calibration.learn(told.raw, now - told.at, told.by.croft, told.batch);
      open.delete(row);
    },
    ended(job, seconds) {
      ran.set(job - 1, seconds);
      runTimes.learn(world.traits(job - 1), seconds);
    },
  });
  const past = {
    runTimes,
    arrivals,
    requestLike: (row: number) => world.request(row),
    runSecondsLike: (row: number) => ran.get(row) ?? null,
    traitsLike: (row: number) => world.traits(row),
  };
  const tell = (row: number): Told => {
    const { now } = course;
    const moment: Moment = {
      port: course.port,
      now,
      runs: course.runs,
      traitsOf: (job) => world.traits(job - 1),
      nextNumber: course.nextNumber,
      arrivals: course.arrivals,
      twins: course.twins,
    };
    const [job, horizon] = [row + 1, 120 * DAY];
    const budget: Budget = {
      members: settings.members,
      horizonSeconds: horizon,
      steps: settings.members * 20_000,
    };
    const raw = quantilesOf(
      runAhead(moment, [job], likeThePast(moment, past, settings.seed), budget).get(job)!,
    );
    const planned = runAhead(moment, [job], asRequested(moment), { ...budget, members: 1 }).get(job)![0]!;
    // What starts beyond the budget counts as if it started at its end: one that never does would lose without limit.
    const foreseen = (seconds: number): number => Math.min(seconds, horizon);
    const waiting = Array.from(open.values(), ({ raw: forecast, at, batch }) => ({
      forecast,
      waitSeconds: now - at,
      batch,
    }));
    return {
      row,
      at: now,
      batch: batchOf(world.traits(row).user, now),
      raw,
      by: {
        croft: calibration.correct(raw, waiting).map(foreseen),
        requested: certain(planned).map(foreseen),
        mean: baselines.mean(),
        quantile: baselines.quantile(),
        position: baselines.position(world.ahead(course.port, job, now), now),
      },
    };
  };

  let rowsSoFar = 0;
  let half = 0;
  while (first.size < chosen.length || half < halfway.length) {
    const next = course.nextSeconds;
    // A forecast is made anew from what is known just before the moment.
    while (half < halfway.length && halfway[half]!.at < next) {
      const { row } = halfway[half++]!;
      if (!course.starts.has(row + 1)) revised.set(row, tell(row));
    }
    if (next === Infinity) break;
    course.step();
    const rowsBefore = rowsSoFar;
    for (; rowsSoFar < course.nextNumber - 1; rowsSoFar++) arrivals.learn(world.submitSeconds[rowsSoFar]!);
    for (let row = rowsBefore; row < rowsSoFar; row++) {
      if (!isChosen.has(row) || course.starts.has(row + 1)) continue;
      const told = tell(row);
      first.set(row, told);
      settings.onProgress?.(first.size, chosen.length);
      open.set(row, told);
    }
  }
  return resultOf(
    [...first.values()].filter(({ row }) => isScored.has(row)),
    revised,
    waitOf,
  );
}

function resultOf(
  told: readonly Told[],
  revised: ReadonlyMap<number, Told>,
  waitOf: (row: number) => number,
): ForecastResult {
  if (told.length === 0) return { rows: [], jobs: 0, independentJobs: 0, deciles: [] };
  const scoredBy = (method: ForecastMethod): Scored[] =>
    told.map(({ row, by }) => ({ forecast: by[method], waitSeconds: waitOf(row) }));
  const rows = forecastMethods.map((method): ForecastRow => {
    const moves = told.flatMap(({ row, at, by }) => {
      const later = revised.get(row);
      return later === undefined
        ? []
        : [Math.abs(later.at + later.by[method][MEDIAN]! - at - by[method][MEDIAN]!)];
    });
    return {
      method,
      ...scoresOf(scoredBy(method)),
      revisionMedianSeconds: moves.length === 0 ? 0 : median(moves),
    };
  });
  const byWait = scoredBy("croft").sort((a, b) => a.waitSeconds - b.waitSeconds);
  const deciles = Array.from({ length: 10 }, (_, tenth) =>
    byWait.slice(Math.floor((tenth * byWait.length) / 10), Math.floor(((tenth + 1) * byWait.length) / 10)),
  )
    .filter((part) => part.length > 0)
    .map((part) => {
      const { coverage50, coverage80, coverage95 } = scoresOf(part);
      return {
        coverage50,
        coverage80,
        coverage95,
        waitMedianSeconds: median(part.map(({ waitSeconds }) => waitSeconds)),
      };
    });
  return { rows, jobs: told.length, independentJobs: independent(told.map(({ batch }) => batch)), deciles };
}

/** The number of batches where all are as large; fewer where some have most of the jobs (Kish 1965). */
function independent(batches: readonly number[]): number {
  const sizes = new Map<number, number>();
  for (const batch of batches) sizes.set(batch, (sizes.get(batch) ?? 0) + 1);
  return batches.length ** 2 / [...sizes.values()].reduce((sum, size) => sum + size ** 2, 0);
}

/** So many of the rows at random, in their order; all where there are no more. */
function choose(rows: readonly number[], count: number, seed: number): number[] {
  // One pass: each is taken with the chance that the rest of the choice needs (Knuth's algorithm S).
  let wanted = Math.min(count, rows.length);
  return rows.filter((_, at) => {
    const isTaken = drawOf(seed, 0, at, 0) * (rows.length - at) < wanted;
    if (isTaken) wanted--;
    return isTaken;
  });
}
