import type { Farm, Machines, Workload } from "../../workload/index.ts";
import type { RunResult } from "../result.ts";
import type { PlacementLists, Schedule } from "../schedule.ts";
import type { GivenSettings } from "../simulate.ts";

/** What a worker is started with. */
export interface WorkerInput {
  readonly workload: Workload;
  /** What the runs are on: the machines of one pool, or a farm. */
  readonly on: Machines | Farm;
  readonly keepSchedule: boolean;
  /** A module to load before the first run: see `loadPlugin`. */
  readonly plugin: string | null;
  /** Modules whose `register()` adds policies of nodes. */
  readonly modules: readonly string[];
}

/** A run to make. */
export interface RunRequest {
  readonly settings: GivenSettings;
  /** The seed of a log drawn from the workload; null: the workload itself. */
  readonly draw: number | null;
  /** On shared memory; its first element is set to the jobs submitted so far. */
  readonly progress: Int32Array;
}

export type RunReply =
  | { readonly kind: "done"; readonly result: RunResult; readonly schedule: SentSchedule | null }
  | { readonly kind: "bad-input"; readonly message: string }
  | { readonly kind: "failed"; readonly error: unknown };

/** A `Schedule` as plain data, so that its arrays change hands without a copy. */
export type SentSchedule = Omit<Schedule, "machines"> & { readonly machines: PlacementLists | null };
