/**
 * A job's key is made of its number and its index in its array. Both are whole, so this keeps different pairs apart
 * exactly.
 */
const ARRAY_PLACES = 2 ** 22;

/** What is noted of jobs that share a number. */
interface Repeats {
  /** The rows that repeat another: the same run of the same job. */
  readonly again: ReadonlySet<number>;
  /** The number of other rows whose job number a row above has, and one such number. */
  readonly shared: number;
  readonly sharedNumber: number;
}

/**
 * Finds jobs that are in a log twice: two listings that overlap, or a job that was requeued.
 *
 * @param arrayIndexOf -1 if a job is in no array; null if no job is
 * @param identityOf what tells a run from the job's other runs, such as its times
 * @param runtimeOf of rows that are one run the shortest stays, or the first of the shortest: what a later end counts
 *   is no more of the run
 */
export function findRepeats(
  jobNumber: Float64Array,
  arrayIndexOf: ((row: number) => number) | null,
  identityOf: (row: number) => string,
  runtimeOf: (row: number) => number,
): Repeats | null {
  const keys = arrayIndexOf === null ? jobNumber : withPlaces(jobNumber, arrayIndexOf);
  if (ascends(keys)) return null;
  const twice = valuesSeenTwice(keys);
  if (twice.size === 0) return null;

  const again = new Set<number>();
  const seen = new Map<number, Map<string, number>>();
  let shared = 0;
  let sharedNumber = 0;
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row]!;
    if (!twice.has(key)) continue;
    const identity = identityOf(row);
    const known = seen.get(key);
    const same = known?.get(identity);
    if (known === undefined) {
      seen.set(key, new Map([[identity, row]]));
    } else if (same !== undefined) {
      const isShorter = runtimeOf(row) < runtimeOf(same);
      again.add(isShorter ? same : row);
      if (isShorter) known.set(identity, row);
    } else {
      known.set(identity, row);
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
