import { InputError, type Machines } from "../workload/index.ts";

const MAX_INT32 = 2 ** 31 - 1;

/**
 * The same machines with their cores and memory times a factor, rounded down; no
 * machine loses all of either.
 *
 * @throws InputError where an amount becomes too large to count
 */
export function scaleMachines(machines: Machines, coresFactor: number, memoryFactor: number): Machines {
  const scaled = (amounts: Int32Array, factor: number): Int32Array =>
    amounts.map((amount) => {
      const product = Math.floor(amount * factor);
      if (product > MAX_INT32)
        throw new InputError(`machines ${machines.name} times ${factor} are too large`);
      return amount === 0 ? 0 : Math.max(1, product);
    });
  return {
    ...machines,
    coresMilli: scaled(machines.coresMilli, coresFactor),
    memoryMiB: machines.memoryMiB === null ? null : scaled(machines.memoryMiB, memoryFactor),
  };
}
