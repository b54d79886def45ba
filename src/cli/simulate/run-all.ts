import {
  simulateAll,
  type RunResult,
  type SimulateAllOptions,
  type SimulationSettings,
} from "../../simulation/index.ts";
import type { Workload } from "../../workload/index.ts";
import type { Place } from "./place.ts";

/** A run on a place of its own, or on that of the others; with a name of its own, or that of its policy. */
export interface RunToMake {
  readonly settings: SimulationSettings;
  readonly on?: Place;
  readonly name?: string;
}

/** Makes the runs, those on one place side by side. The results come in the order of the runs. */
export async function runAll(
  workload: Workload,
  place: Place,
  runs: readonly RunToMake[],
  options: SimulateAllOptions,
): Promise<RunResult[]> {
  const results: RunResult[] = [];
  const placeOf = ({ on = place }: RunToMake): Place => on;
  for (const [on, numbers] of Map.groupBy(runs.keys(), (run) => placeOf(runs[run]!))) {
    const { onSchedule, draws } = options;
    const made = await simulateAll(
      workload,
      on,
      numbers.map((run) => runs[run]!.settings),
      {
        ...options,
        ...(draws === undefined ? {} : { draws: numbers.map((run) => draws[run]!) }),
        ...(onSchedule === undefined
          ? {}
          : { onSchedule: (schedule, run) => onSchedule(schedule, numbers[run]!) }),
      },
    );
    for (const [at, run] of numbers.entries()) {
      const { name } = runs[run]!;
      results[run] = name === undefined ? made[at]! : { ...made[at]!, policy: name };
    }
  }
  return results;
}
