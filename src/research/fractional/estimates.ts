import type { FractionalInstance } from "./instance.ts";

/**
 * Needs are seldom known: what is known are estimates, with errors. Requirements are
 * known (Stillwell, Vivien and Casanova, IPDPS 2012, on errors in CPU need estimates).
 */

/** The lowest estimate of a need: an estimate of 0 would mean that there is no need. */
const MIN_ESTIMATE = 0.001;

/**
 * The instance with every aggregate need off by as much as `maxError` either way, evenly drawn; the elementary need
 * is off in the same proportion. That a service needs nothing of a resource is known without error.
 *
 * @param maxError in the units of the needs
 * @param random from 0 to below 1
 */
export function withErrors(
  instance: FractionalInstance,
  maxError: number,
  random: () => number,
): FractionalInstance {
  return withNeeds(instance, (need) => Math.max(MIN_ESTIMATE, need + (2 * random() - 1) * maxError));
}

/**
 * The instance with aggregate needs of at least `threshold`: small needs have the
 * largest relative errors, and suffer most from them.
 */
export function withThreshold(instance: FractionalInstance, threshold: number): FractionalInstance {
  return withNeeds(instance, (need) => Math.max(threshold, need));
}

/** The instance as it looks to a scheduler that knows nothing of the needs and takes them all to be equal. */
export function withEqualNeeds(instance: FractionalInstance): FractionalInstance {
  return withNeeds(instance, () => 1);
}

/** Changes the aggregate needs that are not 0, and the elementary needs in proportion. */
function withNeeds(instance: FractionalInstance, change: (need: number) => number): FractionalInstance {
  const aggregateNeed = instance.aggregateNeed.map((need) => (need > 0 ? change(need) : 0));
  const elementaryNeed = instance.elementaryNeed.map((need, at) =>
    instance.aggregateNeed[at] > 0 ? need * (aggregateNeed[at] / instance.aggregateNeed[at]) : need,
  );
  return { ...instance, aggregateNeed, elementaryNeed };
}
