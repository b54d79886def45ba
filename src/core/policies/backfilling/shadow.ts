import { doubled } from "../../arrays.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Placements } from "../../jobs/placements.ts";
import { NONE } from "../../none.ts";
import type { AllowedMachines } from "../../machines/allowed-machines.ts";
import { DRAINED, tasksWithin, type MachineState } from "../../machines/machine-state.ts";
import type { PlacementGuard } from "../../pool/placer.ts";
import type { Plan } from "../../pool/plan.ts";
import { OVERRUN_SECONDS, type RunningJobs } from "./running-jobs.ts";

/**
 * The time of a head that fits at no known time, since jobs without an estimate
 * hold what it waits for: after every known end, and before the end of any job
 * whose estimate is unknown.
 */
const AFTER_KNOWN_ENDS = Number.MAX_VALUE;

/**
 * The one reservation of EASY: the shadow time, at which the first waiting job
 * (the head) is expected to fit, and what may be taken from the machines as they
 * will be then without pushing it back.
 *
 * All tasks of a job are alike, so the head fits when the machines together have
 * room for that many; which machines it gets is decided when it starts.
 *
 * A job without an estimate (`Infinity`) is never expected to end by itself. Where
 * the head waits for such jobs its time is unknown. A candidate with an estimate
 * may pass all the same: it will have ended by then, or the head is promised a
 * time before it has. One without may use a machine only if the head has no use
 * for what it takes: on machines that the head may not use, or where enough of it
 * is left for as many of the head's tasks as the machine could ever hold.
 * Whichever jobs end first, it is not in the head's way.
 *
 * It is kept from pass to pass, as long as the head stays the head, and follows
 * the jobs that start and end meanwhile: on thousands of machines, working it
 * out anew in every pass took nearly all of a run.
 */
export class Shadow implements PlacementGuard {
  /** When the head is expected to start: for comparison with the ends of candidates, also where that is unknown. */
  time = AFTER_KNOWN_ENDS;
  private readonly machines: MachineState;
  private readonly allowed: AllowedMachines;
  private readonly jobs: Jobs;
  private readonly placements: Placements;
  private readonly running: RunningJobs;
  private head = NONE;
  /** The head's arrival, which names it also when its handle goes to another; `NONE` where nothing is known. */
  private headArrival = NONE;
  private revision = 0;
  /** Whether a job has ended since `time` was worked out, so that the head may fit sooner. */
  private mayBeSooner = false;
  /** Tasks of the head's size that will fit beyond the head's own; and how many fewer, for a job that is being placed. */
  private spare = 0;
  private lost = 0;
  /** Cores that will be free beyond the head's, on all machines together. */
  private spareCores = 0;
  /** What each machine will have free at the shadow time beyond what it has now. */
  private cores = new Int32Array(0);
  private memory = new Int32Array(0);
  private gpu = new Int32Array(0);
  /** By handle, of the jobs in the plan: the first entry. */
  private planEntry = new Int32Array(1024);

  constructor(
    machines: MachineState,
    allowed: AllowedMachines,
    jobs: Jobs,
    placements: Placements,
    running: RunningJobs,
  ) {
    this.machines = machines;
    this.allowed = allowed;
    this.jobs = jobs;
    this.placements = placements;
    this.running = running;
  }

  /** Whether what is known is of this job, and holds apart from jobs that have ended since. */
  isOf(head: number, now: number): boolean {
    return (
      this.headArrival === this.jobs.arrival[head] &&
      this.revision === this.machines.revision &&
      // A job that has outlived its estimate is always expected to end a little later than now.
      now + OVERRUN_SECONDS <= this.time &&
      this.time < AFTER_KNOWN_ENDS &&
      this.spare >= 0
    );
  }

