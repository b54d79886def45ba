import { NONE } from "../../core/none.ts";
import { TOLERANCE, tolerated, type FractionalInstance } from "./instance.ts";
import { OpenBins } from "./packing/open-bins.ts";
import { Packing } from "./packing/packing.ts";

/** How far the answer may be above the lowest bound that this method can prove. */
export const BOUND_PRECISION = 1e-6;

/**
 * The closed form of the linear relaxation on equal hosts (Stillwell and others, JPDC 2010):
 * all hosts as one. An upper bound of the minimum yield on any hosts; -1 where not even
 * all requirements fit.
 */
export function closedFormBound(instance: FractionalInstance): number {
  const { dimensions, aggregateCapacity, aggregateRequirement, aggregateNeed } = instance;
  let bound = 1;
  for (let d = 0; d < dimensions; d++) {
    const capacity = totalOf(aggregateCapacity, d, dimensions);
    const spare = tolerated(capacity) - totalOf(aggregateRequirement, d, dimensions);
    if (spare < 0) return -1;
    const need = totalOf(aggregateNeed, d, dimensions);
    if (need > 0) bound = Math.min(bound, spare / need);
  }
  return bound;
}

/**
 * An upper bound of the minimum yield, never below the optimum and at most the closed
 * form; -1 where it is proved that no placement meets all requirements.
 *
 * A yield is impossible if some service fits on no host. It is also impossible if, for some t, the services that each
 * need more than t of a dimension need more together than all hosts have that offer more than t of it (on a host, or
 * in one element).
 */
export function yieldBound(instance: FractionalInstance): number {
  const closedForm = closedFormBound(instance);
  if (closedForm < 0) return -1;
  const crowding = new Crowding(instance);
  return Math.min(
    closedForm,
    largest(closedForm, (minYield) => crowding.at(minYield) === null),
    largestThatFits(instance, closedForm),
  );
}

/** Where a predicate that holds up to some yield stops to hold, rounded up; -1 where it never holds. */
function largest(limit: number, holds: (minYield: number) => boolean): number {
  if (holds(limit)) return limit;
  if (!holds(0)) return -1;
  let low = 0;
  let high = limit;
  while (high - low > BOUND_PRECISION) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** The largest yield at which every service by itself fits on some host. */
function largestThatFits(instance: FractionalInstance, limit: number): number {
  const packing = new Packing(instance);
  let suspects: number[] = Array.from({ length: packing.items }, (_, item) => item);
  const misfits = (minYield: number): number[] => {
    packing.setYield(minYield);
    const hosts = new OpenBins(packing, packing.binOrder("given", false));
    return suspects.filter((item) => hosts.first(item) === NONE);
  };
  // A service that fits at the limit fits at any lower yield.
  suspects = misfits(limit);
  return largest(limit, (minYield) => misfits(minYield).length === 0);
}

/** Large services that have to share the few hosts that are large enough, and are too many for them. */
export interface Crowd {
  /** In what they are large. */
  readonly part: "elementary" | "aggregate";
  readonly dimension: number;
  readonly services: readonly number[];
  /** How many hosts are large enough. */
  readonly hosts: number;
  /** What they lack. */
  readonly lacking: number;
  readonly requirement: number;
  readonly capacity: number;
}

/** Why requirements alone cannot be met, where it is a crowd; otherwise null. */
export function crowdOfRequirements(instance: FractionalInstance): Crowd | null {
  return new Crowding(instance).at(0);
}

/** What large services need in all against what large hosts have in all. */
class Crowding {
  private readonly packing: Packing;
  /** Entry [coordinate]: the capacities that there are in it, ascending. */
  private readonly levels: readonly Float64Array[];
  /** Entry [coordinate][level * dimensions + d]: what hosts of at least that capacity have in all. */
  private readonly capacityAbove: readonly Float64Array[];
  private readonly demand: readonly Float64Array[];

  constructor(instance: FractionalInstance) {
    const packing = new Packing(instance);
    const { capacity, width, bins, dimensions } = packing;
    this.packing = packing;
    this.levels = Array.from({ length: width }, (_, c) =>
      distinct(Float64Array.from({ length: bins }, (_, bin) => capacity[bin * width + c])),
    );
    this.capacityAbove = this.levels.map((levels, c) => {
      const totals = new Float64Array(levels.length * dimensions);
      for (let bin = 0; bin < bins; bin++)
        addAt(totals, levelOf(levels, capacity[bin * width + c]), capacity, bin * width, dimensions);
      return summedDown(totals, dimensions);
    });
    this.demand = this.levels.map((levels) => new Float64Array(levels.length * dimensions));
  }

  /** A crowd at that yield; null where there is none. */
  at(minYield: number): Crowd | null {
    const packing = this.packing;
    packing.setYield(minYield);
    const { items, size, width, dimensions } = packing;
    for (let c = 0; c < width; c++) {
      const levels = this.levels[c];
      const demand = this.demand[c].fill(0);
      for (let item = 0; item < items; item++) {
        const level = levelOf(levels, size[item * width + c]);
        // It is larger than every host: `largestThatFits` takes care of such services.
        if (level < levels.length) addAt(demand, level, size, item * width, dimensions);
      }
      summedDown(demand, dimensions);
      // Large sums have rounding errors; the capacities include a tolerance for each host.
      for (let at = 0; at < demand.length; at++)
        if (demand[at] > this.capacityAbove[c][at] * (1 + TOLERANCE)) return this.crowd(c, at);
    }
    return null;
  }

  /** The services that are counted in that entry of the demand. */
  private crowd(c: number, at: number): Crowd {
    const { items, size, bins, capacity, width, dimensions } = this.packing;
    const levels = this.levels[c];
    const level = Math.floor(at / dimensions);
    const isLarge = (value: number): boolean => {
      const own = levelOf(levels, value);
      return own >= level && own < levels.length;
    };
    const large = (amounts: Float64Array, count: number): number[] =>
      Array.from({ length: count }, (_, i) => i).filter((i) => isLarge(amounts[i * width + c]));
    return {
      ...this.packing.meaningOf(c),
      services: large(size, items),
      hosts: large(capacity, bins).length,
      lacking: at % dimensions,
      requirement: this.demand[c][at],
      capacity: this.capacityAbove[c][at],
    };
  }
}

export function totalOf(amounts: Float64Array, d: number, dimensions: number): number {
  let sum = 0;
  for (let at = d; at < amounts.length; at += dimensions) sum += amounts[at];
  return sum;
}

function distinct(values: Float64Array): Float64Array {
  values.sort();
  return values.filter((value, i) => i === 0 || value !== values[i - 1]);
}

/** The first level that is not below the value; as many as there are levels where all are. */
function levelOf(levels: Float64Array, value: number): number {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (levels[middle] >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}

function addAt(
  totals: Float64Array,
  level: number,
  amounts: Float64Array,
  at: number,
  dimensions: number,
): void {
  for (let d = 0; d < dimensions; d++) totals[level * dimensions + d] += amounts[at + d];
}

/** Entry [level] becomes the sum of those from that level up. */
function summedDown(totals: Float64Array, dimensions: number): Float64Array {
  for (let at = totals.length - dimensions - 1; at >= 0; at--) totals[at] += totals[at + dimensions];
  return totals;
}
