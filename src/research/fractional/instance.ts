/**
 * Services to be placed on hosts, and what of their needs they may get (Stillwell,
 * Vivien and Casanova, IPDPS 2012).
 *
 * A host has, in each dimension (cores, memory …), an *elementary* capacity, that of
 * its largest single element (one core), and an *aggregate* capacity, that of all. A
 * service has rigid *requirements*, met in full, and fluid *needs*, met by its
 * *yield*, 0 to 1; both again elementary and aggregate. Service j fits on host h at
 * yield y iff in every dimension
 *
 *     elementaryRequirement + y × elementaryNeed ≤ elementaryCapacity
 *
 * and the sum of `aggregateRequirement + y × aggregateNeed` over the services of h is
 * at most `aggregateCapacity`.
 *
 * Minimum yields ŷ are folded in (r + ŷ n, (1 − ŷ) n): yields are then scaled yields.
 *
 * Columns are host-major and service-major: entry `[h * dimensions + d]` and
 * `[j * dimensions + d]`. All are finite and not negative.
 */
export interface FractionalInstance {
  readonly dimensions: number;
  readonly hosts: number;
  readonly services: number;
  readonly elementaryCapacity: Float64Array;
  readonly aggregateCapacity: Float64Array;
  readonly elementaryRequirement: Float64Array;
  readonly elementaryNeed: Float64Array;
  readonly aggregateRequirement: Float64Array;
  readonly aggregateNeed: Float64Array;
}

/**
 * How far sums may exceed a capacity, as a share of it, whatever the units: sums of
 * decimals are not exact in binary, and a host of 1.0 must hold ten tenths.
 */
export const TOLERANCE = 1e-9;

/** A capacity with its tolerance: what loads are compared with. */
export function tolerated(capacity: number): number {
  return capacity * (1 + TOLERANCE);
}
