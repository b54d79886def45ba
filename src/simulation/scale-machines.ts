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

function scaledAmount(amount: number, factor: number, name: string): number {
  const product = Math.floor(amount * factor);
  if (product > MAX_INT32) throw new InputError(`machines ${name} times ${factor} are too large`);
  return amount === 0 ? 0 : Math.max(1, product);
}
