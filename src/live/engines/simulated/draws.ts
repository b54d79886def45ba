import { Random } from "../../../workload/random.ts";

/** A stream of its own for each name. */
export function seeded(seed: number, name: string): Random {
  // FNV-1a over the characters; the generator mixes further.
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return new Random(hash);
}

export function exponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random.unit());
}
