import type { FractionalInstance } from "./instance.ts";

/** What is wrong with a placement and its yields; `violationText` says it in words. */
export type Violation =
  | { readonly kind: "shape"; readonly hosts: number; readonly yields: number; readonly services: number }
  | { readonly kind: "host"; readonly service: number; readonly host: number }
  | { readonly kind: "yield"; readonly service: number; readonly yield: number }
  | {
      readonly kind: "elementary";
      readonly service: number;
      readonly host: number;
      readonly dimension: number;
      readonly amount: number;
      readonly capacity: number;
    }
  | {
      readonly kind: "aggregate";
      readonly host: number;
      readonly dimension: number;
      readonly amount: number;
      readonly capacity: number;
    };

/** The largest number of violations listed. */
const MAX_LISTED = 100;

/** How far a sum may exceed a capacity, as a share of it: decimals are not exact in binary. */
const ROUNDING = 1e-9;

/**
 * Checks a placement and its yields against the definition, and nothing else: no code of
 * it is shared with an algorithm, so that a mistake there is not made here again.
 *
 * @param hostOf entry [service]: its host
 * @param yields entry [service]: its yield, 0 to 1
 * @returns what is wrong, in the order of services and hosts, at most 100; none: it is right
 */
export function verifyPlacement(
  instance: FractionalInstance,
  hostOf: ArrayLike<number>,
  yields: ArrayLike<number>,
): Violation[] {
  const { dimensions, hosts, services } = instance;
  if (hostOf.length !== services || yields.length !== services) {
    return [{ kind: "shape", hosts: hostOf.length, yields: yields.length, services }];
  }
  const found: Violation[] = [];
  // Compensated sums: the check must not be less exact than what it checks.
  const sums = Array.from({ length: hosts * dimensions }, () => ({ sum: 0, lost: 0 }));
  for (let j = 0; j < services; j++) {
    const h = hostOf[j];
    const y = yields[j];
    const isHost = Number.isInteger(h) && h >= 0 && h < hosts;
    if (!isHost) found.push({ kind: "host", service: j, host: h });
    const isYield = y >= 0 && y <= 1;
    if (!isYield) found.push({ kind: "yield", service: j, yield: y });
    if (!isHost || !isYield) continue;
    for (let d = 0; d < dimensions; d++) {
      const amount =
        instance.elementaryRequirement[j * dimensions + d] + y * instance.elementaryNeed[j * dimensions + d];
      const capacity = instance.elementaryCapacity[h * dimensions + d];
      if (!isWithin(amount, capacity)) {
        found.push({ kind: "elementary", service: j, host: h, dimension: d, amount, capacity });
      }
      const total = sums[h * dimensions + d];
      add(total, instance.aggregateRequirement[j * dimensions + d]);
      add(total, y * instance.aggregateNeed[j * dimensions + d]);
    }
  }
  for (let h = 0; h < hosts; h++) {
    for (let d = 0; d < dimensions; d++) {
      const { sum, lost } = sums[h * dimensions + d];
      const amount = sum + lost;
      const capacity = instance.aggregateCapacity[h * dimensions + d];
      if (!isWithin(amount, capacity)) {
        found.push({ kind: "aggregate", host: h, dimension: d, amount, capacity });
      }
    }
  }
  return found.slice(0, MAX_LISTED);
}

/** One line for a person; services, hosts and dimensions count from 1, as lines of a file do. */
export function violationText(violation: Violation): string {
  switch (violation.kind) {
    case "shape":
      return `${violation.hosts} hosts and ${violation.yields} yields are given for ${violation.services} services`;
    case "host":
      return `service ${violation.service + 1} is on host ${violation.host + 1}, which does not exist`;
    case "yield":
      return `service ${violation.service + 1} has yield ${violation.yield}, not one from 0 to 1`;
    case "elementary":
      return `service ${violation.service + 1} takes ${violation.amount} of an element of host ${violation.host + 1} in dimension ${violation.dimension + 1}, which has ${violation.capacity}`;
    case "aggregate":
      return `the services on host ${violation.host + 1} take ${violation.amount} in dimension ${violation.dimension + 1}, and it has ${violation.capacity}`;
  }
}

/** False for NaN as well. */
function isWithin(amount: number, capacity: number): boolean {
  return amount <= capacity * (1 + ROUNDING);
}

/** Neumaier's sum. */
function add(total: { sum: number; lost: number }, value: number): void {
  const sum = total.sum + value;
  total.lost += Math.abs(total.sum) >= Math.abs(value) ? total.sum - sum + value : value - sum + total.sum;
  total.sum = sum;
}
