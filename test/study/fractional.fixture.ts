import { generatorDefaults } from "../../src/research/instances/index.ts";
import { fractionalSweeps, type Comparison } from "../../src/research/study/index.ts";
import { bestOf, qualitiesOf } from "../../src/research/study/fractional/quality.ts";
import type { Trial } from "../../src/research/study/fractional/trial.ts";

/** What an algorithm comes to on the i-th instance; `null`: no placement. */
export type Course = (i: number) => number | null;

/** A comparison with made-up outcomes. */
export function comparisonOf(
  courses: Readonly<Record<string, Course>>,
  { instances = 40, bound = 1, stopped = [] as readonly string[] } = {},
): Comparison {
  const algorithms = Object.keys(courses);
  const trials = Array.from({ length: instances }, (_, i): Trial => ({
    settings: { ...generatorDefaults, services: i % 2 === 0 ? 128 : 256 },
    bound,
    attempts: algorithms.map((algorithm, k) => ({
      algorithm,
      minYield: courses[algorithm](i),
      isStopped: stopped.includes(algorithm),
      seconds: (k + 1) * (i % 2 === 0 ? 1 : 3),
    })),
  }));
  return {
    algorithms,
    sweep: { ...fractionalSweeps.packing, services: [128, 256] },
    unsolved: trials.filter(({ attempts }) => bestOf(attempts) < 0).length,
    qualities: qualitiesOf(algorithms, trials),
    trials,
  };
}
