import type { PlainRequest, Port } from "../core/index.ts";
import type { ArrivalModel } from "./arrivals.ts";
import { Course } from "./course.ts";
import type { Coming, Run } from "./course-parts.ts";
import { drawOf } from "./draws.ts";
import type { HeldJob, LimitedArray } from "./holds.ts";
import type { JobTraits, RunTimeModel } from "./run-times.ts";

/** A farm at a moment, and what is known of its jobs. */
export interface Moment {
  readonly port: Port;
  readonly now: number;
  /** The jobs in the port that have been started, by number. */
  readonly runs: ReadonlyMap<number, Run>;
  readonly traitsOf: (job: number) => JobTraits;
  /** The number of the next job to be submitted. */
  readonly nextNumber: number;
  /** When jobs on their way to a pool arrive there; at once unless it is told. */
  readonly arrivals?: ReadonlyMap<number, number>;
  /** Held jobs that are released by themselves, in the order of their submission. Others stay held. */
  readonly held?: readonly HeldJob[];
  /** Those of which jobs are held for a place. */
  readonly arrays?: readonly LimitedArray[];
  /** Second attempts that there are, and the jobs that they are at. */
  readonly twins?: ReadonlyMap<number, number>;
}

/** How the future may be. */
export interface Possible {
  /** How long a job that has run for `elapsedSeconds` runs in all, in one possible future. */
  readonly runSeconds: (job: number, elapsedSeconds: number, member: number) => number;
  /** What comes, in one possible future. */
  readonly coming: (member: number) => Iterator<Coming>;
}

export interface Budget {
  readonly members: number;
  /** A job that has not started by then counts as one that starts later. */
  readonly horizonSeconds: number;
  /** Instants of all members together. */
  readonly steps: number;
}

export interface Limits {
  /** A member ends when these have started; all that are forecast unless given. */
  readonly until?: readonly number[];
  /** It goes on for these after that, as long as it may; none unless given. Of no job at all there is no member. */
  readonly further?: readonly number[];
  /** Asked now and then: where it says no, the member that runs ends there, or is not begun. */
  readonly mayGoOn?: (member: number, isForFurther: boolean) => boolean;
  /** A member ends from then on, once nothing goes on in it: without, an engine that looks again and again has no end. */
  readonly restsFrom?: number;
  /** How long nothing goes on before it is taken to go on no more, at least: 0 unless told. */
  readonly restSeconds?: number;
}

/** Instants in which nothing starts, and nothing is left that could end or come, before nothing is taken to go on. */
const QUIET_STEPS = 64;

/**
 * Lets copies of the farm run ahead, each in a possible future, and says when each of the jobs starts there: by job, by
 * member, seconds from now; Infinity where that is beyond the budget. The farm itself is not touched.
 *
 * @param limits what may end it before the budget does
 */
export function runAhead(
  moment: Moment,
  jobs: readonly number[],
  possible: Possible,
  { members, horizonSeconds, steps }: Budget,
  { until = jobs, further = [], mayGoOn = () => true, restsFrom = Infinity, restSeconds = 0 }: Limits = {},
): Map<number, number[]> {
  const { now } = moment;
  const waits = new Map(jobs.map((job): [number, number[]] => [job, []]));
  if (until.length + further.length === 0) return waits;
  for (let member = 0; member < members; member++) {
    if (member > 0 && !mayGoOn(member, false)) break;
    const missing = new Set(until);
    const missingFurther = new Set(further);
    const course = courseOf(moment, possible, member, [missing, missingFurther]);
    let left = Math.ceil(steps / members);
    let unchecked = 0;
    let quiet = 0;
    let busyAt = now;
    while (left-- > 0 && missing.size + missingFurther.size > 0) {
      if (course.nextSeconds > now + horizonSeconds) break;
      unchecked += STEP_WORK + course.port.view.jobs.waiting;
      if (unchecked >= CHECK_WORK) {
        if (!mayGoOn(member, missing.size === 0)) break;
        unchecked = 0;
      }
      const started = course.starts.size;
      course.step();
      if (course.awaits || course.starts.size > started || course.now < restsFrom) {
        quiet = 0;
        busyAt = course.now;
      } else if (++quiet >= QUIET_STEPS && course.now - busyAt > restSeconds) break;
    }
    for (const job of jobs) waits.get(job)!.push((course.starts.get(job) ?? Infinity) - now);
  }
  return waits;
}

/**
 * A step may look at all that waits, and does something besides, as much as a look at so many. To ask for the time at
 * every step would cost more than some steps; where thousands wait, one takes as long as many others.
 */
