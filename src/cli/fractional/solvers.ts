import {
  fractionalAlgorithms,
  fractionalFamilies,
  type Assignment,
  type FractionalInstance,
} from "../../core/index.ts";
import { loadSolver, lpAlgorithms, tooLarge, type LpAlgorithm } from "../../lp/index.ts";
import { InputError, nearest, Random } from "../../workload/index.ts";

/** The core's algorithms and those on a solver, in one shape. */
export interface Solver {
  readonly name: string;
  /** Why it cannot take this instance. */
  refuses(instance: FractionalInstance): string | null;
  solve(instance: FractionalInstance, options: SolverOptions): Promise<Outcome>;
}

export interface SolverOptions {
  readonly bound: number;
  readonly seed: number;
  readonly timeLimitSeconds: number;
}

export interface Outcome {
  readonly assignment: Assignment | null;
  /** Proven; absent where the algorithm proves none. */
  readonly upperBound?: number;
  readonly isInfeasible: boolean;
  /** What it has is right, and there may be better. */
  readonly isOutOfTime: boolean;
  /** Of what the algorithm does itself: a solver is loaded before. */
  readonly seconds: number;
}

/** Names and what they are, for the help. */
export const solverList: readonly { readonly names: string; readonly summary: string }[] = [
  ...fractionalFamilies.map(({ pattern, summary }) => ({ names: pattern, summary })),
  ...lpAlgorithms.map(({ name, summary }) => ({ names: name, summary })),
];

/** @throws InputError for a name that nobody has. */
export function findSolver(name: string): Solver {
  const algorithm = fractionalAlgorithms.find((each) => each.name === name);
  if (algorithm !== undefined) {
    return {
      name,
      refuses: () => null,
      solve: (instance, { bound, seed }) => {
        const random = new Random(seed);
        const start = performance.now();
        const assignment = algorithm.solve(instance, { bound, random: () => random.unit() });
        const seconds = (performance.now() - start) / 1000;
        return Promise.resolve({ assignment, isInfeasible: false, isOutOfTime: false, seconds });
      },
    };
  }
  const onSolver = lpAlgorithms.find((each) => each.name === name);
  if (onSolver !== undefined) return lpSolver(onSolver);
  const close = nearest(
    name,
    [...fractionalAlgorithms, ...lpAlgorithms].map((each) => each.name),
  );
  const known = solverList.map(({ names }) => names).join(", ");
  throw new InputError(`no algorithm "${name}" (the nearest: ${close.join(", ")}): choose from ${known}`);
}

function lpSolver(algorithm: LpAlgorithm): Solver {
  return {
    name: algorithm.name,
    refuses: (instance) => tooLarge(algorithm, instance),
    async solve(instance, { bound, seed, timeLimitSeconds }) {
      const solver = await loadSolver();
      const random = new Random(seed);
      const start = performance.now();
      const { assignment, upperBound, ended } = algorithm.solve(solver, instance, {
        bound,
        random: () => random.unit(),
        timeLimitSeconds,
      });
      const seconds = (performance.now() - start) / 1000;
      return {
        assignment,
        ...(upperBound === undefined ? {} : { upperBound }),
        isInfeasible: ended === "infeasible",
        isOutOfTime: ended === "time limit",
        seconds,
      };
    },
  };
}
