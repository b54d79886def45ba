import type { RunResult } from "../simulation/index.ts";

/** The figures of a run, without its course over time: that is in the report's `results.json`. */
export function figures({
  series: _series,
  days: _days,
  farmFrames: _farmFrames,
  fillFactorSteps: _fillFactorSteps,
  ...rest
}: RunResult): Omit<RunResult, "series" | "days" | "farmFrames" | "fillFactorSteps"> {
  return rest;
}
