import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { RunResult } from "../../simulation/index.ts";
import { InputError, makeFolder, writeFileAtomically } from "../../workload/index.ts";
import { figures } from "../figures.ts";
import { version } from "../package.ts";
import { say } from "../terminal.ts";
import type { Cell } from "./units.ts";

/** A run as it is kept: no wall-clock time and no course over time, so that it is the same whenever it is made. */
export type KeptRun = Omit<RunResult, "series" | "days" | "simulationSeconds" | "simulatedJobsPerSecond">;

/** The finished runs of a sweep, a file each, named for the hash of its inputs. */
export class KeptRuns {
  private readonly folder: string;

  constructor(out: string) {
    this.folder = join(out, "units");
    makeFolder(this.folder);
  }

  /** The run of a unit; null where it is not there yet. A file that is not a whole run is told, and replaced later. */
  read(hash: string): KeptRun | null {
    const path = join(this.folder, `${hash}.json`);
    let text: string;
    try {
      text = readFileSync(path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw new InputError(`cannot be read: ${(error as Error).message}`, { file: path });
    }
    const run = runIn(text, hash);
    if (run === null) say(`${path}: this is no finished run: it is made again`);
    return run;
  }

  async write(cell: Cell, result: RunResult): Promise<void> {
    await writeFileAtomically(join(this.folder, `${cell.unit.hash}.json`), [keptText(cell, result)]);
  }

  /** Keeps a run that was made elsewhere, as `keptText` has it; false, and nothing kept, where it is no whole run. */
  async take(hash: string, text: string): Promise<boolean> {
    if (runIn(text, hash) === null) return false;
    await writeFileAtomically(join(this.folder, `${hash}.json`), [text]);
    return true;
  }
}

/** A run's file: the same text wherever the run is made. */
export function keptText({ log, seed, unit: { hash, settings } }: Cell, result: RunResult): string {
  const { simulationSeconds: _seconds, simulatedJobsPerSecond: _rate, ...run } = figures(result);
  return `${JSON.stringify({ unit: hash, version, log, seed, settings, run }, null, 1)}\n`;
}

function runIn(text: string, hash: string): KeptRun | null {
  try {
    const { unit, run } = JSON.parse(text) as { readonly unit?: unknown; readonly run?: KeptRun };
    return unit === hash && typeof run?.waitMeanSeconds === "number" ? run : null;
  } catch {
    return null;
  }
}
