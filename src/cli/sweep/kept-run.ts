import type { RunResult } from "../../simulation/index.ts";
import { figures, untimed } from "../figures.ts";
import { version } from "../package.ts";
import type { Cell } from "./units.ts";

/** A run as it is kept: no wall-clock time and no course over time, so that it is the same whenever it is made. */
export type KeptRun = Omit<RunResult, "series" | "days" | "simulationSeconds" | "simulatedJobsPerSecond">;

/** A run's file: the same text wherever the run is made. */
export function keptText({ log, seed, unit: { hash, settings } }: Cell, result: RunResult): string {
  const run = untimed(figures(result));
  return `${JSON.stringify({ unit: hash, version, log, seed, settings, run }, null, 1)}\n`;
}

/** The run of a file's text; null where this is no whole run of that hash. */
export function keptRunIn(text: string, hash: string): KeptRun | null {
  try {
    const { unit, run } = JSON.parse(text) as { readonly unit?: unknown; readonly run?: KeptRun };
    return unit === hash && typeof run?.waitMeanSeconds === "number" ? run : null;
  } catch {
    return null;
  }
}
