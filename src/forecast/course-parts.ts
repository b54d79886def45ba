import type { PlainRequest, Port } from "../core/index.ts";
import type { HeldJob, LimitedArray } from "./holds.ts";

/** A submission to come. */
export interface Coming {
  readonly submitSeconds: number;
  readonly request: PlainRequest;
  /** How long the job runs in all. */
  readonly runSeconds: number;
}

/** A job that has been started. */
export interface Run {
  /** How long it runs in all, by itself. */
  runSeconds: number;
  /** How much of that it had done when it last began to run, or was last stopped. */
  doneSeconds: number;
  /** Since when it runs; NaN while it does not. */
  sinceSeconds: number;
  /** The attempt that runs. */
  attempt: number;
}

/** What a course begins with. */
export interface CourseParts {
  /** It is the course's own: a fork, or a port that nothing else drives. */
  readonly port: Port;
  readonly now: number;
  /** Of the jobs in the port that have been started, by number. */
  readonly runs: ReadonlyMap<number, Run>;
  /** How long a job that has not been started yet runs in all. */
  readonly runSecondsOf: (job: number) => number;
  /** Submissions, in order. */
  readonly coming: Iterator<Coming>;
  /** The number of the first job to come. */
  readonly firstNumber: number;
  /** When jobs on their way to a pool arrive there; at once unless it is told. */
  readonly arrivals?: ReadonlyMap<number, number>;
  /** Held jobs that are released by themselves, in the order of their submission. Others stay held. */
  readonly held?: readonly HeldJob[];
  readonly arrays?: readonly LimitedArray[];
  /** Second attempts that there are, and the jobs that they are at. */
  readonly twins?: ReadonlyMap<number, number>;
  readonly watch?: CourseWatch;
}

/** Hears what happens in a course. */
export interface CourseWatch {
  /** A job has begun, for the first time. */
  started(job: number, now: number): void;
  /** A job has ended by itself. */
  ended(job: number, runSeconds: number): void;
}
