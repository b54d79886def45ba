import type { FractionalInstance } from "./instance.ts";
import { yieldWithin } from "./min-yield.ts";

/**
 * The max-min fair yields of placed services: the least is as large as the placement allows, then the next, and so
 * on. Hosts share nothing, so each is solved by itself, by progressive filling: the yields of all its services rise
 * together; a service stops at its own limit, and once a dimension is used up, all services stop that need more of
 * it.
 *
 * Takes `services × log(services) + services × dimensions²` steps.
 *
 * @param hostOf Entry [service]: its host. All requirements are met (`minYieldOf` is not -1).
 * @returns Entry [service]: its yield, 0 to 1.
 */
export function allocate(instance: FractionalInstance, hostOf: Int32Array): Float64Array {
  const yields = new Float64Array(instance.services);
  const limits = ownLimits(instance, hostOf);
  const { starts, members } = servicesByHost(instance, hostOf);
  const filling = new ProgressiveFilling(instance, yields, limits);
  for (let host = 0; host < instance.hosts; host++)
    filling.fill(host, members.subarray(starts[host], starts[host + 1]));
  return yields;
}

/** Entry [service]: the yield at which it fills an element of its host, at most 1. */
function ownLimits(instance: FractionalInstance, hostOf: Int32Array): Float64Array {
  const { dimensions, elementaryCapacity, elementaryRequirement, elementaryNeed } = instance;
  return Float64Array.from(hostOf, (host, service) => {
    let limit = 1;
    for (let d = 0; d < dimensions; d++) {
      const at = service * dimensions + d;
      const capacity = elementaryCapacity[host * dimensions + d];
      limit = Math.min(limit, yieldWithin(capacity, elementaryRequirement[at], elementaryNeed[at]));
    }
    return Math.max(0, limit);
  });
}

function servicesByHost(
  { hosts, services }: FractionalInstance,
  hostOf: Int32Array,
): { readonly starts: Int32Array; readonly members: Int32Array } {
  const starts = new Int32Array(hosts + 1);
  for (const host of hostOf) starts[host + 1]++;
  for (let host = 0; host < hosts; host++) starts[host + 1] += starts[host];
  const next = starts.slice();
  const members = new Int32Array(services);
  for (let service = 0; service < services; service++) members[next[hostOf[service]]++] = service;
  return { starts, members };
}

/** Progressive filling of one host after the other. */
class ProgressiveFilling {
  private readonly instance: FractionalInstance;
  private readonly yields: Float64Array;
  private readonly limits: Float64Array;
  /** Entry [d]: the capacity that is left by requirements and by the services that have stopped. */
  private readonly spare: Float64Array;
  /** Entry [d]: the needs of the services that still rise. */
  private readonly risingNeeds: Float64Array;
  /** Entry [d]: smaller sums of needs are rounding errors, left after all needs were subtracted again. */
  private readonly negligible: Float64Array;

  constructor(instance: FractionalInstance, yields: Float64Array, limits: Float64Array) {
    this.instance = instance;
    this.yields = yields;
    this.limits = limits;
    this.spare = new Float64Array(instance.dimensions);
    this.risingNeeds = new Float64Array(instance.dimensions);
    this.negligible = new Float64Array(instance.dimensions);
  }

  fill(host: number, services: Int32Array): void {
    const limits = this.limits;
    let rising = services.slice().sort((a, b) => limits[a] - limits[b] || a - b);
    this.startWith(host, services);
    while (rising.length > 0) {
      this.sumNeeds(rising);
      // 1. The services with the lowest limits reach them, unless a dimension is used up before.
      let count = 0;
      for (; count < rising.length; count++) {
        const { level } = this.firstUsedUp();
        if (limits[rising[count]] > level) break;
        this.stop(rising[count], limits[rising[count]]);
      }
      rising = rising.subarray(count);
      if (rising.length === 0) return;
      // 2. A dimension is used up: the services that need more of it stop.
      const { level, dimension } = this.firstUsedUp();
      const { dimensions, aggregateNeed } = this.instance;
      rising = rising.filter((service) => {
        if (aggregateNeed[service * dimensions + dimension] === 0) return true;
        this.stop(service, level);
        return false;
      });
    }
  }

  private startWith(host: number, services: Int32Array): void {
    const { dimensions, aggregateCapacity, aggregateRequirement } = this.instance;
    for (let d = 0; d < dimensions; d++) {
      let spare = aggregateCapacity[host * dimensions + d];
      for (const service of services) spare -= aggregateRequirement[service * dimensions + d];
      this.spare[d] = Math.max(0, spare);
    }
  }

  private sumNeeds(services: Int32Array): void {
    const { dimensions, aggregateNeed } = this.instance;
    for (let d = 0; d < dimensions; d++) {
      let sum = 0;
      for (const service of services) sum += aggregateNeed[service * dimensions + d];
      this.risingNeeds[d] = sum;
      this.negligible[d] = sum * 1e-15;
    }
  }

  /** The dimension that is used up first as all rise, and their yield then; infinite where none is. */
  private firstUsedUp(): { readonly level: number; readonly dimension: number } {
    let level = Infinity;
    let dimension = -1;
    for (let d = 0; d < this.risingNeeds.length; d++) {
      if (this.risingNeeds[d] <= this.negligible[d]) continue;
      const used = Math.max(0, this.spare[d]) / this.risingNeeds[d];
      if (used < level) {
        level = used;
        dimension = d;
      }
    }
    return { level, dimension };
  }

  private stop(service: number, minYield: number): void {
    this.yields[service] = minYield;
    const { dimensions, aggregateNeed } = this.instance;
    for (let d = 0; d < dimensions; d++) {
      const need = aggregateNeed[service * dimensions + d];
      this.spare[d] -= minYield * need;
      this.risingNeeds[d] -= need;
    }
  }
}
