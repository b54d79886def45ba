import type { FractionalInstance } from "../fractional/index.ts";

/**
 * The same instance for the relaxation, with equal hosts as one host and equal services
 * as one service. Of any rational solution the mean over all ways to swap equals is a
 * solution too, and it treats equals alike; so the bound is the same. A host for k has k
 * times every capacity; a service for m needs m times the aggregate amounts, and the
 * parts of it that are on a host have its own elementary ones.
 */
export function mergeEqual(instance: FractionalInstance): FractionalInstance {
  const { dimensions } = instance;
  const capacities = [instance.elementaryCapacity, instance.aggregateCapacity];
  const elementary = [instance.elementaryRequirement, instance.elementaryNeed];
  const aggregate = [instance.aggregateRequirement, instance.aggregateNeed];
  const hosts = equalRows(instance.hosts, dimensions, capacities);
  const services = equalRows(instance.services, dimensions, [...elementary, ...aggregate]);
  const [elementaryCapacity, aggregateCapacity] = capacities.map((column) => hosts.times(column));
  const [aggregateRequirement, aggregateNeed] = aggregate.map((column) => services.times(column));
  const [elementaryRequirement, elementaryNeed] = elementary.map((column) => services.once(column));
  return {
    dimensions,
    hosts: hosts.count,
    services: services.count,
    elementaryCapacity: elementaryCapacity!,
    aggregateCapacity: aggregateCapacity!,
    elementaryRequirement: elementaryRequirement!,
    elementaryNeed: elementaryNeed!,
    aggregateRequirement: aggregateRequirement!,
    aggregateNeed: aggregateNeed!,
  };
}

interface EqualRows {
  readonly count: number;
  /** A column of the first rows of their kind. */
  once(column: Float64Array): Float64Array;
  /** The same, times how many there are. */
  times(column: Float64Array): Float64Array;
}

function equalRows(rows: number, dimensions: number, columns: readonly Float64Array[]): EqualRows {
  const kinds = new Map<string, { first: number; many: number }>();
  for (let row = 0; row < rows; row++) {
    const key = columns.map((column) => column.subarray(row * dimensions, (row + 1) * dimensions)).join(";");
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, { first: row, many: 1 });
    else kind.many++;
  }
  const found = [...kinds.values()];
  const pick = (column: Float64Array, factor: (many: number) => number): Float64Array => {
    const picked = new Float64Array(found.length * dimensions);
    for (const [kind, { first, many }] of found.entries()) {
      for (let d = 0; d < dimensions; d++) {
        picked[kind * dimensions + d] = column[first * dimensions + d]! * factor(many);
      }
    }
    return picked;
  };
  return {
    count: found.length,
    once: (column) => pick(column, () => 1),
    times: (column) => pick(column, (many) => many),
  };
}
