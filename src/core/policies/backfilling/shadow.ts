import type { Jobs } from "../../jobs/jobs.ts";
import type { Placements } from "../../jobs/placements.ts";
import { NONE } from "../../none.ts";
import { tasksWithin, type MachineState } from "../../machines/machine-state.ts";
import type { Plan } from "../../pool/plan.ts";
import type { RunningJobs } from "./running-jobs.ts";

/**
 * The one reservation of EASY: the shadow time, at which the first waiting job
 * (the head) is expected to fit, and what may be taken from the machines as they
 * will be then without pushing it back.
 *
 * All tasks of a job are alike, so the head fits when the machines together have
 * room for that many; which machines it gets is decided when it starts.
 */
export class Shadow {
  /** When the head is expected to start. */
  time = Infinity;
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  private readonly placements: Placements;
  private head = NONE;
  /** Tasks of the head's size that will fit beyond the head's own. */
  private spare = 0;
  /** Cores that will be free beyond the head's, on all machines together. */
  private spareCores = 0;
  /** What each machine will have free at the shadow time beyond what it has now. */
  private readonly cores: Int32Array;
  private readonly memory: Int32Array;
  private readonly gpu: Int32Array;
  private readonly touched: number[] = [];

  constructor(machines: MachineState, jobs: Jobs, placements: Placements) {
    this.machines = machines;
    this.jobs = jobs;
    this.placements = placements;
    this.cores = new Int32Array(machines.count);
    this.memory = new Int32Array(machines.count);
    this.gpu = new Int32Array(machines.count);
  }

  /**
   * Finds when the head fits, from the running jobs' expected ends.
   *
   * @param plan holds the jobs of this pass, which count as running but have no placement yet
   */
  compute(head: number, running: RunningJobs, plan: Plan, now: number): void {
    const { jobs, machines, placements, touched } = this;
    for (const machine of touched) this.cores[machine] = this.memory[machine] = this.gpu[machine] = 0;
    touched.length = 0;
    this.head = head;
    let room = 0;
    for (let machine = 0; machine < machines.count; machine++) room += this.room(machine);
    const wanted = jobs.tasks[head];
    this.time = Infinity;
    running.look(now);
    for (let i = 0; i < running.count; i++) {
      const job = running.jobAt(i);
      const end = running.expectedEnd(job, now);
      // All that ends at the shadow time itself counts towards what is spare then.
      if (room >= wanted && end > this.time) break;
      this.time = end;
      if (jobs.placement[job] === NONE) {
        for (let entry = 0; entry < plan.length; entry++) {
          if (plan.job[entry] === job) room += this.change(plan.machine[entry], job, plan.tasks[entry]);
        }
      } else {
        for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.next[entry]) {
          room += this.change(placements.machine[entry], job, placements.tasks[entry]);
        }
      }
    }
    this.spare = room - wanted;
    this.spareCores = machines.totalFreeCores - wanted * jobs.cores[head];
    for (const machine of new Set(touched)) this.spareCores += this.cores[machine];
  }

  /**
   * Whether it is worth placing a job: not where, still running at the shadow
   * time, it leaves too few cores for the head. Trying out the placement of every
   * such job took most of a run on thousands of machines.
   */
  mayAdmit(job: number, end: number): boolean {
    return end <= this.time || this.jobs.cores[job] * this.jobs.tasks[job] <= this.spareCores;
  }

  /**
   * Whether the plan's last entries, from `start` on, leave the head its start.
   * They have just been placed for a job expected to end at `end`; they count from
   * now on if the answer is yes, and are to be taken off again if it is no.
   */
  admits(plan: Plan, start: number, end: number): boolean {
    // What was just taken will be there again …
    for (let entry = start; entry < plan.length; entry++) {
      this.change(plan.machine[entry], plan.job[entry], plan.tasks[entry]);
    }
    if (end <= this.time) return true;
    // … unless the job is still running then.
    let lost = 0;
    for (let entry = start; entry < plan.length; entry++) {
      lost -= this.change(plan.machine[entry], plan.job[entry], -plan.tasks[entry]);
    }
    if (lost > this.spare) return false;
    this.spare -= lost;
    const job = plan.job[start];
    this.spareCores -= this.jobs.cores[job] * this.jobs.tasks[job];
    return true;
  }

  /** Adds `tasks` of a job to what a machine will have free; returns by how many tasks the head's room changes. */
  private change(machine: number, job: number, tasks: number): number {
    const { jobs } = this;
    const before = this.room(machine);
    this.touched.push(machine);
    this.cores[machine] += jobs.cores[job] * tasks;
    this.memory[machine] += jobs.memory[job] * tasks;
    this.gpu[machine] += jobs.gpu[job] * tasks;
    return this.room(machine) - before;
  }

  private room(machine: number): number {
    const { machines, jobs, head } = this;
    return tasksWithin(
      machines.freeCores[machine] + this.cores[machine],
      machines.freeMemory[machine] + this.memory[machine],
      machines.freeGpu[machine] + this.gpu[machine],
      jobs.cores[head],
      jobs.memory[head],
      jobs.gpu[head],
    );
  }
}
