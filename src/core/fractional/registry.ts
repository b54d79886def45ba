import type { FractionalAlgorithm } from "./algorithm.ts";

/** Every algorithm of the core. To add one: a file beside the others, and a line here. */
export const fractionalAlgorithms: readonly FractionalAlgorithm[] = [];

export function findFractionalAlgorithm(name: string): FractionalAlgorithm | undefined {
  return fractionalAlgorithms.find((algorithm) => algorithm.name === name);
}
