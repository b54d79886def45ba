import type { Heuristic } from "../heuristic.ts";

/**
 * The dot product of what the job asks for and what the machine has free, both
 * as parts of its capacity, largest first (Panigrahy et al. 2011; VectorDot,
 * Singh et al. 2008; named in Shai 2014, section 7).
 */
export const dotProduct: Heuristic = {
  name: "dot-product",
  summary: "the machine whose free resources point most along the job's request",
  needsMemory: false,
  keepsChoice: false,
  score(machines, machine, cores, memory, gpu) {
    const { freeCores, freeMemory, freeGpu, capacityCores, capacityMemory, capacityGpu } = machines;
    const two = negativeDot(
      cores,
      memory,
      freeCores[machine],
      freeMemory[machine],
      capacityCores[machine],
      capacityMemory[machine],
    );
    const c = capacityGpu[machine];
    return gpu === 0 ? two : two - (gpu / c) * (freeGpu[machine] / c);
  },
  index(indexes) {
    const byBalance = indexes.byBalance();
    return (cores, memory) => byBalance.best(cores, memory, negativeDot, mostMemory);
  },
};

function negativeDot(cores: number, memory: number, a: number, b: number, c: number, m: number): number {
  const ofCores = (cores / c) * (a / c);
  return memory === 0 ? -ofCores : -(ofCores + (memory / m) * (b / m));
}

/** The more memory is free, the larger the product. For a job that asks for no memory all amounts are alike. */
function mostMemory(_cores: number, memory: number): number {
  return memory === 0 ? 0 : Infinity;
}
