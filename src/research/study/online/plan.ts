import {
  onlineAlgorithms,
  otherPriorities,
  periodAlgorithms,
  priorityAlgorithms,
  unpenalised,
  withPriority,
} from "./algorithms.ts";

/** What is varied; everything has a default. */
export interface OnlineStudyOptions {
  /** Synthetic traces, seeds 1, 2, …; not used where there are slices of a log. */
  readonly traces: number;
  readonly jobs: number;
  readonly loads: readonly number[];
  readonly penaltiesSeconds: readonly number[];
  readonly algorithms: readonly string[];
  /** Periods besides the usual one, tried at one load and the last penalty. */
  readonly periodsSeconds: readonly number[];
  /** Priorities besides the usual one, tried at one load. */
  readonly priorities: readonly string[];
  /** Null: what the machines have, else 8. */
  readonly nodeMemoryGiB: number | null;
}

export const onlineStudyDefaults: OnlineStudyOptions = {
  traces: 100,
  jobs: 1000,
  loads: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
  penaltiesSeconds: [0, 300],
  algorithms: onlineAlgorithms,
  periodsSeconds: [1200, 2400, 4800, 9600],
  priorities: otherPriorities,
  nodeMemoryGiB: null,
};

/** The period of all runs but those that vary it. */
export const USUAL_PERIOD_SECONDS = 600;
/** The load at which periods and priorities are varied, where it is among the loads; else the one nearest to it. */
const PERIOD_LOAD = 0.7;

/** Runs over one trace, which one thread makes one after the other. */
export interface Unit {
  /** `seed 3`, or the slice's name. */
  readonly trace: string;
  /** Its number from 0: of the seed, or of the slice. */
  readonly number: number;
  /** Null: the log's own. */
  readonly load: number | null;
  readonly penaltySeconds: number;
  readonly periodSeconds: number;
  readonly policies: readonly string[];
}

/**
 * All runs of a study, those that share a trace together.
 *
 * @param slices names of a log's slices; null: synthetic traces
 */
export function planUnits(options: OnlineStudyOptions, slices: readonly string[] | null): Unit[] {
  const { loads, penaltiesSeconds, algorithms, periodsSeconds, priorities } = options;
  const traces = slices ?? Array.from({ length: options.traces }, (_, i) => `seed ${i + 1}`);
  const ownLoads: readonly (number | null)[] = slices === null ? loads : [null];
  const units: Unit[] = [];
  const periodLoad = slices === null ? nearestLoad(loads) : null;
  for (const [number, trace] of traces.entries()) {
    for (const load of ownLoads) {
      const common = { trace, number, load };
      for (const [i, penaltySeconds] of penaltiesSeconds.entries()) {
        const policies = algorithms.filter((name) => i === 0 || !unpenalised.has(name));
        if (policies.length > 0)
          units.push({ ...common, penaltySeconds, periodSeconds: USUAL_PERIOD_SECONDS, policies });
      }
      if (load !== periodLoad) continue;
      const ranked = algorithms
        .filter((name) => priorityAlgorithms.includes(name))
        .flatMap((name) => priorities.map((word) => withPriority(name, word)))
        .filter((name) => !algorithms.includes(name));
      for (const penaltySeconds of ranked.length === 0 ? [] : penaltiesSeconds)
        units.push({ ...common, penaltySeconds, periodSeconds: USUAL_PERIOD_SECONDS, policies: ranked });
      const policies = algorithms.filter((name) => periodAlgorithms.includes(name));
      if (policies.length === 0) continue;
      for (const periodSeconds of periodsSeconds)
        units.push({ ...common, penaltySeconds: penaltiesSeconds.at(-1)!, periodSeconds, policies });
    }
  }
  return units;
}

function nearestLoad(loads: readonly number[]): number {
  return loads.reduce((best, load) =>
    Math.abs(load - PERIOD_LOAD) < Math.abs(best - PERIOD_LOAD) ? load : best,
  );
}
