import { pickedRows, Random, sharedFloat64Array, type Workload } from "../../workload/index.ts";
import type { WaitComparison } from "./wait-comparison.ts";

const WEEK_SECONDS = 7 * 86_400;
const DAY_SECONDS = 86_400;
const WEEK_DAYS = 7;
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

/** Fewer units of equal work say next to nothing of what others would have brought: t is then 4.3 and more. */
export const FEWEST_UNITS = 4;
/** Of fewer units intervals of drawn logs are so wide that they find next to nothing: days come first. */
const ENOUGH_UNITS = 8;

/**
 * Whether drawn logs judge where nothing is said: not where the days of the log itself tell more; and not where few units
 * have a queue of days, which drawn logs were too sure of (docs/confidence.md): nothing is said there.
 *
 * @param silences why the log's days cannot judge some of the comparisons; null: they can
 */
export function drawsTellMore(units: number, silences: readonly WaitComparison["silence"][]): boolean {
  if (units >= ENOUGH_UNITS) return true;
  const areSilent = silences.some((each) => each !== null);
  return units >= FEWEST_UNITS && areSilent && !silences.includes("backlog");
}

/**
 * How many units a log is drawn by: the jobs of a user, or of a day where no user is known. They are counted by their
 * work, as (Σ work)² ÷ Σ work²: so many units of equal work say as much.
 */
export function drawnUnits(workload: Workload): number {
  const { coresMilli, tasks, runtimeSeconds } = workload;
  const { users, days } = unitsOf(workload, Math.max(1, wholeWeeks(workload)));
  let all = 0;
  let squares = 0;
  for (const unit of [...users, ...days]) {
    let work = 0;
    for (const row of unit) work += Math.max(1, runtimeSeconds[row]) * coresMilli[row] * (tasks?.[row] ?? 1);
    all += work;
    squares += work ** 2;
  }
  return all === 0 ? 0 : all ** 2 / squares;
}

/**
 * A log that might have been recorded instead: as many users drawn with all their jobs, each shifted by whole weeks
 * around the log's whole weeks. So the hours of the day, the days of the week and each user's campaigns stay, and what
 * comes together by chance changes. Jobs of which no user is known come by days: each day is that of a week drawn for it,
 * so that what comes in a burst stays one. What comes after the last whole week is left out.
 *
 * @param seed the same seed gives the same log
 */
export function resampled(workload: Workload, seed: number): Workload {
  const { count, submitSeconds } = workload;
  const first = count === 0 ? 0 : submitSeconds[0];
  const weeks = Math.max(1, wholeWeeks(workload));
  const length = weeks * WEEK_SECONDS;
  const random = new Random(seed);
  const { users, days } = unitsOf(workload, weeks);
  const rows: number[] = [];
  const times: number[] = [];
  const add = (unit: readonly number[], shiftWeeks: number): void => {
    for (const row of unit) {
      rows.push(row);
      times.push(first + ((submitSeconds[row] - first + shiftWeeks * WEEK_SECONDS) % length));
    }
  };
  for (let draw = 0; draw < users.length; draw++) add(users[random.index(users.length)], random.index(weeks));
  for (let day = 0; day < days.length; day++) {
    const earlier = random.index(weeks);
    const from = (day + days.length - earlier * WEEK_DAYS) % days.length;
    add(days[from], earlier);
  }
  const order = Uint32Array.from(rows.keys()).sort((a, b) => times[a] - times[b] || a - b);
  const picked = order.map((at) => rows[at]);
  return {
    ...pickedRows(workload, picked),
    submitSeconds: sharedFloat64Array(picked.length).map((_, at) => times[order[at]]),
  };
}

/** The rows of each known user's jobs within the whole weeks, and those of all others by day; no days if there are none. */
function unitsOf(
  { count, submitSeconds, user }: Workload,
  weeks: number,
): { readonly users: readonly number[][]; readonly days: readonly number[][] } {
  const ofUser = new Map<number, number[]>();
  const days = Array.from({ length: weeks * WEEK_DAYS }, (): number[] => []);
  for (let row = 0; row < count; row++) {
    const day = Math.floor((submitSeconds[row] - submitSeconds[0]) / DAY_SECONDS);
    if (day >= days.length) break;
    const isKnown = user !== null && user.names[user.codes[row]] !== "";
    if (!isKnown) days[day].push(row);
    else if (ofUser.has(user.codes[row])) ofUser.get(user.codes[row])!.push(row);
    else ofUser.set(user.codes[row], [row]);
  }
  return { users: [...ofUser.values()], days: days.some(({ length }) => length > 0) ? days : [] };
}
