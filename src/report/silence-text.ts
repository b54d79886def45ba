import type { WaitComparison } from "../simulation/comparison/wait-comparison.ts";

/**
 * Why nothing is said of how sure a difference is, as a clause.
 *
 * @param days on which jobs were submitted
 * @param compared what falls into one part of the log where that is the reason
 */
export function silenceText(
  silence: NonNullable<WaitComparison["silence"]>,
  days: number,
  compared = "waiting",
): string {
  switch (silence) {
    case "few days":
      return `with jobs on ${daysText(days)} the log is too short to say whether that is more than chance`;
    case "backlog":
      return "jobs wait so long that a backlog carries over from week to week, and one log does not tell how sure that is";
    case "one time":
      return `nearly all ${compared} falls into one part of the log, which does not tell how sure that is`;
    case "growth":
      return "waits grow through the log, which does not tell how sure that is";
  }
}

export function daysText(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}
