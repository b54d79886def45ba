import type { DayFigures } from "./batches.ts";

const TENTHS = 10;

/**
 * The change of the mean wait that choosing the best of several policies brings on days that it was not chosen by: it
 * is chosen on half the tenths of a log and measured on the others, over all 252 halves. The best of many on the very
 * days that it is quoted for has been lucky there.
 *
 * @param candidates the policies to choose from, the baseline among them if it may be kept
 * @returns the mean logarithm of chosen ÷ baseline; null where some half has no waits
 */
export function crossFitted(baseline: DayFigures, candidates: readonly DayFigures[]): number | null {
  const last = Math.max(0, ...[baseline, ...candidates].flatMap(({ days }) => days.map(({ day }) => day)));
  const cut = ({ days }: DayFigures): Float64Array => {
    const sums = new Float64Array(TENTHS);
    for (const { day, waitSumSeconds } of days)
      sums[Math.floor((day * TENTHS) / (last + 1))] += waitSumSeconds;
    return sums;
  };
  const before = cut(baseline);
  const after = candidates.map(cut);
  let logs = 0;
  let halves = 0;
  for (let half = 0; half < 1 << TENTHS; half++) {
    if (ones(half) !== TENTHS / 2) continue;
    const chosen = after.reduce((best, each) => (sumIn(each, half) < sumIn(best, half) ? each : best));
    const [measured, was] = [sumIn(chosen, ~half), sumIn(before, ~half)];
    if (!(measured > 0 && was > 0)) return null;
    logs += Math.log(measured / was);
    halves++;
  }
  return logs / halves;
}

function sumIn(tenths: Float64Array, set: number): number {
  return tenths.reduce((sum, each, tenth) => sum + ((set >> tenth) & 1) * each, 0);
}

function ones(set: number): number {
  let count = 0;
  for (let rest = set; rest > 0; rest >>= 1) count += rest & 1;
  return count;
}
