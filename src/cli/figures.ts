import type { RunResult } from "../simulation/index.ts";

/**
 * The figures of a run, without its course over time: that is in the report's `results.json`. A farm's is told
 * where each pool's was asked for.
 */
export function figures({
  series: _series,
  days: _days,
  farmFrames: _farmFrames,
  fillFactorSteps: _fillFactorSteps,
  farmSeries,
  ...rest
}: RunResult): Omit<RunResult, "series" | "days" | "farmFrames" | "fillFactorSteps"> {
  return rest.pools === undefined || farmSeries === undefined ? rest : { ...rest, farmSeries };
}
