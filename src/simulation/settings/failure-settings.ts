/** One time at which a machine was down. Machines are numbered over all pools, in their order. */
export interface Outage {
  readonly machine: number;
  readonly downSeconds: number;
  /** `Infinity`: it was never repaired. */
  readonly upSeconds: number;
  /** It only took nothing new: what ran there ran on. */
  readonly isDrain?: true;
}

/** Which machines fail when: as listed, or drawn for each machine. */
export type FailureSettings =
  | { readonly kind: "listed"; readonly outages: readonly Outage[] }
  | {
      readonly kind: "drawn";
      /** Mean time between the repair of a machine and its next failure, and mean time to repair. */
      readonly mtbfSeconds: number;
      readonly mttrSeconds: number;
      /** Of the Weibull distribution of times to failure; 1: exponential. Below 1 failures come in clusters. */
      readonly shape: number;
    };

/** What failures cost in a run. */
export interface FailureFigures {
  /** Jobs that lost an attempt to a failed machine, and how often that happened. */
  readonly lostJobs: number;
  readonly losses: number;
  /** Core-hours that jobs ran and lost because a machine failed. */
  readonly repeatedCoreHours: number;
  /** Core-hours of machines that were down, from the first submission to the last completion. */
  readonly unavailableCoreHours: number;
}
