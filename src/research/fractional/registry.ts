import type { AlgorithmFamily, FractionalAlgorithm } from "./algorithm.ts";
import { greedyFamily, metaGreedyFamily } from "./greedy/names.ts";
import { fitFamily, metaPackingFamily, permutationFamily } from "./packing/names.ts";

/** Every family of algorithms. To add one: a file beside the others, and a line here. */
export const fractionalFamilies: readonly AlgorithmFamily[] = [
  greedyFamily,
  metaGreedyFamily,
  fitFamily,
  permutationFamily,
  metaPackingFamily,
];

export const fractionalAlgorithms: readonly FractionalAlgorithm[] = fractionalFamilies.flatMap(
  ({ algorithms }) => algorithms,
);

export function findFractionalAlgorithm(name: string): FractionalAlgorithm | undefined {
  return fractionalAlgorithms.find((algorithm) => algorithm.name === name);
}
