import type { FractionalInstance } from "../instance.ts";
import type { HostLoads } from "./host-loads.ts";

/**
 * What counts as a host's load: all that its services could use, or their requirements
 * only. The slides count all; the authors' program for unequal hosts counts requirements,
 * and sometimes one wins and sometimes the other.
 */
export type Counted = "all" | "requirements";

/**
 * A greedy pick of the host for a service, among those with room for its requirements ("Greedy
 * heuristics 2/4" and "3/4" on the slides, read for unequal hosts). The lowest score
 * is picked, and of equal ones the first host.
 */
export interface HostPick {
  readonly name: `P${number}`;
  readonly summary: string;
  /** The dimension of the service that the score looks at, found once for all hosts; absent: 0. */
  readonly dimension?: (instance: FractionalInstance, service: number) => number;
  score(loads: HostLoads, host: number, service: number, counted: Counted, dimension: number): number;
}

const ofLargestNeed = (instance: FractionalInstance, service: number): number =>
  largest(instance.aggregateNeed, instance, service);
const ofLargestRequirement = (instance: FractionalInstance, service: number): number =>
  largest(instance.aggregateRequirement, instance, service);

export const hostPicks: readonly HostPick[] = [
  {
    name: "P1",
    summary: "most available where its need is largest",
    dimension: ofLargestNeed,
    score: (loads, host, _, counted, dimension) => -available(loads, host, dimension, counted),
  },
  { name: "P2", summary: "least loaded for its capacity", dimension: ofLargestNeed, score: loadShare },
  {
    name: "P3",
    summary: "best fit where its requirement is largest",
    dimension: ofLargestRequirement,
    score: (loads, host, _, counted, dimension) => available(loads, host, dimension, counted),
  },
  {
    name: "P4",
    summary: "best fit in total",
    score: (loads, host, _, counted) => totalAvailable(loads, host, counted),
  },
  {
    name: "P5",
    summary: "worst fit where its requirement is largest",
    dimension: ofLargestRequirement,
    score: (loads, host, _, counted, dimension) => -available(loads, host, dimension, counted),
  },
  {
    name: "P6",
    summary: "worst fit in total",
    score: (loads, host, _, counted) => -totalAvailable(loads, host, counted),
  },
  { name: "P7", summary: "the first", score: () => 0 },
];

/** After placement: load ÷ capacity where the need is largest; or all needs ÷ all that requirements leave. */
function loadShare(loads: HostLoads, host: number, service: number, counted: Counted, d: number): number {
  const { dimensions, aggregateCapacity, aggregateRequirement, aggregateNeed } = loads.instance;
  const at = host * dimensions;
  const of = service * dimensions;
  let load = 0;
  let capacity = 0;
  if (counted === "all") {
    load =
      loads.requirement[at + d] + loads.need[at + d] + aggregateRequirement[of + d] + aggregateNeed[of + d];
    capacity = aggregateCapacity[at + d];
  } else {
    for (let d = 0; d < dimensions; d++) {
      load += loads.need[at + d] + aggregateNeed[of + d];
      capacity += aggregateCapacity[at + d] - loads.requirement[at + d] - aggregateRequirement[of + d];
    }
  }
  return capacity > 0 ? load / capacity : Infinity;
}

function available(
  { instance, requirement, need }: HostLoads,
  host: number,
  d: number,
  counted: Counted,
): number {
  const at = host * instance.dimensions + d;
  const left = instance.aggregateCapacity[at] - requirement[at];
  return counted === "all" ? left - need[at] : left;
}

function totalAvailable(loads: HostLoads, host: number, counted: Counted): number {
  let total = 0;
  for (let d = 0; d < loads.instance.dimensions; d++) total += available(loads, host, d, counted);
  return total;
}

/** The dimension in which the service's amount is largest; of equal ones the first. */
function largest(amounts: Float64Array, { dimensions }: FractionalInstance, service: number): number {
  let dimension = 0;
  for (let d = 1; d < dimensions; d++)
    if (amounts[service * dimensions + d] > amounts[service * dimensions + dimension]) dimension = d;
  return dimension;
}
