import type { Jobs } from "../../jobs/jobs.ts";
import { NONE } from "../../none.ts";
import type { PolicyContext, PolicyState } from "../../pool/policy.ts";
import type { Planner } from "./planner.ts";
import { isBelow, savedColumn } from "./saved-columns.ts";

/** Nobody knows when a suspended job goes on: after all running jobs, also those without an estimate. */
const UNTIL = 2 ** 42;

/** What suspended jobs keep, as the plans count it: their licences, and their memory and GPUs, if they keep these. */
export class KeptBySuspended {
  private readonly context: PolicyContext;
  private readonly jobs: Jobs;
  private readonly planner: Planner;
  /** By suspended job: whether it keeps its memory and GPUs. */
  private readonly keepsMemory = new Map<number, boolean>();

  constructor(context: PolicyContext, planner: Planner) {
    this.context = context;
    this.jobs = context.jobs;
    this.planner = planner;
  }

  /** A job is suspended, and keeps this until it resumes or leaves its machines. */
  add(job: number, keepsMemory: boolean): void {
    this.keepsMemory.set(job, keepsMemory);
    this.take(job, 1);
  }

  remove(job: number): void {
    this.take(job, -1);
    this.keepsMemory.delete(job);
  }

  has(job: number): boolean {
    return this.keepsMemory.has(job);
  }

  /** The machines of which a suspended job keeps something. */
  machinesOf(job: number): number[] {
    const { placements } = this.context;
    const machines: number[] = [];
    if (this.keepsMemory.get(job) !== true) return machines;
    for (let entry = this.jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
      machines.push(placements.machineOf(entry));
    return machines;
  }

  save(placeOf: (job: number) => number): Float64Array {
    const rows = Array.from(this.keepsMemory, ([job, keeps]) => [placeOf(job), Number(keeps)]);
    return Float64Array.from(rows.sort((a, b) => a[0] - b[0]).flat());
  }

  /** @throws RangeError where the state is damaged */
  load(state: PolicyState): void {
    // Snapshots were without it once: what their suspended jobs keep is found out when others are refused it.
    if (state["kept"] === undefined) return;
    const saved = savedColumn(state, "kept", [isBelow(this.jobs.count), isBelow(2)]);
    for (let i = 0; i < saved.length; i += 2) this.add(saved[i], saved[i + 1] === 1);
  }

  private take(job: number, sign: number): void {
    const { jobs, planner, context } = this;
    const { plans } = planner;
    const { placements } = context;
    if (this.keepsMemory.get(job) === true)
      for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.after(entry)) {
        const n = sign * placements.tasksOf(entry);
        const [memory, gpu] = [jobs.memoryOf(job) * n, jobs.gpuOf(job) * n];
        plans.take(placements.machineOf(entry), -Infinity, UNTIL, 0, memory, gpu);
      }
    plans.takeLicences(jobs.kinds.licences[jobs.kind[job]], -Infinity, UNTIL, sign);
  }
}
