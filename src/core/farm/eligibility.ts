import type { Jobs } from "../jobs/jobs.ts";
import type { AllowedMachines } from "../machines/machine-groups.ts";
import type { MachineState } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import type { Ineligible } from "../pool/eligibility.ts";

/** Why no machines of a pool could ever hold a job, as data. */
export type IneligibleInFarm = Ineligible | { readonly kind: "requirement"; readonly requirement: number };

/** Whether a pool could ever hold a job: worked out by group of machines, once for each kind of request. */
export class Eligibility {
  private readonly jobs: Jobs;
  private readonly machines: MachineState;
  private readonly allowed: AllowedMachines;
  private readonly firstOfGroup: Int32Array;
  private readonly sizeOfGroup: Int32Array;
  /** By kind of request: 1 some machines could hold it, 2 none could. */
  private eligibleKinds = new Uint8Array(64);

  constructor(jobs: Jobs, machines: MachineState, allowed: AllowedMachines) {
    this.jobs = jobs;
    this.machines = machines;
    this.allowed = allowed;
    const { groupOf, count } = allowed.groups;
    this.firstOfGroup = new Int32Array(count).fill(NONE);
    this.sizeOfGroup = new Int32Array(count);
    for (let machine = machines.count - 1; machine >= 0; machine--) {
      this.firstOfGroup[groupOf[machine]] = machine;
      this.sizeOfGroup[groupOf[machine]]++;
    }
  }

  /** Whether the machines that the job's requirement allows could, when empty, hold all its tasks. */
  isEligible(job: number): boolean {
    const kind = this.jobs.kind[job];
    if (kind >= this.eligibleKinds.length) {
      const wider = new Uint8Array(Math.max(kind + 1, this.eligibleKinds.length * 2));
      wider.set(this.eligibleKinds);
      this.eligibleKinds = wider;
    }
    const known = this.eligibleKinds[kind];
    if (known !== 0) return known === 1;
    const isEligible = this.capacityFor(job) >= this.jobs.tasks[job];
    if (kind !== 0) this.eligibleKinds[kind] = isEligible ? 1 : 2;
    return isEligible;
  }

  /** Why no machines of the pool could ever hold the job; it is not eligible. */
  reason(job: number): IneligibleInFarm {
    const { machines } = this;
    const { cores, memory, gpu, tasks, requirement } = this.jobs;
    const held = this.capacityFor(job);
    if (held > 0) return { kind: "tasks", asked: tasks[job], held };
    const allowed = this.allowedGroups(job);
    if (allowed.length === 0) return { kind: "requirement", requirement: requirement[job] };
    for (const [kind, asked, capacity] of [
      ["cores", cores[job], machines.capacityCores],
      ["memory", memory[job], machines.capacityMemory],
      ["gpu", gpu[job], machines.capacityGpu],
    ] as const) {
      const largest = Math.max(...allowed.map((group) => capacity[this.firstOfGroup[group]]));
      if (asked > largest) return { kind, asked, largest };
    }
    return { kind: "together", cores: cores[job], memory: memory[job], gpu: gpu[job] };
  }

  /** Tasks of the job's size that the machines it may run on could hold when empty. */
  private capacityFor(job: number): number {
    const { cores, memory, gpu } = this.jobs;
    let tasks = 0;
    for (const group of this.allowedGroups(job)) {
      const machine = this.firstOfGroup[group];
      const each = this.machines.capacityFor(machine, cores[job], memory[job], gpu[job]);
      tasks += each * this.sizeOfGroup[group];
    }
    return tasks;
  }

  /** Those with machines that the job's requirement allows. */
  private allowedGroups(job: number): number[] {
    const set = this.allowed.of(this.jobs.requirement[job]);
    const found: number[] = [];
    for (let group = 0; group < this.allowed.groups.count; group++) {
      if (this.sizeOfGroup[group] > 0 && (set === null || set.groups[group] === 1)) found.push(group);
    }
    return found;
  }
}
