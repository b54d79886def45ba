import type { FractionalInstance } from "./instance.ts";
import { yieldWithin } from "./min-yield.ts";

/**
 * How a host shares a resource among its services (Stillwell, Vivien and Casanova, IPDPS
 * 2012, on errors in CPU need estimates). All get what they require. Of the rest:
 *
 * - `caps` (ALLOCCAPS): each gets what it was allocated, and no more even if it is idle;
 * - `weights` (ALLOCWEIGHTS): in proportion to what they were allocated; what one cannot
 *   use goes to the others, in the same proportion;
 * - `equal` (EQUALWEIGHTS): the same with equal weights, whatever was allocated.
 */
export type Sharing = "caps" | "weights" | "equal";

export const sharings: readonly Sharing[] = ["caps", "weights", "equal"];

/** Sharing ends when yields grow by less than this. */
const MIN_GROWTH = 1e-9;
/** Only with several fluid dimensions can it take more rounds than a host has services. */
const MAX_ROUNDS = 10_000;

/**
 * The yields that services really get if their placement and allocations were made with estimates of their needs.
 *
 * @param actual the instance as it is
 * @param estimated the same with the needs as they were thought to be
 * @param hostOf entry [service]: its host
 * @param yields entry [service]: its yield by the estimates; it was allocated that much of
 *   its estimated needs
 * @returns entry [service]: the part of its actual needs that it gets
 */
export function realisedYields(
  actual: FractionalInstance,
  estimated: FractionalInstance,
  hostOf: Int32Array,
  yields: Float64Array,
  sharing: Sharing,
): Float64Array {
  if (sharing === "caps") return cappedYields(actual, estimated, yields);
  const weights = actual.aggregateNeed.map((need, at) => {
    if (need === 0) return 0;
    const service = Math.floor(at / actual.dimensions);
    return sharing === "equal" ? 1 : yields[service] * estimated.aggregateNeed[at];
  });
  const realised = new Float64Array(actual.services);
  for (const members of membersOf(actual, hostOf)) share(actual, hostOf, members, weights, realised);
  return realised;
}

function cappedYields(
  { dimensions, services, aggregateNeed, elementaryNeed }: FractionalInstance,
  estimated: FractionalInstance,
  yields: Float64Array,
): Float64Array {
  const realised = new Float64Array(services).fill(1);
  for (let at = 0; at < services * dimensions; at++) {
    const service = Math.floor(at / dimensions);
    for (const [need, estimate] of [
      [aggregateNeed[at], estimated.aggregateNeed[at]],
      [elementaryNeed[at], estimated.elementaryNeed[at]],
    ]) {
      if (need > 0) realised[service] = Math.min(realised[service], (yields[service] * estimate) / need);
    }
  }
  return realised;
}

/** Hands out what a host has left, in proportion to weights, until no service can use more. */
function share(
  actual: FractionalInstance,
  hostOf: Int32Array,
  members: readonly number[],
  weights: Float64Array,
  realised: Float64Array,
): void {
  const { dimensions, aggregateNeed } = actual;
  const limits = new Map(
    members.map((service) => [service, yieldOfElements(actual, service, hostOf[service])]),
  );
  let hungry = members;
  for (let round = 0; hungry.length > 0 && round < MAX_ROUNDS; round++) {
    const left = leftOn(actual, hostOf[hungry[0]], members, realised);
    const totals = new Float64Array(dimensions);
    for (const service of hungry) {
      for (let d = 0; d < dimensions; d++) totals[d] += weights[service * dimensions + d];
    }
    hungry = hungry.filter((service) => {
      let growth = limits.get(service)! - realised[service];
      for (let d = 0; d < dimensions; d++) {
        const at = service * dimensions + d;
        if (aggregateNeed[at] === 0) continue;
        const part = totals[d] === 0 ? 0 : weights[at] / totals[d];
        growth = Math.min(growth, (left[d] * part) / aggregateNeed[at]);
      }
      realised[service] += Math.max(0, growth);
      return growth > MIN_GROWTH;
    });
  }
}

/** What is left on a host in every dimension, at least 0. */
function leftOn(
  { dimensions, aggregateCapacity, aggregateRequirement, aggregateNeed }: FractionalInstance,
  host: number,
  members: readonly number[],
  realised: Float64Array,
): Float64Array {
  const left = aggregateCapacity.slice(host * dimensions, (host + 1) * dimensions);
  for (const service of members) {
    for (let d = 0; d < dimensions; d++) {
      const at = service * dimensions + d;
      left[d] -= aggregateRequirement[at] + realised[service] * aggregateNeed[at];
    }
  }
  return left.map((amount) => Math.max(0, amount));
}

/** The yield that the elements of a host allow a service. */
function yieldOfElements(actual: FractionalInstance, service: number, host: number): number {
  const { dimensions, elementaryCapacity, elementaryRequirement, elementaryNeed } = actual;
  let least = 1;
  for (let d = 0; d < dimensions; d++) {
    const at = service * dimensions + d;
    const most = yieldWithin(
      elementaryCapacity[host * dimensions + d],
      elementaryRequirement[at],
      elementaryNeed[at],
    );
    least = Math.min(least, Math.max(0, most));
  }
  return least;
}

function membersOf({ hosts }: FractionalInstance, hostOf: Int32Array): number[][] {
  const members = Array.from({ length: hosts }, (): number[] => []);
  hostOf.forEach((host, service) => members[host].push(service));
  return members;
}
