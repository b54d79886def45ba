import { tolerated, type FractionalInstance } from "../instance.ts";
import { yieldWithin } from "../min-yield.ts";

/** What hosts carry while services are placed one by one. */
export class HostLoads {
  readonly instance: FractionalInstance;
  /** Entry [host * dimensions + d]: of the services placed there. */
  readonly requirement: Float64Array;
  readonly need: Float64Array;
  /** Entry [host]: the yield that the services placed there can all have, at most 1. */
  readonly minYield: Float64Array;

  constructor(instance: FractionalInstance) {
    const { hosts, dimensions } = instance;
    this.instance = instance;
    this.requirement = new Float64Array(hosts * dimensions);
    this.need = new Float64Array(hosts * dimensions);
    this.minYield = new Float64Array(hosts).fill(1);
  }

  reset(): void {
    this.requirement.fill(0);
    this.need.fill(0);
    this.minYield.fill(1);
  }

  /** Whether the host can meet the service's requirements beside those it has. */
  hasRoom(host: number, service: number): boolean {
    const { dimensions, aggregateCapacity, aggregateRequirement } = this.instance;
    const { elementaryCapacity, elementaryRequirement } = this.instance;
    let at = host * dimensions;
    let of = service * dimensions;
    for (let d = 0; d < dimensions; d++, at++, of++) {
      if (this.requirement[at] + aggregateRequirement[of] > tolerated(aggregateCapacity[at])) return false;
      if (elementaryRequirement[of] > tolerated(elementaryCapacity[at])) return false;
    }
    return true;
  }

  put(service: number, host: number): void {
    const { dimensions, aggregateCapacity, aggregateRequirement, aggregateNeed } = this.instance;
    const { elementaryCapacity, elementaryRequirement, elementaryNeed } = this.instance;
    let at = host * dimensions;
    let of = service * dimensions;
    for (let d = 0; d < dimensions; d++, at++, of++) {
      this.requirement[at] += aggregateRequirement[of];
      this.need[at] += aggregateNeed[of];
      this.minYield[host] = Math.min(
        this.minYield[host],
        yieldWithin(aggregateCapacity[at], this.requirement[at], this.need[at]),
        yieldWithin(elementaryCapacity[at], elementaryRequirement[of], elementaryNeed[of]),
      );
    }
  }
}
