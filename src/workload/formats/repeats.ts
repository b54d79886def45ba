/**
 * A job's key is made of its number and its index in its array. Both are whole, so this keeps different pairs apart
 * exactly.
 */
const ARRAY_PLACES = 2 ** 22;

/** What is noted of jobs that share a number. */
export interface Repeats {
  /** The rows that repeat a row above: the same job with the same times. */
  readonly again: ReadonlySet<number>;
  /** The number of other rows whose job number a row above has, and one such number. */
  readonly shared: number;
  readonly sharedNumber: number;
}

/**
 * Finds jobs that are in a log twice: two listings that overlap, or a job that was requeued.
 *
 * @param arrayIndexOf -1 if a job is in no array; null if no job is
 * @param timesOf when a row's job was submitted, started and ended; equal texts stand for equal times
 */
export function findRepeats(
  jobNumber: Float64Array,
  arrayIndexOf: ((row: number) => number) | null,
  timesOf: (row: number) => string,
): Repeats | null {
  const keys = arrayIndexOf === null ? jobNumber : withPlaces(jobNumber, arrayIndexOf);
  if (ascends(keys)) return null;
  const twice = valuesSeenTwice(keys);
  if (twice.size === 0) return null;

  const again = new Set<number>();
  const seen = new Map<number, Set<string>>();
  let shared = 0;
  let sharedNumber = 0;
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row]!;
    if (!twice.has(key)) continue;
    const times = timesOf(row);
    const known = seen.get(key);
    if (known === undefined) {
      seen.set(key, new Set([times]));
    } else if (known.has(times)) {
      again.add(row);
    } else {
      known.add(times);
      if (shared++ === 0) sharedNumber = jobNumber[row]!;
    }
  }
  return { again, shared, sharedNumber };
}

function withPlaces(jobNumber: Float64Array, arrayIndexOf: (row: number) => number): Float64Array {
  return jobNumber.map((number, row) => number * ARRAY_PLACES + arrayIndexOf(row) + 1);
}

function ascends(keys: Float64Array): boolean {
  for (let row = 1; row < keys.length; row++) if (!(keys[row]! > keys[row - 1]!)) return false;
  return true;
}

function valuesSeenTwice(keys: Float64Array): Set<number> {
  const sorted = keys.slice().sort();
  const twice = new Set<number>();
  for (let at = 1; at < sorted.length; at++) if (sorted[at] === sorted[at - 1]) twice.add(sorted[at]!);
  return twice;
}
