import { TimeHeap } from "../../core/index.ts";
import type { Placement } from "../engines/engine.ts";
import { Recent } from "./recent.ts";
import type { FinalState, AttemptState, EndReason, Intent, JobState } from "../store/job-states.ts";

/** A job that is not over, as far as decisions need it; what it runs is in the database. */
export interface LiveJob {
  readonly number: number;
  /** A UUID, version 7. */
  readonly id: string;
  readonly user: string;
  /** Written by `transition` alone. */
  readonly state: JobState;
  /** The reason of its state; empty where the state says enough. */
  reason: string;
  /** How long it may run; null: as long as it takes. */
  timeSeconds: number | null;
  priority: number;
  /** About what its row takes, which is written anew with each change. */
  readonly rowBytes: number;
  pool: string | null;
  machines: readonly string[];
  startedAt: number | null;
  /** When it was submitted, or the last of its attempts ended: what is told of it from now on is not before that. */
  toldUntil: number;
  /** The number of its last attempt; 0: none yet. */
  attempt: number;
  retriesLeft: number;
  /** Its user holds it. */
  isHeld: boolean;
  /** Its user has suspended it: it keeps its cores and memory. */
  isPaused: boolean;
  /** It does not start before this time, in seconds since 1970; null: at any time. */
  beginAt: number | null;
  /** By this time it has to be over, if it runs as long as it may. */
  deadlineAt: number | null;
  /** It is suspended with its pool, and goes on with it. */
  isPausedWithPool: boolean;
  /** Jobs that it waits for. */
  after: Set<number>;
  /** Attempts at it that are not over. */
  attempts: readonly LiveAttempt[];
  /** The decision engine's numbers for second attempts that a strategy made. */
  twins: readonly number[];
}

/** Most of many jobs wait for no other and run nowhere: they share these, to which nothing is added. */
export const NOTHING_RUNS = {
  beginAt: null,
  deadlineAt: null,
  after: new Set<number>(),
  attempts: [],
  twins: [],
  machines: [],
} as const;

export interface LiveAttempt {
  readonly job: LiveJob;
  readonly attempt: number;
  /** What the decision engine calls it. */
  readonly engineJob: number;
  readonly engineAttempt: number;
  readonly pool: number;
  readonly placement: readonly Placement[];
  state: AttemptState;
  intent: Intent | null;
  why: EndReason | null;
  /**
   * The job that it was suspended for, while that has its place; null: it is not suspended, or stands until there is room
   * again. Written by `Books.setSuspendedFor` alone.
   */
  readonly suspendedFor: number | null;
  /** The number of the last decision about it. */
  decision: number;
  startedAt: number | null;
  /** How long it has stood still in all, without the time since it last stopped. Written by `stands` alone. */
  suspendedSeconds: number;
  /** Since when it stands still; null: it does not. */
  suspendedAt: number | null;
  /** The turn in which it was last changed. */
  turn: number;
}

/** A job in transfer to a pool: the decision engine is told when it has arrived. */
export interface Arrival {
  readonly engineJob: number;
  readonly decision: number;
  /** On the farm's clock. */
  readonly at: number;
}

/** How many jobs that are over are remembered. */
const MAX_RECENTLY_ENDED = 10_000;

/** The jobs and attempts that are not over. Those that are over are only in the database. */
export class Books {
  /** The final states of the jobs that ended last. */
  readonly recentlyEnded = new Recent<number, FinalState>(MAX_RECENTLY_ENDED);
  readonly jobs = new Map<number, LiveJob>();
  /** By their names: see `attemptKey`. */
  readonly attempts = new Map<string, LiveAttempt>();
  /** By the decision engine's number of the job: the attempt that it speaks of. */
  readonly current = new Map<number, LiveAttempt>();
  readonly twins = new Map<number, LiveJob>();
  /** By the decision engine's number of the job. */
  readonly arrivals = new Map<number, Arrival>();
  /**
   * Jobs by the times, in seconds since 1970, at which something is due about them: see `Timing`. An entry may be out of
   * date: then nothing is.
   */
  readonly times = new TimeHeap();

  /** By the number of a job: the attempts that were suspended for it. */
  private readonly victims = new Map<number, Set<LiveAttempt>>();

  /** @param by the job that it is suspended for; null: no job, or that has no place there any more */
  setSuspendedFor(attempt: LiveAttempt, by: number | null): void {
    const before = attempt.suspendedFor;
    if (before !== null) {
      const others = this.victims.get(before);
      others?.delete(attempt);
      if (others?.size === 0) this.victims.delete(before);
    }
    (attempt as { suspendedFor: number | null }).suspendedFor = by;
    if (by === null) return;
    const victims = this.victims.get(by);
    if (victims === undefined) this.victims.set(by, new Set([attempt]));
    else victims.add(attempt);
  }

  /** The attempts that were suspended for a job. */
  victimsOf(job: number): LiveAttempt[] {
    return Array.from(this.victims.get(job) ?? []);
  }

  /** The job that the decision engine means by a number; none where it is over. */
  jobOf(engineJob: number): LiveJob | undefined {
    return engineJob < 0 ? this.twins.get(engineJob) : this.jobs.get(engineJob);
  }
}

export const PAUSED_WITH_POOL = "with its pool, which is paused";
/** The job that it was suspended for has no place there any more, and others have taken what it left. */
const UNTIL_ROOM = "until there is room";

/** Why a job that is suspended is suspended. */
export function suspendReason({ isPaused, isPausedWithPool, attempts }: LiveJob): string {
  if (isPaused) return isPausedWithPool ? PAUSED_WITH_POOL : "by hand";
  const others = attempts.flatMap(({ suspendedFor }) => suspendedFor ?? []);
  return others.length === 0 ? UNTIL_ROOM : `for job ${others.join(", ")}`;
}

/** Of a job that its user or an operator holds. */
export const BY_ITS_USER = "by its user";

/** Why a job that is held is held. */
export function holdReason(job: LiveJob): string {
  if (job.state !== "held") return job.reason;
  if (job.isHeld) return BY_ITS_USER;
  if (job.after.size > 0) return waitsForText(job.after);
  return job.beginAt === null ? "" : `until ${new Date(job.beginAt * 1000).toISOString()}`;
}

/** @param jobs there are thousands at times */
export function waitsForText(jobs: Iterable<number>): string {
  const first: number[] = [];
  for (const number of jobs) {
    if (first.length === 5) return `waits for job ${first.join(", ")}, …`;
    first.push(number);
  }
  return `waits for job ${first.join(", ")}`;
}

/** When a job starts at the last, to be over by its deadline; null: it has none. */
export function lastStart({ deadlineAt, timeSeconds }: LiveJob): number | null {
  return deadlineAt === null ? null : deadlineAt - (timeSeconds ?? 0);
}
