import type { FractionalInstance } from "../../fractional/index.ts";
import { findLpAlgorithm, tooLarge, type LpSolver } from "../../lp/index.ts";
import { Random } from "../../../workload/index.ts";
import { generateInstance, type GeneratorSettings } from "../../instances/index.ts";
import type { Attempt, Competitor } from "./competitor.ts";

/** All algorithms on one instance. */
export interface Trial {
  readonly settings: GeneratorSettings;
  /** The bound of `lp-bound`; `null` if it runs out of time, or the instance is too large for it. */
  readonly bound: number | null;
  /** In the order of the algorithms. */
  readonly attempts: readonly Attempt[];
}

export function tryAll(
  settings: GeneratorSettings,
  competitors: readonly Competitor[],
  solver: LpSolver,
  timeLimitSeconds: number,
): Trial {
  const instance: FractionalInstance = generateInstance(settings);
  // Every algorithm draws the same random numbers, whichever others compete.
  const seeded = (): (() => number) => {
    const random = new Random(settings.seed);
    return () => random.unit();
  };
  const bounding = findLpAlgorithm("lp-bound")!;
  const bound =
    tooLarge(bounding, instance) === null
      ? (bounding.solve(solver, instance, { bound: 1, random: seeded(), timeLimitSeconds }).upperBound ??
        null)
      : null;
  return {
    settings,
    bound,
    attempts: competitors.map((each) => each.attempt(instance, { bound: bound ?? 1, random: seeded() })),
  };
}
