import type { Workload } from "../workload/index.ts";

/**
 * A user who submits so soon after a job's end has waited for it; a longer pause has other reasons: lunch, the night.
 * (Zakay and Feitelson, "On identifying user session boundaries in parallel workload logs", 2012.)
 */
const LONGEST_THINK_SECONDS = 20 * 60;

/**
 * The same jobs by users who react (Feitelson, "Resampling with feedback", 2021): each job of a user comes a think time
 * after the last that had ended before it, as in the record. After a longer pause it comes when it came, but not before
 * that end. Jobs of which no user is known come when they came.
 */
export function withFeedback(workload: Workload): Workload {
  const { count, user, submitSeconds, runtimeSeconds, recordedWaitSeconds } = workload;
  const follows = new Int32Array(count).fill(-1);
  const thinkSeconds = new Float64Array(count).fill(NaN);
  if (user === null || recordedWaitSeconds === null) return { ...workload, follows, thinkSeconds };
  const endOf = (row: number): number =>
    submitSeconds[row]! + recordedWaitSeconds[row]! + runtimeSeconds[row]!;
  /** By user: rows that have not ended by the last submission looked at, and the one that ended last before it. */
  const running = new Map<number, number[]>();
  const lastEnded = new Map<number, number>();
  for (let row = 0; row < count; row++) {
    const code = user.codes[row]!;
    if (user.names[code] === "") continue;
    const submit = submitSeconds[row]!;
    let last = lastEnded.get(code) ?? -1;
    const left: number[] = [];
    for (const other of running.get(code) ?? [])
      if (!(endOf(other) <= submit)) left.push(other);
      else if (last < 0 || endOf(other) > endOf(last)) last = other;
    if (last >= 0) {
      follows[row] = last;
      lastEnded.set(code, last);
      const think = submit - endOf(last);
      if (think <= LONGEST_THINK_SECONDS) thinkSeconds[row] = think;
    }
    left.push(row);
    running.set(code, left);
  }
  return { ...workload, follows, thinkSeconds };
}
