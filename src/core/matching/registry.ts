import type { Heuristic } from "./heuristic.ts";
import { bestFitCores } from "./heuristics/best-fit-cores.ts";
import { bestFitMemory } from "./heuristics/best-fit-memory.ts";
import { dotProduct } from "./heuristics/dot-product.ts";
import { firstFit } from "./heuristics/first-fit.ts";
import { mixFit } from "./heuristics/mix-fit.ts";
import { mixFitOrigin } from "./heuristics/mix-fit-origin.ts";
import { worseFitCores } from "./heuristics/worse-fit-cores.ts";
import { worseFitMemory } from "./heuristics/worse-fit-memory.ts";

/** Every matching heuristic. To add one: a file beside the others, and a line here. */
export const heuristics: readonly Heuristic[] = [
  firstFit,
  bestFitCores,
  bestFitMemory,
  worseFitCores,
  worseFitMemory,
  mixFit,
  mixFitOrigin,
  dotProduct,
];

/** Max-Jobs' list unless told otherwise (Shai 2014, section 5), in the order that breaks its ties. */
export const maxJobsDefaults: readonly string[] = [
  "best-fit-cores",
  "best-fit-memory",
  "worse-fit-cores",
  "worse-fit-memory",
  "mix-fit",
];

/** By its name or an alias. */
export function findHeuristic(name: string): Heuristic | undefined {
  return heuristics.find((heuristic) => heuristic.name === name || heuristic.aliases?.includes(name));
}
