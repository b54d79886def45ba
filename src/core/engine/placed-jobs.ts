import type { MachineTasks } from "../jobs/placements.ts";
import { HOLDING } from "../jobs/engine-jobs.ts";
import { FREE } from "../jobs/job-states.ts";
import type { KindRequest } from "../jobs/request-kinds.ts";
import { NONE } from "../none.ts";
import { PoolPart, type ManagedPool } from "../pool/pool-part.ts";
import type { MachineJobs } from "../preemption/machine-jobs.ts";

/** The jobs on each machine of a pool, running or suspended. */
export class PlacedJobs extends PoolPart {
  private readonly machineJobs: MachineJobs | null;

  constructor(managed: ManagedPool, machineJobs: MachineJobs | null) {
    super(managed);
    this.machineJobs = machineJobs;
  }

  /** Whether all of a waiting job's tasks fit into what is free, on whatever machines. */
  fitsIntoFree(job: number): boolean {
    const { machines } = this.pool;
    const { cores, memory, gpu, tasks } = this.request(job);
    let left = tasks;
    for (let machine = 0; machine < machines.count && left > 0; machine++)
      left -= machines.roomFor(machine, cores, memory, gpu);
    return left <= 0;
  }

  /** Whether a new job fits into what is free on these machines, and of its licences. */
  fitsOn(job: number, placement: readonly MachineTasks[]): boolean {
    const { machines, licences } = this.pool;
    if (licences?.areFree(this.jobs.jobs.kind[job]) === false) return false;
    const { cores, memory, gpu } = this.request(job);
    const tasksOn = new Map<number, number>();
    for (const { machine, tasks } of placement) tasksOn.set(machine, (tasksOn.get(machine) ?? 0) + tasks);
    return [...tasksOn].every(
      ([machine, tasks]) =>
        cores * tasks <= machines.freeCores[machine] &&
        memory * tasks <= machines.freeMemory[machine] &&
        gpu * tasks <= machines.freeGpu[machine],
    );
  }

  /** The machines of a job, each listed once. */
  machinesOf(job: number): Set<number> {
    const { placements } = this.pool;
    const machines = new Set<number>();
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
      machines.add(placements.machineOf(entry));
    return machines;
  }

  /** The speed of a job: that of the slowest of its machines. */
  speedOf(job: number): number {
    const { placements, machines } = this.pool;
    const { speedOf } = this.groups;
    let speed = Infinity;
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
      speed = Math.min(speed, speedOf[machines.groupOf[placements.machineOf(entry)]]);
    return speed;
  }

  /** A job's placement as plain data. */
  placementOf(job: number): MachineTasks[] {
    const { placements } = this.pool;
    const found: MachineTasks[] = [];
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
      found.push({ machine: placements.machineOf(entry), tasks: placements.tasksOf(entry) });
    return found;
  }

  /** The jobs with tasks on a machine, in order of arrival. */
  on(machine: number): number[] {
    const { state, pool, jobs } = this.jobs;
    const byArrival = (a: number, b: number): number => jobs.arrival[a] - jobs.arrival[b];
    if (this.machineJobs !== null) return [...this.machineJobs.on(machine)].sort(byArrival);
    const found: number[] = [];
    for (let job = 0; job < state.length; job++) {
      const isHere = state[job] !== FREE && pool[job] === this.number && jobs.placement[job] !== NONE;
      if (isHere && this.machinesOf(job).has(machine)) found.push(job);
    }
    return found.sort(byArrival);
  }

  /**
   * Whether a suspended job's machines could hold it if nobody else ran there. They may have become smaller since it
   * started.
   */
  couldHold(job: number): boolean {
    const { machines, placements } = this.pool;
    const { cores, memory, gpu } = this.request(job);
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.after(entry)) {
      const machine = placements.machineOf(entry);
      let tasks = 0;
      for (let other = entry; other !== NONE; other = placements.after(other))
        if (placements.machineOf(other) === machine) tasks += placements.tasksOf(other);
      if (tasks > machines.capacityFor(machine, cores, memory, gpu)) return false;
      if (machines.freeMemory[machine] >= 0 && machines.freeGpu[machine] >= 0) continue;
      const kept = this.keptBySuspended(machine);
      if (kept.memory > machines.capacityMemory[machine] || kept.gpu > machines.capacityGpu[machine])
        return false;
    }
    return true;
  }

  /** The memory and GPUs of a machine that suspended jobs keep. */
  private keptBySuspended(machine: number): { memory: number; gpu: number } {
    const kept = { memory: 0, gpu: 0 };
    const { hold, keepsMemory, jobs } = this.jobs;
    const { placements } = this.pool;
    for (const job of this.on(machine)) {
      if (hold[job] === HOLDING || keepsMemory[job] === 0) continue;
      for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.after(entry)) {
        if (placements.machineOf(entry) !== machine) continue;
        kept.memory += placements.tasksOf(entry) * jobs.memoryOf(job);
        kept.gpu += placements.tasksOf(entry) * jobs.gpuOf(job);
      }
    }
    return kept;
  }

  private request(job: number): KindRequest {
    const { kind, kinds } = this.jobs.jobs;
    return kinds.request(kind[job]);
  }
}
