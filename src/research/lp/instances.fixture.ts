import * as fc from "fast-check";

import type { FractionalInstance } from "../fractional/index.ts";

/** A host or a service in tests: a number a dimension for each of its amounts. */
interface HostSpec {
  readonly elementary: readonly number[];
  readonly aggregate: readonly number[];
}

interface ServiceSpec {
  readonly elementaryRequirement: readonly number[];
  readonly elementaryNeed: readonly number[];
  readonly requirement: readonly number[];
  readonly need: readonly number[];
}

export function instanceOf(hosts: readonly HostSpec[], services: readonly ServiceSpec[]): FractionalInstance {
  const column = <Row>(rows: readonly Row[], amounts: (row: Row) => readonly number[]): Float64Array =>
    Float64Array.from(rows.flatMap(amounts));
  return {
    dimensions: hosts[0].aggregate.length,
    hosts: hosts.length,
    services: services.length,
    elementaryCapacity: column(hosts, (host) => host.elementary),
    aggregateCapacity: column(hosts, (host) => host.aggregate),
    elementaryRequirement: column(services, (service) => service.elementaryRequirement),
    elementaryNeed: column(services, (service) => service.elementaryNeed),
    aggregateRequirement: column(services, (service) => service.requirement),
    aggregateNeed: column(services, (service) => service.need),
  };
}

/** Of one element: what it takes of it is all it takes. */
export function service(requirement: readonly number[], need: readonly number[]): ServiceSpec {
  return { elementaryRequirement: requirement, elementaryNeed: need, requirement, need };
}

export function host(...capacity: number[]): HostSpec {
  return { elementary: capacity, aggregate: capacity };
}

/** Hosts of one to four elements, some equal; services that take one to four elements' amounts. */
export function anyInstance({
  hosts = 3,
  services = 5,
  dimensions = 2,
} = {}): fc.Arbitrary<FractionalInstance> {
  const amounts = (most: number): fc.Arbitrary<number[]> =>
    fc.array(
      fc.oneof(
        fc.constant(0),
        fc.integer({ min: 1, max: most }).map((n) => n / 20),
      ),
      {
        minLength: dimensions,
        maxLength: dimensions,
      },
    );
  const anyHost = fc
    .tuple(
      amounts(20),
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: dimensions, maxLength: dimensions }),
    )
    .map(([elementary, elements]) => ({
      elementary,
      aggregate: elementary.map((size, d) => size * elements[d]),
    }));
  const anyService = fc
    .tuple(amounts(8), amounts(12), fc.integer({ min: 1, max: 4 }))
    .map(([elementaryRequirement, elementaryNeed, elements]) => ({
      elementaryRequirement,
      elementaryNeed,
      requirement: elementaryRequirement.map((amount) => amount * elements),
      need: elementaryNeed.map((amount) => amount * elements),
    }));
  return fc
    .tuple(
      fc.array(anyHost, { minLength: 1, maxLength: hosts }),
      fc.array(anyService, { minLength: 1, maxLength: services }),
      fc.boolean(),
    )
    .map(([some, services, equal]) => instanceOf(equal ? some.map(() => some[0]) : some, services));
}

/** The optimum by trying every placement, straight from the definition; -1: there is none. */
export function bestByTrying(instance: FractionalInstance): number {
  const { hosts, services } = instance;
  const hostOf = new Int32Array(services);
  let best = -1;
  for (let code = 0; code < hosts ** services; code++) {
    for (let j = 0, rest = code; j < services; j++, rest = Math.floor(rest / hosts)) hostOf[j] = rest % hosts;
    best = Math.max(best, greatestYield(instance, hostOf));
  }
  return best;
}

/** The greatest yield that all can have, from every inequality by itself; -1: none. */
export function greatestYield(instance: FractionalInstance, hostOf: Int32Array): number {
  const { dimensions: D, hosts, services } = instance;
  let best = 1;
  const within = (capacity: number, requirement: number, need: number): void => {
    if (requirement > capacity * (1 + 1e-9)) best = -1;
    else if (need > 0) best = Math.min(best, Math.max(0, (capacity - requirement) / need));
  };
  for (let d = 0; d < D; d++) {
    for (let h = 0; h < hosts; h++) {
      let requirement = 0;
      let need = 0;
      for (let j = 0; j < services; j++) {
        if (hostOf[j] !== h) continue;
        const [at, of] = [h * D + d, j * D + d];
        within(
          instance.elementaryCapacity[at],
          instance.elementaryRequirement[of],
          instance.elementaryNeed[of],
        );
        requirement += instance.aggregateRequirement[of];
        need += instance.aggregateNeed[of];
      }
      within(instance.aggregateCapacity[h * D + d], requirement, need);
    }
  }
  return best;
}
