import type { Placement } from "../engines/engine.ts";
import type { FinalState, AttemptState, EndReason, Intent, JobState } from "./job-states.ts";

/** A job that is not over, as far as decisions need it; what it runs is in the database. */
export interface LiveJob {
  readonly number: number;
  /** A UUID, version 7. */
  readonly id: string;
  readonly user: string;
  state: JobState;
  /** Why it stands like that; empty where the state says all. */
  reason: string;
  readonly coresMilli: number;
  readonly memoryMiB: number;
  readonly gpuMilli: number;
  /** How long it may run; null: as long as it takes. */
  timeSeconds: number | null;
  priority: number;
  pool: string | null;
  machines: readonly string[];
  startedAt: number | null;
  /** The number of its last attempt; 0: none yet. */
  attempt: number;
  retriesLeft: number;
  /** Its user holds it. */
  isHeld: boolean;
  /** Its user has stopped it: it keeps what it has. */
  isPaused: boolean;
  /** Jobs that it waits for. */
  readonly after: Set<number>;
  /** Attempts at it that are not over. */
  readonly attempts: Set<LiveAttempt>;
  /** The decision engine's numbers of second attempts by a strategy. */
  readonly twins: Set<number>;
}

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
  /** The number of the last decision about it. */
  decision: number;
  startedAt: number | null;
  /** The turn in which it was last changed. */
  turn: number;
}

/** A job's way to a pool: the decision engine is told when it is there. */
export interface Arrival {
  readonly engineJob: number;
  readonly decision: number;
  /** On the farm's clock. */
  readonly at: number;
}

/** Jobs remembered that are over: their rows may not be written yet. */
const LATELY = 10_000;

/** All that is under way. What is over is in the database only. */
export class Books {
  /** How jobs ended that did so last. */
  readonly lately = new Map<number, FinalState>();
  readonly jobs = new Map<number, LiveJob>();
  /** By their names: see `attemptKey`. */
  readonly attempts = new Map<string, LiveAttempt>();
  /** By the decision engine's number of the job: the attempt that it speaks of. */
  readonly current = new Map<number, LiveAttempt>();
  readonly twins = new Map<number, LiveJob>();
  /** By the decision engine's number of the job. */
  readonly arrivals = new Map<number, Arrival>();

  ended(job: number, state: FinalState): void {
    this.lately.set(job, state);
    if (this.lately.size > LATELY) this.lately.delete(this.lately.keys().next().value!);
  }

  /** The job that the decision engine means by a number; none where it is over. */
  jobOf(engineJob: number): LiveJob | undefined {
    return engineJob < 0 ? this.twins.get(engineJob) : this.jobs.get(engineJob);
  }
}

/** Why a job that is held is held. */
export function holdReason(job: LiveJob): string {
  if (job.state !== "held") return job.reason;
  if (job.isHeld) return "held by its user";
  const after = [...job.after];
  return after.length === 0
    ? ""
    : `waits for job ${after.slice(0, 5).join(", ")}${after.length > 5 ? ", …" : ""}`;
}
