import type { Assignment, FractionalInstance, SolveOptions } from "../fractional/index.ts";
import type { LpSolver } from "./solver.ts";

export interface LpOptions extends SolveOptions {
  /** For all that the algorithm does, building of models included. */
  readonly timeLimitSeconds: number;
}

export interface LpOutcome {
  /** `null`: no placement found. Only `ended` tells whether there is none. */
  readonly assignment: Assignment | null;
  /** A proven upper bound of the minimum yield; absent if none was proved. */
  readonly upperBound?: number;
  /**
   * `complete`: the algorithm came to its end. `infeasible`: it proved that there is no placement. `time limit`: what
   * it has is right, and there may be better. `failed`: the solver's answer is invalid; the assignment, if any, was
   * found without it.
   */
  readonly ended: "complete" | "infeasible" | "time limit" | "failed";
}

/** A way to place services, or to bound their yield, by linear programs. */
export interface LpAlgorithm {
  readonly name: string;
  readonly summary: string;
  /** The most pairs of a service and a host that it is fit for: `tooLarge`. */
  readonly pairsMost: number;
  /** Whether equal hosts count once, and equal services. */
  readonly mergesEqual: boolean;
  solve(solver: LpSolver, instance: FractionalInstance, options: LpOptions): LpOutcome;
}