  /**
   * Finds when the head fits, from the running jobs' expected ends.
   *
   * @param plan holds the jobs of this pass, which count as running but have no placement yet
   */
  compute(head: number, plan: Plan, now: number): void {
    const { jobs, machines, running } = this;
    this.head = head;
    this.headArrival = jobs.arrival[head];
    this.revision = machines.revision;
    this.mayBeSooner = false;
    this.clear();
    this.findPlanEntries(plan);
    let room = 0;
    for (let machine = 0; machine < machines.count; machine++) room += this.room(machine);
    const wanted = jobs.tasks[head];
    this.spareCores = machines.totalFreeCores - wanted * jobs.cores[head];
    this.time = AFTER_KNOWN_ENDS;
    running.bringUpTo(now);
    for (let i = 0; i < running.count; i++) {
      const job = running.jobAt(i);
      const end = running.expectedEnd(job, now);
      // All that ends at the shadow time itself counts towards what is spare then.
      if (room >= wanted && end > this.time) break;
      if (end === Infinity) {
        this.time = AFTER_KNOWN_ENDS;
        break;
      }
      this.time = end;
      room += this.changeAll(job, 1, plan);
    }
    this.spare = room - wanted;
  }

  /** Steps back over ends before which the head has room by now. False where that is more than stepping back. */
  moveSooner(now: number): boolean {
    if (!this.mayBeSooner) return true;
    const { running, jobs } = this;
    for (;;) {
      const first = running.placeFrom(this.time);
      const next = running.placeAfter(this.time);
      for (let place = first; place < next; place++) this.spare += this.changeAll(running.at(place), -1);
      if (this.spare < 0) {
        // It needs those that end at this time.
        for (let place = first; place < next; place++) this.spare += this.changeAll(running.at(place), 1);
        this.mayBeSooner = false;
        return this.spare >= 0;
      }
      if (first > 0) this.time = jobs.estimatedEnd[running.at(first - 1)];
      if (first === 0 || this.time < now + OVERRUN_SECONDS) {
        this.forget();
        return false;
      }
    }
  }

  /** A running job is about to give its machines back. */
  release(job: number): void {
    if (this.headArrival === NONE) return;
    this.mayBeSooner = true;
    // Of those that will have ended by the shadow time it is one no more, and what it held is free now …
    if (this.jobs.estimatedEnd[job] > this.time) this.spare += this.changeAll(job, 1);
    // … which is for the machines to say.
    const { placements } = this;
    for (let entry = this.jobs.placement[job]; entry !== NONE; entry = placements.next[entry])
      this.add(placements.machine[entry], job, -placements.tasks[entry]);
  }

  /** A job starts that was not asked about: nothing is known any more. */
  forget(): void {
    this.headArrival = NONE;
  }

  /**
   * Whether it is worth placing a job: not where, still running at the shadow
   * time, it leaves too few cores for the head. Trying out the placement of every
   * such job took most of a run on thousands of machines.
   */
  mayAdmit(job: number, end: number): boolean {
    if (end <= this.time || this.time === AFTER_KNOWN_ENDS) return true;
    return this.jobs.cores[job] * this.jobs.tasks[job] <= this.spareCores;
  }

  /**
   * Keeps a job that is expected to end at `end` from places that would push the
   * head back; nothing to guard where it has ended by then. It stops at the first
   * task too many: nine in ten tasks of RICC's candidates were placed in vain.
   */
  guardUntil(end: number): PlacementGuard | undefined {
    this.lost = 0;
    return end <= this.time ? undefined : this;
  }

  allows(machine: number, job: number, tasks: number): boolean {
    if (this.time === AFTER_KNOWN_ENDS) return this.leavesEnough(machine, job);
    const after = this.room(machine);
    this.add(machine, job, tasks);
    this.lost += this.room(machine) - after;
    this.add(machine, job, -tasks);
    return this.lost <= this.spare;
  }

