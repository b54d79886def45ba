import { findHeuristic, heuristics, type Heuristic } from "../core/index.ts";
import { nearest } from "../simulation/index.ts";
import { InputError } from "../workload/index.ts";

/** The four that look at one resource only (Shai 2014, section 3). */
export const singleResource: readonly string[] = [
  "best-fit-cores",
  "best-fit-memory",
  "worse-fit-cores",
  "worse-fit-memory",
];

/** @throws InputError naming the nearest known names */
export function heuristicNamed(name: string): Heuristic {
  const heuristic = findHeuristic(name);
  if (heuristic === undefined) {
    const known = heuristics.map((each) => each.name);
    throw new InputError(`unknown heuristic "${name}"; did you mean ${nearest(name, known).join(", ")}?`);
  }
  return heuristic;
}
