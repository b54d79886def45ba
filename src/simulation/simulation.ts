import type { RunResult } from "./result.ts";
import type { Schedule } from "./schedule.ts";

export interface SimulationExtras {
  /** Whether the schedule tells each job's machines. */
  readonly keepMachines?: boolean;
  /** Its first element is set to the number of jobs submitted so far, now and then. */
  readonly progress?: Int32Array;
}

export interface Simulation {
  readonly result: RunResult;
  readonly schedule: Schedule;
}
