import type { Heuristic } from "../../../core/index.ts";
import { Random } from "../../../workload/index.ts";

/** Chooses among the machines that fit at random: copies of it are the same in distribution, and differ by chance. */
export function randomFit(number: number, seed: number): Heuristic {
  const random = new Random(1000 * seed + number);
  return {
    name: `random-fit-${number}`,
    summary: "a machine at random",
    needsMemory: false,
    keepsChoice: false,
    score: () => random.unit(),
  };
}
