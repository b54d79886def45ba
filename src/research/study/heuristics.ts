import { findHeuristic, heuristics, type Heuristic } from "../../core/index.ts";
import { resolvePolicy } from "../../simulation/index.ts";
import { InputError, nearest, type Machines, type Workload } from "../../workload/index.ts";

/** The four that look at one resource only (Shai 2014, section 3). */
export const singleResource: readonly string[] = [
  "best-fit-cores",
  "best-fit-memory",
  "worse-fit-cores",
  "worse-fit-memory",
];

/** The five that the thesis compares: the four, and Mix-Fit (section 4). */
export const thesisHeuristics: readonly string[] = [...singleResource, "mix-fit"];

/** @throws InputError naming the nearest known names */
export function heuristicNamed(name: string): Heuristic {
  const heuristic = findHeuristic(name);
  if (heuristic === undefined) {
    const known = heuristics.map((each) => each.name);
    throw new InputError(`unknown heuristic "${name}"; did you mean ${nearest(name, known).join(", ")}?`);
  }
  return heuristic;
}

/** The policies, heuristics among them, that can be run: without memory, those that do not decide by it. */
export function applicable(
  policies: readonly string[],
  workload: Workload,
  machines: Machines,
): readonly string[] {
  if (workload.memoryMiB !== null && machines.memoryMiB !== null) return policies;
  return policies.filter((name) => {
    const { kind, heuristic } = resolvePolicy(name);
    return !kind.needsMemory && !heuristic.needsMemory;
  });
}