const STEP_WORK = 64;
export const CHECK_WORK = 1024;

function courseOf(
  { port, now, runs, nextNumber, arrivals, held, arrays, twins }: Moment,
  possible: Possible,
  member: number,
  missing: readonly Set<number>[],
): Course {
  let draws = 0;
  return new Course({
    port: port.fork((below) => Math.floor(drawOf(member, 0, draws++, 0) * below)),
    now,
    runs: new Map(
      Array.from(runs, ([job, run]): [number, Run] => {
        const elapsed = run.doneSeconds + (Number.isNaN(run.sinceSeconds) ? 0 : now - run.sinceSeconds);
        return [job, { ...run, runSeconds: possible.runSeconds(twins?.get(job) ?? job, elapsed, member) }];
      }),
    ),
    runSecondsOf: (job) => possible.runSeconds(job, 0, member),
    coming: possible.coming(member),
    firstNumber: nextNumber,
    ...(arrivals === undefined ? {} : { arrivals }),
    ...(held === undefined ? {} : { held }),
    ...(arrays === undefined ? {} : { arrays }),
    ...(twins === undefined ? {} : { twins }),
    watch: {
      started: (job) => missing.forEach((jobs) => jobs.delete(job)),
      ended: () => undefined,
    },
  });
}

/** What has come so far, from which possible futures are drawn. */
export interface Past {
  readonly runTimes: RunTimeModel;
  readonly arrivals: ArrivalModel;
  /** Of the past job at a place in the order of submissions. */
  readonly requestLike: (like: number) => PlainRequest;
  /** How long it ran; null if it has not ended. */
  readonly runSecondsLike: (like: number) => number | null;
  readonly traitsLike: (like: number) => JobTraits;
}

/**
 * In so many of the futures the jobs of a user that ask for the same are alike: all fail at once, or all run long. Their
 * run times are not independent, and a queue of a thousand such jobs would else be forecast as if it were known how
 * long it takes.
 */
const ALIKE_PART = 0.5;
/** What the n-th number of a draw is for; those of run times are small. */
const WHETHER_ALIKE = 1000;

/** Futures like the past: run times as those of like jobs, submissions as those of past weeks. */
export function likeThePast({ now, traitsOf }: Moment, past: Past, seed: number): Possible {
  const { runTimes, arrivals } = past;
  const runSeconds = (traits: JobTraits, elapsed: number, member: number, job: number): number => {
    const group = groupOf(traits);
    const areAlike = drawOf(seed, member, group, WHETHER_ALIKE) < ALIKE_PART;
    const draw = (purpose: number): number => drawOf(seed, member, areAlike ? group : job, purpose);
    return runTimes.draw(traits, elapsed, draw, areAlike);
  };
  return {
    runSeconds: (job, elapsed, member) => runSeconds(traitsOf(job), elapsed, member, job),
    *coming(member) {
      for (const { submitSeconds, like } of arrivals.from(now, drawOf(seed, member, -1, 0)))
        yield {
          submitSeconds,
          request: past.requestLike(like),
          runSeconds: past.runSecondsLike(like) ?? runSeconds(past.traitsLike(like), 0, member, -2 - like),
        };
    },
  };
}

/** How long a job runs on average of such futures, where one number is wanted. */
export function expectedSeconds(runTimes: RunTimeModel, traits: JobTraits, elapsedSeconds: number): number {
  const alike = runTimes.mean(traits, elapsedSeconds, true);
  return ALIKE_PART * alike + (1 - ALIKE_PART) * runTimes.mean(traits, elapsedSeconds);
}

/** A number for jobs of a user that ask for the same. */
function groupOf({ user, name, requestedSeconds }: JobTraits): number {
  const limit = requestedSeconds < Infinity ? Math.floor(requestedSeconds) : -1;
  return Math.floor(drawOf(user, name, limit, 0) * 2 ** 31);
}

/** Nothing ends and nothing comes: what starts here finds its place free as things are. */
export const asItStands: Possible = { runSeconds: () => Infinity, *coming() {} };

/** A minute for a job that runs beyond its limit: what batch systems presume as well. */
const BEYOND_SECONDS = 60;

/** The one future that batch systems plan with: every job runs to its limit, and nothing comes. */
export function asRequested({ traitsOf }: Moment): Possible {
  return {
    runSeconds(job, elapsed) {
      const { requestedSeconds } = traitsOf(job);
      return elapsed < requestedSeconds ? requestedSeconds : elapsed + BEYOND_SECONDS;
    },
    *coming() {},
  };
}
