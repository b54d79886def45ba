import { InputError, type Farm, type Machines } from "../workload/index.ts";

const MAX_INT32 = 2 ** 31 - 1;

/**
 * The same machines with their cores and memory times a factor, rounded down; no
 * machine loses all of either.
 *
 * @throws InputError where an amount becomes too large to count
 */
export function scaleMachines(machines: Machines, coresFactor: number, memoryFactor: number): Machines {
  const scaled = (amounts: Int32Array, factor: number): Int32Array =>
    amounts.map((amount) => scaledAmount(amount, factor, machines.name));
  return {
    ...machines,
    coresMilli: scaled(machines.coresMilli, coresFactor),
    memoryMiB: machines.memoryMiB === null ? null : scaled(machines.memoryMiB, memoryFactor),
  };
}

/** The same of the machines of all pools of a farm. */
export function scaleFarm(farm: Farm, coresFactor: number, memoryFactor: number): Farm {
  if (coresFactor === 1 && memoryFactor === 1) return farm;
  const { name, pools } = farm;
  return {
    ...farm,
    pools: pools.map((pool) => ({
      ...pool,
      groups: pool.groups.map((group) => ({
        ...group,
        coresMilli: scaledAmount(group.coresMilli, coresFactor, name),
        memoryMiB: group.memoryMiB === null ? null : scaledAmount(group.memoryMiB, memoryFactor, name),
      })),
    })),
  };
}

/** Fewer machines are not counted anew: their cores are scaled. */
const COUNTED = 10;

/** The same farm with so many times the machines: some are left out, or are there twice. */
export function resizeMachines(machines: Machines, factor: number): Machines {
  const { count } = machines;
  if (count < COUNTED) return scaleMachines(machines, factor, factor);
  return pickMachines(machines, evenly(count, Math.round(count * factor)));
}

/**
 * The same machines, of some of which there are as many as told; the others stay as they are.
 *
 * @param places of those in the list; at least one
 */
export function resizeSome(machines: Machines, places: readonly number[], size: number): Machines {
  const some = new Set(places);
  const others = Array.from({ length: machines.count }, (_, machine) => machine).filter(
    (machine) => !some.has(machine),
  );
  const picked = evenly(places.length, size).map((i) => places[i]);
  return pickMachines(
    machines,
    [...others, ...picked].toSorted((a, b) => a - b),
  );
}

/** So many of the numbers below `count`, evenly over them, so that all kinds of machines are among them. */
function evenly(count: number, size: number): number[] {
  return Array.from({ length: size }, (_, i) => Math.floor(((i + 0.5) * count) / size));
}

/** @param picked machines by their places, some of them twice */
function pickMachines(machines: Machines, picked: readonly number[]): Machines {
  const { attributes } = machines;
  const at = (amounts: Int32Array): Int32Array => Int32Array.from(picked, (machine) => amounts[machine]);
  return {
    ...machines,
    count: picked.length,
    ids: picked.map((machine, i) => `${machines.ids[machine]}-${i}`),
    coresMilli: at(machines.coresMilli),
    memoryMiB: machines.memoryMiB === null ? null : at(machines.memoryMiB),
    gpuMilli: machines.gpuMilli === null ? null : at(machines.gpuMilli),
    ...(attributes === undefined ? {} : { attributes: { ...attributes, codes: at(attributes.codes) } }),
  };
}

/** The same of a farm of pools, group by group. */
export function resizeFarm(farm: Farm, factor: number): Farm {
  const isCounted = farm.pools.every(({ groups }) => groups.every(({ count }) => count >= COUNTED));
  if (!isCounted) return scaleFarm(farm, factor, factor);
  return {
    ...farm,
    pools: farm.pools.map((pool) => ({
      ...pool,
      groups: pool.groups.map((group) => ({ ...group, count: Math.round(group.count * factor) })),
    })),
  };
}

function scaledAmount(amount: number, factor: number, name: string): number {
  const product = Math.floor(amount * factor);
  if (product > MAX_INT32) throw new InputError(`machines ${name} times ${factor} are too large`);
  return amount === 0 ? 0 : Math.max(1, product);
}
