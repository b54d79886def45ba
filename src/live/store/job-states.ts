/** How a job stands, for people and programs. */
export const jobStates = [
  "waiting",
  "held",
  "starting",
  "running",
  "suspended",
  "ended",
  "failed",
  "cancelled",
  "lost",
  "rejected",
] as const;

export type JobState = (typeof jobStates)[number];

/** Of a job that is over. */
export type FinalState = "ended" | "failed" | "cancelled" | "lost" | "rejected";

export function isFinal(state: JobState): state is FinalState {
  return ["ended", "failed", "cancelled", "lost", "rejected"].includes(state);
}

const verbs: Readonly<Record<string, string>> = {
  ended: "has ended",
  failed: "has failed",
  cancelled: "was cancelled",
  lost: "was lost",
  rejected: "was rejected",
};

/** As in "job 12 …": is waiting, has failed. */
export function stateText(state: string): string {
  return verbs[state] ?? `is ${state}`;
}

/** Why an attempt is ended before its own end. */
export type EndReason = "move" | "preempt" | "cancel" | "twin";

/** What was decided about an attempt, and is not yet confirmed by its engine. */
export type Intent = "start" | "suspend" | "resume" | "end";

export type AttemptState = "starting" | "running" | "suspended" | "over";

/** The reason of a job that waits again begins with it, and goes on with why. */
export const START_FAILED = "its last start failed: ";
