import {
  verifyPlacement,
  violationText,
  type FractionalInstance,
  type SolveOptions,
} from "../../fractional/index.ts";
import { contenderNames, findContender, type LpSolver } from "../../lp/index.ts";
import { InputError } from "../../../workload/index.ts";

const BOUND = "lp-bound";

/** The result of an algorithm on one instance. */
export interface Attempt {
  readonly algorithm: string;
  /** `null`: it found no placement. */
  readonly minYield: number | null;
  /** Stopped by the time limit, or by an error of the solver; with or without a placement. */
  readonly isStopped: boolean;
  readonly seconds: number;
}

/** An algorithm of `src/research/fractional`, or one that uses a solver, as a study runs it. */
export interface Competitor {
  readonly name: string;
  attempt(instance: FractionalInstance, options: SolveOptions): Attempt;
}

/**
 * @param timeLimitSeconds for each attempt on a solver
 * @throws InputError where there is no algorithm of that name
 */
export function competitor(name: string, solver: LpSolver, timeLimitSeconds: number): Competitor {
  const contender = findContender(name);
  // The bound is no competitor: it places nothing, and the others are measured by it.
  if (name === BOUND || contender === undefined) {
    const names = contenderNames.filter((each) => each !== BOUND).join(", ");
    throw new InputError(`there is no algorithm ${name} to compete: ${names}`);
  }
  return {
    name,
    attempt(instance, options) {
      const why = contender.refuses(instance);
      if (why !== null) throw new InputError(why);
      const { assignment, ended, seconds } = contender.solve(solver, instance, {
        ...options,
        timeLimitSeconds,
      });
      if (assignment !== null) check(name, instance, assignment);
      return {
        algorithm: name,
        minYield: assignment?.minYield ?? null,
        isStopped: ended === "time limit" || ended === "failed",
        seconds,
      };
    },
  };
}

/** Checks the answer: an invalid placement, which would be a bug, must not win. */
function check(
  name: string,
  instance: FractionalInstance,
  { hostOf, minYield }: { hostOf: Int32Array; minYield: number },
): void {
  const [violation] = verifyPlacement(instance, hostOf, new Float64Array(instance.services).fill(minYield));
  if (violation !== undefined)
    throw new Error(`${name} answered with no placement: ${violationText(violation)}`);
}
