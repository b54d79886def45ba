import type { DelayName } from "../../core/index.ts";
import type { LatePromise } from "./explanation.ts";

const reasons: Readonly<Record<DelayName, string>> = {
  overrun: "after a job ran for longer than expected",
  "machine lost": "after a machine failed, was drained or made smaller",
  "higher rank": "after a job that goes first came, or the order of the queue changed",
  resumed: "after a suspended job took its machines again",
  "late cycle": "as no cycle ran at the time promised",
  refused: "as it could not use its machines at the time promised",
  relaxed: "as the policy let it slip",
  "above limit": "as it was above a limit of its user, group or project at the time promised",
};

/**
 * What delayed a job, as in "it was moved …".
 *
 * @param by the numbers of the jobs that did, where they are known
 */
export function delayText(delay: DelayName, by: readonly number[] = []): string {
  if (by.length === 0) return reasons[delay];
  const jobs = `${by.length === 1 ? "job" : "jobs"} ${by.join(", ")}`;
  switch (delay) {
    case "overrun":
      return `after ${jobs} ran for longer than expected`;
    case "higher rank":
      return `after ${jobs} came, which ${by.length === 1 ? "goes" : "go"} first`;
    default:
      return reasons[delay];
  }
}

/**
 * That a job starts later than it was first promised, and why.
 *
 * @param at says a time, as in "at 14:10"
 */
export function latePromiseText(
  { firstSeconds, delay, by }: LatePromise,
  at: (seconds: number) => string,
): string {
  const why = delay === null ? "" : `, and was put off ${delayText(delay, by)}`;
  return `the promise of a start ${at(firstSeconds)} was broken: it comes later${why}`;
}
