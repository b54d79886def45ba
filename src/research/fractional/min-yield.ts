import { tolerated, type FractionalInstance } from "./instance.ts";

/**
 * The greatest yield that all services can have at once where they are placed, 0 to
 * 1, or -1 where not even their requirements are met.
 */
export function minYieldOf(instance: FractionalInstance, hostOf: Int32Array): number {
  const { dimensions, hosts, services } = instance;
  const requirements = new Float64Array(hosts * dimensions);
  const needs = new Float64Array(hosts * dimensions);
  let minYield = 1;
  for (let service = 0; service < services; service++) {
    const host = hostOf[service] * dimensions;
    const at = service * dimensions;
    for (let d = 0; d < dimensions; d++) {
      const { elementaryRequirement, elementaryNeed, elementaryCapacity } = instance;
      requirements[host + d] += instance.aggregateRequirement[at + d];
      needs[host + d] += instance.aggregateNeed[at + d];
      const yields = yieldWithin(
        elementaryCapacity[host + d],
        elementaryRequirement[at + d],
        elementaryNeed[at + d],
      );
      if (yields < minYield) minYield = yields;
    }
  }
  for (let at = 0; at < hosts * dimensions; at++) {
    const yields = yieldWithin(instance.aggregateCapacity[at], requirements[at], needs[at]);
    if (yields < minYield) minYield = yields;
  }
  return minYield;
}

/** The yield at which a requirement and a need fill a capacity, at most 1; -1 where the requirement alone is too much. */
export function yieldWithin(capacity: number, requirement: number, need: number): number {
  if (requirement > tolerated(capacity)) return -1;
  if (requirement + need <= capacity) return 1;
  return need === 0 ? 1 : Math.max(0, Math.min(1, (capacity - requirement) / need));
}
