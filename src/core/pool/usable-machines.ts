import type { Jobs } from "../jobs/jobs.ts";
import type { AllowedMachines } from "../machines/machine-groups.ts";
import type { Packing } from "../packing/packing.ts";

/**
 * The machines that a job may use, whatever is free on them: those that its
 * requirement allows and that are not reserved to another family. They are the
 * same for all jobs of a kind.
 */
export class UsableMachines {
  /** Whether families may use different machines. */
  readonly differByFamily: boolean;
  private readonly jobs: Jobs;
  private readonly allowed: AllowedMachines | null;
  private readonly packing: Packing | null;

  constructor(jobs: Jobs, allowed: AllowedMachines | null, packing: Packing | null) {
    this.jobs = jobs;
    this.allowed = allowed;
    this.packing = packing;
    this.differByFamily = packing !== null && packing.isExclusive;
  }

  has(job: number, machine: number): boolean {
    const { jobs, allowed, packing } = this;
    return (
      (allowed === null || allowed.allows(jobs.requirement[job], machine)) &&
      (packing === null || packing.mayUse(jobs.family[job], machine))
    );
  }

  /** Whether the job may use all machines that its family may use. */
  areAllOfFamily(job: number): boolean {
    return this.allowed === null || this.allowed.of(this.jobs.requirement[job]) === null;
  }
}
