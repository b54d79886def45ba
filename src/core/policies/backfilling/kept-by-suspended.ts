import type { Jobs } from "../../jobs/jobs.ts";
import { NONE } from "../../none.ts";
import type { PolicyContext, PolicyState } from "../../pool/policy.ts";
import type { Planner } from "./planner.ts";
import { isAmount, isBelow, savedColumn } from "./saved-columns.ts";

/** Nobody knows when a suspended job goes on: after all running jobs, also those without an estimate. */
const UNTIL = 2 ** 42;

/** What suspended jobs keep, as the plans count it: their memory, if they keep it, and their licences. */
export class KeptBySuspended {
  private readonly context: PolicyContext;
  private readonly jobs: Jobs;
  private readonly planner: Planner;
  /** By suspended job: the memory that a task keeps. */
  private readonly memory = new Map<number, number>();

  constructor(context: PolicyContext, planner: Planner) {
    this.context = context;
    this.jobs = context.jobs;
    this.planner = planner;
  }

  /** A job is suspended, and keeps this until it resumes or leaves its machines. */
  add(job: number, memory: number): void {
    this.memory.set(job, memory);
    this.take(job, memory, 1);
  }

  remove(job: number): void {
    const memory = this.memory.get(job)!;
    this.memory.delete(job);
    this.take(job, memory, -1);
  }

  has(job: number): boolean {
    return this.memory.has(job);
  }

  /** The machines of which a suspended job keeps memory. */
  machinesOf(job: number): number[] {
    const { placements } = this.context;
    const machines: number[] = [];
    if (this.memory.get(job) === 0) return machines;
    for (let entry = this.jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
      machines.push(placements.machineOf(entry));
    return machines;
  }

  save(placeOf: (job: number) => number): Float64Array {
    const rows = Array.from(this.memory, ([job, memory]) => [placeOf(job), memory]);
    return Float64Array.from(rows.sort((a, b) => a[0] - b[0]).flat());
  }

  /** @throws RangeError where the state is damaged */
  load(state: PolicyState): void {
    // Snapshots were without it once: what their suspended jobs keep is found out when others are refused it.
    if (state["kept"] === undefined) return;
    const saved = savedColumn(state, "kept", [isBelow(this.jobs.count), isAmount]);
    for (let i = 0; i < saved.length; i += 2) this.add(saved[i], saved[i + 1]);
  }

  private take(job: number, memory: number, sign: number): void {
    const { jobs, planner, context } = this;
    const { plans } = planner;
    for (let entry = jobs.placement[job]; entry !== NONE; entry = context.placements.after(entry)) {
      const n = sign * context.placements.tasksOf(entry);
      if (memory !== 0) plans.take(context.placements.machineOf(entry), -Infinity, UNTIL, 0, memory * n, 0);
    }
    plans.takeLicences(jobs.kinds.licences[jobs.kind[job]], -Infinity, UNTIL, sign);
  }
}
