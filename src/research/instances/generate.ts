import { Random } from "../../workload/random.ts";
import { drawHosts } from "./generate-hosts.ts";
import type { GeneratorSettings } from "./generator-settings.ts";

export type { GeneratorSettings } from "./generator-settings.ts";
import { checkCount, countNumbers, type InstanceColumns } from "./instance.ts";

export const generatorDefaults: GeneratorSettings = {
  hosts: 64,
  services: 256,
  dimensions: 2,
  slack: 0.2,
  load: 2,
  needVariation: 0.5,
  shape: "equal",
  hostVariation: 0.5,
  constrained: 0,
  minYield: 0.5,
  seed: 1,
};

const SMALLEST = 0.02;
const LARGEST = 2;
/** The number of a host's elements that a service uses at a time: its aggregate amounts ÷ its elementary ones. */
const SERVICE_ELEMENTS = [1, 2, 4] as const;
/** The usual number of digits in files. */
const DECIMALS = 10_000;

/**
 * A synthetic instance after the experiments of Stillwell and others (JPDC 2010; hosts also IPDPS 2012).
 *
 * @throws InputError if it would be too large to be read again
 */
export function generateInstance(settings: GeneratorSettings): InstanceColumns {
  for (const name of ["dimensions", "hosts", "services"] as const) checkCount(name, settings[name]);
  countNumbers(settings);
  const random = new Random(settings.seed);
  const { dimensions, hosts, services, shape } = settings;
  const { elementaryCapacity, aggregateCapacity } = drawHosts(random, settings);
  const column = (): Float64Array => new Float64Array(services * dimensions);
  const elementaryRequirement = column();
  const elementaryNeed = column();
  const aggregateRequirement = column();
  const aggregateNeed = column();
  const minYields = Float64Array.from({ length: services }, () =>
    random.unit() < settings.constrained ? settings.minYield : 0,
  );
  const elements = Int32Array.from({ length: services }, () =>
    shape === "cores" ? SERVICE_ELEMENTS[random.index(SERVICE_ELEMENTS.length)]! : 1,
  );
  for (let d = 0; d < dimensions; d++) {
    const isFluid = d < Math.ceil(dimensions / 2);
    const capacity = sumOf(aggregateCapacity, d, dimensions);
    const amounts = Float64Array.from({ length: services }, (_, j) =>
      isFluid ? normal(random, settings.needVariation) * elements[j]! : rigid(random, settings),
    );
    const total = amounts.reduce((sum, amount) => sum + amount, 0);
    const scale = ((isFluid ? settings.load : 1 - settings.slack) * capacity) / total;
    const largestElement = maxOf(elementaryCapacity, d, dimensions);
    for (let j = 0; j < services; j++) {
      const at = j * dimensions + d;
      const parts = isFluid ? elements[j]! : 1;
      const element = Math.min((amounts[j]! * scale) / parts, largestElement);
      if (isFluid) {
        const least = minYields[j]!;
        elementaryRequirement[at] = rounded(least * element);
        elementaryNeed[at] = rounded((1 - least) * element);
      } else {
        elementaryRequirement[at] = rounded(element);
      }
      aggregateRequirement[at] = elementaryRequirement[at] * parts;
      aggregateNeed[at] = elementaryNeed[at]! * parts;
    }
  }
  return {
    dimensions,
    hosts,
    services,
    elementaryCapacity,
    aggregateCapacity,
    elementaryRequirement,
    elementaryNeed,
    aggregateRequirement,
    aggregateNeed,
  };
}

/**
 * A random factor around 1, cut to between `SMALLEST` and `LARGEST`. The sum of twelve uniform numbers is close enough
 * to normal, and the same on every machine.
 */
function normal(random: Random, variation: number): number {
  for (;;) {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += random.unit();
    const value = 1 + variation * sum;
    if (value >= SMALLEST && value <= LARGEST) return value;
  }
}

/** If hosts have cores: many small services and a few large ones, as in data centres. Otherwise as the needs. */
function rigid(random: Random, { shape, needVariation }: GeneratorSettings): number {
  return shape === "cores" ? SMALLEST + random.unit() ** 3 : normal(random, needVariation);
}

function rounded(amount: number): number {
  return Math.round(amount * DECIMALS) / DECIMALS;
}

function sumOf(amounts: Float64Array, d: number, dimensions: number): number {
  let sum = 0;
  for (let at = d; at < amounts.length; at += dimensions) sum += amounts[at]!;
  return sum;
}

function maxOf(amounts: Float64Array, d: number, dimensions: number): number {
  let max = 0;
  for (let at = d; at < amounts.length; at += dimensions) max = Math.max(max, amounts[at]!);
  return max;
}
