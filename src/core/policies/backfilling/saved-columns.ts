import type { PolicyState } from "../../pool/policy.ts";

/** Whether a saved number can be. */
export type Check = (value: number) => boolean;

export const isAnything: Check = () => true;
/** A time or a length of time; "never" is infinite. */
export const isSeconds: Check = (value) => !Number.isNaN(value);
export const isAmount: Check = (value) => Number.isInteger(value) && value >= 0;

/** A number of one of `count` things. */
export function isBelow(count: number): Check {
  return (value) => Number.isInteger(value) && value >= 0 && value < count;
}

/**
 * A column of a saved policy whose rows have a number for each check. What a policy loads without looking at it, such as
 * the number of a machine that there is not, stops the engine hours later.
 *
 * @param rows how many there must be; absent: any number
 * @throws RangeError for a column that was damaged
 */
export function savedColumn(
  state: Partial<PolicyState>,
  name: string,
  checks: readonly Check[],
  rows?: number,
): Float64Array {
  const column = state[name];
  if (!(column instanceof Float64Array)) throw new RangeError(`the snapshot's promises have no ${name}`);
  const isWhole =
    rows === undefined ? column.length % checks.length === 0 : column.length === rows * checks.length;
  if (!isWhole)
    throw new RangeError(`the snapshot is damaged: the promises have ${column.length} values of ${name}`);
  column.forEach((value, at) => {
    if (!checks[at % checks.length](value))
      throw new RangeError(`the snapshot is damaged: promises: ${name}: ${value} cannot be`);
  });
  return column;
}

/** As many delays as the first version counted, with "none". */
const FIRST_DELAYS = 8;

/**
 * Loads counts by delay. A snapshot of an earlier version has fewer: it knew fewer delays.
 *
 * @throws RangeError where the column is damaged
 */
export function loadCounts(state: Partial<PolicyState>, name: string, counts: Float64Array): void {
  const column = savedColumn(state, name, [isAmount]);
  if (column.length > counts.length || column.length < FIRST_DELAYS)
    throw new RangeError(`the snapshot is damaged: the promises have ${column.length} values of ${name}`);
  counts.fill(0);
  counts.set(column);
}
