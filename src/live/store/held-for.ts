import type { ReasonToken } from "../../simulation/index.ts";

/** How the reason of a job begins that its array's limit holds back. */
export const ARRAY_FULL = "waits for a place: at most ";

/** For what a job is held, by what its row or the event of its release says. */
export function heldToken(reason: string): ReasonToken {
  if (reason.startsWith("until ")) return "begin-time";
  if (reason.startsWith(ARRAY_FULL)) return "array-limit";
  return reason.startsWith("waits for ") ? "after-job" : "held";
}
