import type { FractionalInstance } from "../fractional/index.ts";
import type { LpAlgorithm } from "./algorithm.ts";
import { mergeEqual } from "./merge-equal.ts";

/**
 * Whether an instance is more than an algorithm can do in reasonable time and memory: a line for a person, or `null`.
 * Ask before `solve`, which does not check it.
 */
export function tooLarge(algorithm: LpAlgorithm, instance: FractionalInstance): string | null {
  const { hosts, services } = algorithm.mergesEqual ? mergeEqual(instance) : instance;
  if (hosts * services <= algorithm.pairsMost) return null;
  const equals = algorithm.mergesEqual ? "different " : "";
  return `${algorithm.name} takes at most ${algorithm.pairsMost} pairs of a service and a host, and ${services} ${equals}services on ${hosts} ${equals}hosts make ${services * hosts}: use a vector packing`;
}
