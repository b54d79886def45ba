import { NONE } from "../../core/none.ts";
import { crowdOfRequirements, totalOf, type Crowd } from "./bound.ts";
import { tolerated, type FractionalInstance } from "./instance.ts";
import { OpenBins } from "./packing/open-bins.ts";
import { Packing } from "./packing/packing.ts";

/** Why no placement can meet all requirements. Services and dimensions are counted from 0. */
export type Infeasible =
  | {
      /** The service asks for more than the largest host has, of one element or in all. */
      readonly reason: "too large";
      readonly service: number;
      readonly part: "elementary" | "aggregate";
      readonly dimension: number;
      readonly requirement: number;
      readonly largest: number;
    }
  /** Every host lacks something that the service asks for. */
  | { readonly reason: "no host"; readonly service: number }
  /** All services together ask for more than all hosts have. */
  | {
      readonly reason: "too many";
      readonly dimension: number;
      readonly requirement: number;
      readonly capacity: number;
    }
  /** Services for which few hosts are large enough ask for more than those have. */
  | ({ readonly reason: "crowd" } & Crowd);

/** A proof that no placement meets all requirements, where one is easily found; otherwise null. */
export function whyInfeasible(instance: FractionalInstance): Infeasible | null {
  const packing = new Packing(instance);
  packing.setYield(0);
  const hosts = new OpenBins(packing, packing.binOrder("given", false));
  for (let service = 0; service < instance.services; service++)
    if (hosts.first(service) === NONE) return tooLarge(instance, service);
  for (let d = 0; d < instance.dimensions; d++) {
    const requirement = totalOf(instance.aggregateRequirement, d, instance.dimensions);
    const capacity = totalOf(instance.aggregateCapacity, d, instance.dimensions);
    if (requirement > tolerated(capacity)) return { reason: "too many", dimension: d, requirement, capacity };
  }
  const crowd = crowdOfRequirements(instance);
  return crowd === null ? null : { reason: "crowd", ...crowd };
}

/** The reason as a sentence; services and dimensions count from 1 there. */
export function infeasibleText(why: Infeasible): string {
  switch (why.reason) {
    case "too large": {
      const scope = why.part === "elementary" ? "one element of a host" : "one host";
      const asked = `service ${why.service + 1} requires ${why.requirement} of dimension ${why.dimension + 1}`;
      return `${asked} on ${scope}, and the largest has ${why.largest}`;
    }
    case "no host":
      return `service ${why.service + 1} fits on no host: each lacks something that it requires`;
    case "too many": {
      const asked = `all services together require ${said(why.requirement)} of dimension ${why.dimension + 1}`;
      return `${asked}, and all hosts together have ${said(why.capacity)}`;
    }
    case "crowd": {
      const [first, ...others] = why.services;
      const scope = why.part === "elementary" ? "one element" : "one host";
      const who = `service ${first + 1}${others.length === 0 ? "" : ` and ${others.length} more`}`;
      const where = `${who} require so much of dimension ${why.dimension + 1} on ${scope} that only ${why.hosts} of the hosts are large enough`;
      return `${where}; together they require ${said(why.requirement)} of dimension ${why.lacking + 1}, and those hosts have ${said(why.capacity)}`;
    }
  }
}

/** A sum for printing: without its last digits and without the tolerance. */
function said(amount: number): number {
  return Number(amount.toPrecision(8));
}

function tooLarge(instance: FractionalInstance, service: number): Infeasible {
  for (let d = 0; d < instance.dimensions; d++) {
    for (const part of ["elementary", "aggregate"] as const) {
      const requirement = instance[`${part}Requirement`][service * instance.dimensions + d];
      const largest = largestOf(instance[`${part}Capacity`], d, instance.dimensions);
      if (requirement > tolerated(largest))
        return { reason: "too large", service, part, dimension: d, requirement, largest };
    }
  }
  return { reason: "no host", service };
}

function largestOf(amounts: Float64Array, d: number, dimensions: number): number {
  let largest = 0;
  for (let at = d; at < amounts.length; at += dimensions) largest = Math.max(largest, amounts[at]);
  return largest;
}
