import type { Heuristic } from "./heuristic.ts";
import { bestFitCores } from "./heuristics/best-fit-cores.ts";
import { bestFitMemory } from "./heuristics/best-fit-memory.ts";
import { dotProduct } from "./heuristics/dot-product.ts";
import { firstFit } from "./heuristics/first-fit.ts";
import { leastConfiguredMemory } from "./heuristics/least-configured-memory.ts";
import { mixFit } from "./heuristics/mix-fit.ts";
import { mixFitOrigin } from "./heuristics/mix-fit-origin.ts";
import { worseFitCores } from "./heuristics/worse-fit-cores.ts";
import { worseFitMemory } from "./heuristics/worse-fit-memory.ts";
import { inTurn } from "./in-turn.ts";

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
  leastConfiguredMemory,
];

/** Max-Jobs' default list (Shai 2014, section 5), in the order of the thesis's simulator. Ties go to the first. */
export const maxJobsDefaults: readonly string[] = [
  "best-fit-memory",
  "worse-fit-memory",
  "best-fit-cores",
  "worse-fit-cores",
  "mix-fit",
];

/** The combinations that have been asked for, so that a name gives the same object each time. */
const inTurns = new Map<string, Heuristic>();
/** The largest number of heuristics in turn. */
export const maxInTurn = 4;

/**
 * The heuristic with this name or alias, or several in turn: `least-configured-memory+best-fit-cores`. The same name
 * gives the same object.
 */
export function findHeuristic(name: string, among: readonly Heuristic[] = heuristics): Heuristic | undefined {
  const names = name.split("+", maxInTurn + 1);
  const criteria = names.map((each) => findOne(each, among)).filter((each) => each !== undefined);
  const isKnown = criteria.length === names.length && new Set(criteria).size === names.length;
  if (!isKnown || names.length > maxInTurn) return undefined;
  if (criteria.length === 1) return criteria[0];
  const heuristic = inTurns.get(name) ?? inTurn(criteria);
  inTurns.set(name, heuristic);
  return heuristic;
}

function findOne(name: string, among: readonly Heuristic[]): Heuristic | undefined {
  return among.find((heuristic) => heuristic.name === name || heuristic.aliases?.includes(name));
}
