/** How a run on a farm is made. Everything has a default: see `defaultFarmSettings`. */
export interface FarmRunSettings {
  /** A rescheduling strategy's name; null: the farm's own. */
  readonly strategy: string | null;
  /** The routing of every virtual pool; null: each its own. */
  readonly routing: string | null;
  /** Arrival times are multiplied by this. */
  readonly beta: number;
  /** Offered load to reach by choosing beta; null: `beta` holds. */
  readonly load: number | null;
  /** Of the random numbers that strategies draw. */
  readonly seed: number;
  /** Jobs submitted in the first or last so many seconds are left out of the figures. */
  readonly warmupSeconds: number;
  readonly cooldownSeconds: number;
  /** Whether the result tells each pool's figures and course over time. */
  readonly poolDetail: boolean;
}

export const defaultFarmSettings: FarmRunSettings = {
  strategy: null,
  routing: null,
  beta: 1,
  load: null,
  seed: 1,
  warmupSeconds: 0,
  cooldownSeconds: 0,
  poolDetail: false,
};
