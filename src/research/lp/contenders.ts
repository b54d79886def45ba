import {
  findFractionalAlgorithm,
  fractionalAlgorithms,
  fractionalFamilies,
  type Assignment,
  type FractionalInstance,
} from "../fractional/index.ts";
import type { LpOptions, LpOutcome } from "./algorithm.ts";
import { findLpAlgorithm, lpAlgorithms } from "./registry.ts";
import { tooLarge } from "./size.ts";
import type { LpSolver } from "./solver.ts";

/** An algorithm of `src/research/fractional` or on a solver, in one shape. */
export interface Contender {
  readonly name: string;
  /** Whether `solve` needs a solver: `loadSolver`. */
  readonly needsSolver: boolean;
  /** Why it cannot take this instance. */
  refuses(instance: FractionalInstance): string | null;
  /** @param solver `null` where none is needed */
  solve(solver: LpSolver | null, instance: FractionalInstance, options: LpOptions): Outcome;
}

export interface Outcome {
  readonly assignment: Assignment | null;
  /** Proven; absent where the algorithm proves none. */
  readonly upperBound?: number;
  /** `cut short`: so large that not all members of a meta algorithm were tried. */
  readonly ended: LpOutcome["ended"] | "cut short";
  /** Of what the algorithm does itself: a solver is loaded before. */
  readonly seconds: number;
}

/** Names and what they are, for a person to choose from. */
export const contenderList: readonly { readonly names: string; readonly summary: string }[] = [
  ...fractionalFamilies.map(({ pattern, summary }) => ({ names: pattern, summary })),
  ...lpAlgorithms.map(({ name, summary }) => ({ names: name, summary })),
];

export const contenderNames: readonly string[] = [...fractionalAlgorithms, ...lpAlgorithms].map(
  ({ name }) => name,
);

export function findContender(name: string): Contender | undefined {
  const plain = findFractionalAlgorithm(name);
  if (plain !== undefined) {
    return {
      name,
      needsSolver: false,
      refuses: () => null,
      solve: (_, instance, options) =>
        timed(() => {
          const assignment = plain.solve(instance, options);
          return { assignment, ended: assignment?.isCutShort === true ? "cut short" : "complete" };
        }),
    };
  }
  const onSolver = findLpAlgorithm(name);
  if (onSolver === undefined) return undefined;
  return {
    name,
    needsSolver: true,
    refuses: (instance) => tooLarge(onSolver, instance),
    solve: (solver, instance, options) =>
      timed(() => doubted(onSolver.solve(solver!, instance, options), instance, options)),
  };
}

/**
 * A solver computes with tolerances: if a packing finds a placement, the solver's proof that there is none does not
 * count.
 */
function doubted(outcome: LpOutcome, instance: FractionalInstance, options: LpOptions): LpOutcome {
  if (outcome.ended !== "infeasible") return outcome;
  const placement = findFractionalAlgorithm("meta-hvp")!.solve(instance, { ...options, bound: 0 });
  return placement === null ? outcome : { assignment: null, ended: "failed" };
}

function timed(solve: () => Omit<Outcome, "seconds">): Outcome {
  const start = performance.now();
  const outcome = solve();
  return { ...outcome, seconds: (performance.now() - start) / 1000 };
}
