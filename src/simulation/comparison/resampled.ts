import { pickedRows, Random, sharedFloat64Array, type Workload } from "../../workload/index.ts";

const WEEK_SECONDS = 7 * 86_400;
const DAY_SECONDS = 86_400;
/** A log that is shorter by less than this part of a day counts as whole weeks. */
const MISSING_DAYS = 1;

/** Whole weeks of a log, the last with or without its last day. */
export function wholeWeeks({ count, submitSeconds }: Workload): number {
  if (count === 0) return 0;
  const span = submitSeconds[count - 1] - submitSeconds[0];
  return Math.floor((span + MISSING_DAYS * DAY_SECONDS) / WEEK_SECONDS);
}

/** The fewest whole weeks that a log must have to be resampled. */
export const FEWEST_WEEKS = 2;

/**
 * A log that might have been recorded instead: as many users drawn with all their jobs, each shifted by whole weeks
 * around the log's whole weeks. So the hours of the day, the days of the week and each user's campaigns stay, and what
 * comes together by chance changes. Jobs of which no user is known are drawn one by one. What comes after the last whole
 * week is left out.
 *
 * @param seed the same seed gives the same log
 */
export function resampled(workload: Workload, seed: number): Workload {
  const { count, submitSeconds } = workload;
  const first = count === 0 ? 0 : submitSeconds[0];
  const weeks = Math.max(1, wholeWeeks(workload));
  const length = weeks * WEEK_SECONDS;
  const random = new Random(seed);
  const drawn = drawnRows(workload, first + length, random);
  const rows: number[] = [];
  const times: number[] = [];
  for (const group of drawn) {
    const shift = random.index(weeks) * WEEK_SECONDS;
    for (const row of group) {
      rows.push(row);
      times.push(first + ((submitSeconds[row] - first + shift) % length));
    }
  }
  const order = Uint32Array.from(rows.keys()).sort((a, b) => times[a] - times[b] || a - b);
  const picked = order.map((at) => rows[at]);
  return {
    ...pickedRows(workload, picked),
    submitSeconds: sharedFloat64Array(picked.length).map((_, at) => times[order[at]]),
  };
}

/** For each draw the rows of a user's jobs, as many draws as there are users. */
function drawnRows({ count, submitSeconds, user }: Workload, until: number, random: Random): number[][] {
  const groups: number[][] = [];
  const ofUser = new Map<number, number[]>();
  for (let row = 0; row < count && submitSeconds[row] < until; row++) {
    const code = user === null || user.names[user.codes[row]] === "" ? -1 : user.codes[row];
    const known = code === -1 ? undefined : ofUser.get(code);
    if (known !== undefined) {
      known.push(row);
      continue;
    }
    const group = [row];
    groups.push(group);
    if (code !== -1) ofUser.set(code, group);
  }
  return groups.map(() => groups[random.index(groups.length)]);
}
