import { NONE } from "../../none.ts";
import type { PolicyContext } from "../../pool/policy.ts";

/** The jobs that have lost their machines since the last pass: they wait again in their old places, and nobody came. */
export class LostJobs {
  private readonly context: PolicyContext;
  /** By job: its arrival, since its handle may have gone to another job. */
  private readonly arrivals = new Map<number, number>();

  constructor(context: PolicyContext) {
    this.context = context;
  }

  /** A running job gives its machines back; they are still known. */
  finished(job: number): void {
    const { machines, jobs, placements } = this.context;
    if (machines.openCount === machines.count) return;
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
      if (!machines.isInService(placements.machineOf(entry))) this.arrivals.set(job, jobs.arrival[job]);
  }

  has(job: number): boolean {
    return this.arrivals.get(job) === this.context.jobs.arrival[job];
  }

  passEnds(): void {
    if (this.arrivals.size > 0) this.arrivals.clear();
  }
}
