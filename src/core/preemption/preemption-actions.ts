/** What preemption does to the jobs of a pool. */
export interface PreemptionActions {
  /** Starts a waiting job on this machine, or wherever it fits if that is `NONE`. Returns whether there was room. */
  startOn(job: number, machine: number, now: number): boolean;
  suspend(job: number, now: number): void;
  /** Resumes a suspended job. There is room. */
  resume(job: number, now: number): void;
}
