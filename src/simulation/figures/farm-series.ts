/** A farm over time, sampled at equal steps from the first submission. All arrays have the same length. */
export interface FarmSeries {
  /** Seconds since the first submission. */
  readonly timeSeconds: readonly number[];
  readonly coreUtilization: readonly number[];
  readonly suspendedJobs: readonly number[];
  readonly waitingJobs: readonly number[];
  /** By pool, in the farm's order, where that was asked for. */
  readonly poolUtilization?: readonly (readonly number[])[];
}
