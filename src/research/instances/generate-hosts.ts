import type { Random } from "../../workload/random.ts";
import type { GeneratorSettings } from "./generator-settings.ts";

/**
 * The `cores` shape: the size of a fluid element, how many a host has, and the rigid capacities. A host draws one of
 * each.
 */
const ELEMENTS = [0.05, 0.06, 0.1, 0.12] as const;
const COUNTS = [2, 4, 8] as const;
const RIGID = [0.08, 0.17, 0.25, 0.33, 0.5] as const;

/** The `varied` shape: the mean of the capacities, and the limits to which they are cut (IPDPS 2012). */
const MEAN = 0.5;
const SMALLEST = 0.001;
const LARGEST = 1;

/** Elementary and aggregate capacities, ordered by host. */
export function drawHosts(
  random: Random,
  { hosts, dimensions, shape, hostVariation }: GeneratorSettings,
): { readonly elementaryCapacity: Float64Array; readonly aggregateCapacity: Float64Array } {
  const elementaryCapacity = new Float64Array(hosts * dimensions);
  const aggregateCapacity = new Float64Array(hosts * dimensions);
  for (let at = 0; at < hosts * dimensions; at++) {
    if (shape === "cores" && at % dimensions < Math.ceil(dimensions / 2)) {
      const element = pick(random, ELEMENTS);
      elementaryCapacity[at] = element;
      aggregateCapacity[at] = Math.round(element * pick(random, COUNTS) * 100) / 100;
    } else {
      const capacity = shape === "cores" ? pick(random, RIGID) : drawn(random, shape, hostVariation);
      elementaryCapacity[at] = capacity;
      aggregateCapacity[at] = capacity;
    }
  }
  return { elementaryCapacity, aggregateCapacity };
}

function drawn(random: Random, shape: "equal" | "varied", variation: number): number {
  if (shape === "equal") return 1;
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += random.unit();
  const capacity = Math.max(SMALLEST, Math.min(LARGEST, MEAN * (1 + variation * sum)));
  return Math.round(capacity * 1000) / 1000;
}

function pick(random: Random, values: readonly number[]): number {
  return values[random.index(values.length)]!;
}
