import { setImmediate } from "node:timers/promises";

import type { LpSolver } from "../../lp/index.ts";
import { competitor } from "./competitor.ts";
import { meanOf } from "../means.ts";
import { bestOf, qualitiesOf, type Quality } from "./quality.ts";
import { settingsOf, type Sweep } from "./sweep.ts";
import { tryAll, type Trial } from "./trial.ts";

/** Algorithms against each other on the instances of a sweep. */
export interface Comparison {
  readonly algorithms: readonly string[];
  readonly sweep: Sweep;
  /** Instances for which no algorithm found a placement. */
  readonly unsolved: number;
  readonly qualities: readonly Quality[];
  readonly trials: readonly Trial[];
}

interface CompareOptions {
  /** For every attempt on a solver. */
  readonly timeLimitSeconds: number;
  readonly onTrial?: (done: number, of: number) => void;
}

/** @throws InputError where there is no such algorithm, or an instance is too large for one */
export async function compareAlgorithms(
  algorithms: readonly string[],
  sweep: Sweep,
  solver: LpSolver,
  { timeLimitSeconds, onTrial }: CompareOptions,
): Promise<Comparison> {
  const competitors = algorithms.map((name) => competitor(name, solver, timeLimitSeconds));
  const all = settingsOf(sweep);
  const trials: Trial[] = [];
  for (const settings of all) {
    trials.push(tryAll(settings, competitors, solver, timeLimitSeconds));
    onTrial?.(trials.length, all.length);
    // Lets the event loop handle signals, so that Ctrl-C need not wait for the last instance.
    await setImmediate();
  }
  return {
    algorithms,
    sweep,
    unsolved: trials.filter(({ attempts }) => bestOf(attempts) < 0).length,
    qualities: qualitiesOf(algorithms, trials),
    trials,
  };
}

/** Mean seconds of each algorithm, for each number of services: entry [algorithm][services]. */
export function secondsByServices({ algorithms, sweep, trials }: Comparison): number[][] {
  return algorithms.map((_, i) =>
    sweep.services.map((services) =>
      meanOf(
        trials
          .filter(({ settings }) => settings.services === services)
          .map(({ attempts }) => attempts[i]!.seconds),
      ),
    ),
  );
}
