import type { BuiltEngine } from "./build/build-engine.ts";
import type { FarmFigures } from "./figures/farm-figures.ts";
import type { RunResult } from "./result.ts";
import type { Driver } from "./run/driver.ts";
import type { RunObserver } from "./run/run-observer.ts";
import type { Ledger } from "./run/ledger.ts";
import type { Schedule } from "./schedule.ts";

export interface SimulationExtras {
  /** Whether the schedule tells each job's machines. */
  readonly keepMachines?: boolean;
  /** Its first element is set to the number of jobs submitted so far, now and then. */
  readonly progress?: Int32Array;
  /** Is told what happens; given the driver before anything does. */
  readonly observe?: (driver: Driver, built: BuiltEngine) => RunObserver;
}

export interface Simulation {
  readonly result: RunResult;
  readonly schedule: Schedule;
  /** Where each job's time went; absent where nodes are shared in parts. */
  readonly ledger?: Ledger;
}

/** The figures of a run on a farm of pools: those of any run, and the farm's own. */
export type FarmRunResult = RunResult & FarmFigures;

export interface FarmSimulation extends Simulation {
  readonly result: FarmRunResult;
  readonly ledger: Ledger;
}
