import type { MachineTasks } from "../jobs/placements.ts";
import {
  CANCEL,
  DRAIN,
  DUPLICATE,
  KILL,
  LOST,
  MOVE,
  RESUME,
  START,
  SUSPEND,
  type Decision,
} from "../engine/decisions.ts";
import { KILL_TO_CANCEL, KILL_TO_MOVE, KILL_TO_PREEMPT, KILL_TWIN } from "../jobs/job-states.ts";
import { NONE } from "../none.ts";
import type { JobNumbers } from "./job-numbers.ts";
import type { View } from "./view.ts";

interface DecidedOfAttempt {
  readonly number: number;
  readonly job: number;
  readonly attempt: number;
  readonly pool: number;
}

/**
 * Decisions as plain data. `number` counts up from 1 with every decision, and the answer quotes it. `engine/decisions.ts`
 * says what each means and how it is answered.
 */
export type PlainDecision =
  | (DecidedOfAttempt & {
      readonly type: "START";
      /** What each of its tasks takes, in thousandths of a core, MiB and thousandths of a GPU. */
      readonly cores: number;
      readonly memory: number;
      readonly gpu: number;
      /** How many tasks start on each machine. */
      readonly placement: readonly MachineTasks[];
    })
  | (DecidedOfAttempt & { readonly type: "SUSPEND" | "RESUME" })
  | (DecidedOfAttempt & { readonly type: "KILL"; readonly why: KillReason })
  | {
      readonly type: "MOVE";
      readonly number: number;
      readonly job: number;
      /** The pool left; null if the job comes from its virtual pool, where it was just submitted or has waited. */
      readonly from: number | null;
      readonly pool: number;
      readonly seconds: number;
    }
  | {
      readonly type: "DUPLICATE";
      readonly number: number;
      /** The second attempt's own number: below 0. It may outlive the first. */
      readonly job: number;
      readonly of: number;
      readonly pool: number;
      readonly seconds: number;
    }
  | { readonly type: "CANCEL"; readonly number: number; readonly job: number; readonly by: number }
  | (DecidedOfAttempt & {
      readonly type: "LOST";
      /**
       * Whether the job waits again or is moved; otherwise its number is void. Where it has a second attempt, that goes
       * on under its own number, which `DUPLICATE` told.
       */
      readonly goesOn: boolean;
      /** Whether that takes one of its retries: not where it was being ended all the same. */
      readonly takesRetry: boolean;
    })
  | { readonly type: "DRAIN"; readonly number: number; readonly pool: number; readonly machine: number };

export type KillReason = "move" | "preempt" | "cancel" | "twin";

const killReasons: Readonly<Record<number, KillReason>> = {
  [KILL_TO_MOVE]: "move",
  [KILL_TO_PREEMPT]: "preempt",
  [KILL_TO_CANCEL]: "cancel",
  [KILL_TWIN]: "twin",
};

/** A decision that was just read, as plain data. Its answer counts from now on, and no other. */
export function plainDecision(
  number: number,
  { kind, job: handle, pool, other, seconds }: Decision,
  numbers: JobNumbers,
  { jobs, pools }: View,
): PlainDecision {
  const job = numbers.of(handle);
  const ofAttempt = { number, job, attempt: jobs.attemptOf(handle), pool };
  switch (kind) {
    case START: {
      numbers.await(handle, number);
      const { cores, memory, gpu } = jobs.requestOf(handle);
      return { type: "START", ...ofAttempt, placement: pools[pool].placementOf(handle), cores, memory, gpu };
    }
    case SUSPEND:
    case RESUME:
      numbers.await(handle, number);
      return { type: kind === SUSPEND ? "SUSPEND" : "RESUME", ...ofAttempt };
    case KILL:
      numbers.await(handle, number);
      return { type: "KILL", ...ofAttempt, why: killReasons[other] };
    case MOVE:
      numbers.await(handle, number);
      return { type: "MOVE", number, job, from: other === NONE ? null : other, pool, seconds };
    case DUPLICATE:
      numbers.addTwin(other);
      numbers.await(other, number);
      return { type: "DUPLICATE", number, job: numbers.of(other), of: job, pool, seconds };
    case CANCEL:
      return { type: "CANCEL", number, job, by: numbers.of(other) };
    case LOST:
      return { type: "LOST", ...ofAttempt, goesOn: other !== 0, takesRetry: other === 1 };
    case DRAIN:
      return { type: "DRAIN", number, pool, machine: other };
    default:
      throw new Error(`there is no decision of kind ${kind}`);
  }
}