  /** Whether a machine with a job on it still has, of all that the job takes, what the head could ever use there. */
  private leavesEnough(machine: number, job: number): boolean {
    if (!this.mayUse(machine)) return true;
    const { machines, jobs, head } = this;
    const cores = jobs.cores[head];
    const memory = jobs.memory[head];
    const gpu = jobs.gpu[head];
    const left = tasksWithin(
      machines.freeCores[machine] + this.cores[machine],
      jobs.memory[job] === 0 ? Infinity : machines.freeMemory[machine] + this.memory[machine],
      jobs.gpu[job] === 0 ? Infinity : machines.freeGpu[machine] + this.gpu[machine],
      cores,
      memory,
      gpu,
    );
    return left >= Math.min(jobs.tasks[head], machines.capacityFor(machine, cores, memory, gpu));
  }

  /** The plan's last entries, from `start` on, are a job that starts: it was placed under the guard until `end`. */
  admit(plan: Plan, start: number, end: number): void {
    const { jobs } = this;
    const job = plan.job[start];
    if (end > this.time) {
      this.spare -= this.lost;
      this.spareCores -= jobs.cores[job] * jobs.tasks[job];
      return;
    }
    // What was just taken will be there again.
    for (let entry = start; entry < plan.length; entry++)
      this.add(plan.machine[entry], job, plan.tasks[entry]);
  }

  /** Counts a job among those that will have ended, or (`sign` -1) no more; by how many tasks the head's room changes. */
  private changeAll(job: number, sign: number, plan?: Plan): number {
    const { jobs, placements, machines } = this;
    let room = 0;
    const count = (machine: number, tasks: number): void => {
      room += this.change(machine, job, sign * tasks);
      if (machines.closed[machine] < DRAINED) this.spareCores += sign * jobs.cores[job] * tasks;
    };
    if (plan !== undefined && jobs.placement[job] === NONE) {
      for (let entry = this.planEntry[job]; plan.job[entry] === job && entry < plan.length; entry++)
        count(plan.machine[entry], plan.tasks[entry]);
    } else {
      for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.next[entry])
        count(placements.machine[entry], placements.tasks[entry]);
    }
    return room;
  }

  /** Adds `tasks` of a job to what a machine will have free; returns by how many tasks the head's room changes. */
  private change(machine: number, job: number, tasks: number): number {
    const before = this.room(machine);
    this.add(machine, job, tasks);
    return this.room(machine) - before;
  }

  private add(machine: number, job: number, tasks: number): void {
    const { jobs } = this;
    this.cores[machine] += jobs.cores[job] * tasks;
    this.memory[machine] += jobs.memory[job] * tasks;
    this.gpu[machine] += jobs.gpu[job] * tasks;
  }

  private room(machine: number): number {
    const { machines, jobs, head } = this;
    if (!this.mayUse(machine)) return 0;
    return tasksWithin(
      machines.freeCores[machine] + this.cores[machine],
      machines.freeMemory[machine] + this.memory[machine],
      machines.freeGpu[machine] + this.gpu[machine],
      jobs.cores[head],
      jobs.memory[head],
      jobs.gpu[head],
    );
  }

  /** Whether the head may use a machine, as far as that is not a matter of room. */
  private mayUse(machine: number): boolean {
    const { machines, allowed } = this;
    return machines.closed[machine] < DRAINED && allowed.suits(this.head, machine);
  }

  /** For as many machines as there are now: some may have joined. */
  private clear(): void {
    const { count } = this.machines;
    if (this.cores.length === count) {
      this.cores.fill(0);
      this.memory.fill(0);
      this.gpu.fill(0);
      return;
    }
    this.cores = new Int32Array(count);
    this.memory = new Int32Array(count);
    this.gpu = new Int32Array(count);
  }

  private findPlanEntries(plan: Plan): void {
    while (this.planEntry.length < this.jobs.capacity) this.planEntry = doubled(this.planEntry);
    for (let entry = plan.length - 1; entry >= 0; entry--) this.planEntry[plan.job[entry]] = entry;
  }
}
