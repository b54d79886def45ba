import {
  findFractionalAlgorithm,
  fractionalAlgorithms,
  verifyPlacement,
  violationText,
  type FractionalInstance,
  type SolveOptions,
} from "../../core/index.ts";
import { findLpAlgorithm, lpAlgorithms, tooLarge, type LpSolver } from "../../lp/index.ts";
import { InputError } from "../../workload/index.ts";

/** What an algorithm came to on one instance. */
export interface Attempt {
  readonly algorithm: string;
  /** `null`: it found no placement. */
  readonly minYield: number | null;
  /** Stopped by the time limit, with or without a placement. */
  readonly isStopped: boolean;
  readonly seconds: number;
}

/** An algorithm of the core or on a solver, made ready to compete. */
export interface Competitor {
  readonly name: string;
  attempt(instance: FractionalInstance, options: SolveOptions): Attempt;
}

/** All that place services; `lp-bound` is what they are measured by. */
export function competitorNames(): string[] {
  return [...fractionalAlgorithms, ...lpAlgorithms]
    .map(({ name }) => name)
    .filter((name) => name !== "lp-bound");
}

/**
 * @param timeLimitSeconds for each attempt on a solver
 * @throws InputError where there is no algorithm of that name
 */
export function competitor(name: string, solver: LpSolver, timeLimitSeconds: number): Competitor {
  const placed = findFractionalAlgorithm(name);
  const solved = findLpAlgorithm(name);
  if (name === "lp-bound" || (placed === undefined && solved === undefined)) {
    throw new InputError(`there is no algorithm ${name} to compete: ${competitorNames().join(", ")}`);
  }
  return {
    name,
    attempt(instance, options) {
      const why = solved === undefined ? null : tooLarge(solved, instance);
      if (why !== null) throw new InputError(why);
      const startedAt = performance.now();
      const { assignment, ended } =
        solved === undefined
          ? { assignment: placed!.solve(instance, options), ended: "complete" }
          : solved.solve(solver, instance, { ...options, timeLimitSeconds });
      const seconds = (performance.now() - startedAt) / 1000;
      if (assignment !== null) check(name, instance, assignment);
      return {
        algorithm: name,
        minYield: assignment?.minYield ?? null,
        isStopped: ended === "time limit",
        seconds,
      };
    },
  };
}

/** An answer that is none must not win: it would be a mistake of ours. */
function check(
  name: string,
  instance: FractionalInstance,
  { hostOf, minYield }: { hostOf: Int32Array; minYield: number },
): void {
  const [violation] = verifyPlacement(instance, hostOf, new Float64Array(instance.services).fill(minYield));
  if (violation !== undefined)
    throw new Error(`${name} answered with no placement: ${violationText(violation)}`);
}
