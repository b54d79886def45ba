import { InputError } from "../../workload/errors.ts";

/**
 * Services and hosts as columns, in the same shape as the `FractionalInstance` of the scheduler, which defines the
 * amounts. Entries are ordered by host or service: `[h * dimensions + d]`, `[j * dimensions + d]`.
 */
export interface InstanceColumns {
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

/** The parts of a host's line, in the order of the file. Each has as many numbers as there are dimensions. */
export const HOST_PARTS = ["elementaryCapacity", "aggregateCapacity"] as const;

/** The parts of a service's line, in the order of the file. */
export const SERVICE_PARTS = [
  "elementaryRequirement",
  "elementaryNeed",
  "aggregateRequirement",
  "aggregateNeed",
] as const;

/** The names of the parts in errors. */
export const PART_WORDS: Readonly<
  Record<(typeof HOST_PARTS)[number] | (typeof SERVICE_PARTS)[number], string>
> = {
  elementaryCapacity: "elementary capacity",
  aggregateCapacity: "aggregate capacity",
  elementaryRequirement: "elementary requirement",
  elementaryNeed: "elementary need",
  aggregateRequirement: "aggregate requirement",
  aggregateNeed: "aggregate need",
};

/** More would not fit in memory, or the file is something else. */
const LIMITS = { dimensions: 64, hosts: 1_000_000, services: 10_000_000, numbers: 100_000_000 };

interface Place {
  readonly file: string;
  readonly line: number;
}

/** @throws InputError for more dimensions, hosts or services than are supported */
export function checkCount(name: "dimensions" | "hosts" | "services", count: number, where?: Place): void {
  if (count > LIMITS[name])
    throw new InputError(`${count} ${name}: more than ${LIMITS[name]} are not supported`, where);
}

/**
 * The number of numbers in an instance of that size.
 *
 * @throws InputError for more than are supported
 */
export function countNumbers(
  { dimensions, hosts, services }: Pick<InstanceColumns, "dimensions" | "hosts" | "services">,
  where?: Place,
): number {
  const numbers = dimensions * (HOST_PARTS.length * hosts + SERVICE_PARTS.length * services);
  if (numbers > LIMITS.numbers) {
    const text = `${hosts} hosts and ${services} services in ${dimensions} dimensions take ${numbers} numbers`;
    throw new InputError(`${text}: more than ${LIMITS.numbers} are not supported`, where);
  }
  return numbers;
}
