import { doubled } from "../../arrays.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Placements } from "../../jobs/placements.ts";
import { NONE } from "../../none.ts";
import { DRAINED, type MachineState } from "../../machines/machine-state.ts";
import type { PlacementGuard } from "../../pool/placer.ts";
import type { Plan } from "../../pool/plan.ts";
import type { PolicyContext } from "../../pool/policy.ts";
import { HeadRoom } from "./head-room.ts";
import { OtherFamilies } from "./other-families.ts";
import { OVERRUN_SECONDS, type RunningJobs } from "./running-jobs.ts";

/**
 * The time of a head that does not fit at any known time, because jobs without an estimate hold what it waits for. It
 * is after every known end, and before the end of any job whose estimate is unknown.
 */
const AFTER_KNOWN_ENDS = Number.MAX_VALUE;
/** The most requests that are remembered as refused. */
const MOST_REFUSED = 8;

/**
 * The one reservation of EASY: the shadow time, at which the first waiting job (the head) is expected to fit, and what
 * other jobs may take from the machines as they will be then without delaying it.
 *
 * All tasks of a job are alike, so the head fits when the machines together have
 * room for that many; which machines it gets is decided when it starts.
 *
 * A job without an estimate (`Infinity`) is never expected to end. If the head waits for such jobs its time is unknown.
 * A candidate with an estimate may pass it all the same: it will have ended by then, or the head is promised a time
 * before it has. A candidate without an estimate may use a machine only if it takes nothing that the head could use: on
 * machines that the head may not use, or if enough is left for as many of the head's tasks as the machine could ever
 * hold. Then it is not in the head's way, whichever jobs end first.
 *
 * The reservation is kept from pass to pass as long as the head stays the same, and is updated by the jobs that start
 * and end meanwhile. On thousands of machines, finding it anew in every pass took nearly all of a run. It is found anew
 * where machines are reserved for families.
 */
export class Shadow implements PlacementGuard {
  /** When the head is expected to start. Can be compared with the ends of candidates even if it is unknown. */
  time = AFTER_KNOWN_ENDS;
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  private readonly placements: Placements;
  private readonly running: RunningJobs;
  /** Null if no machine is ever reserved for a family. */
  private readonly others: OtherFamilies | null;
  private readonly room: HeadRoom;
  private headKind = NONE;
  /** The head's arrival, which identifies it even when its handle goes to another job; `NONE` if nothing is known. */
  private headArrival = NONE;
  private revision = 0;
  /** Whether a job has ended since `time` was found, so that the head may fit sooner. */
  private mayBeSooner = false;
  /** How many tasks of the head's size will fit beside the head itself at its time. */
  private spare = 0;
  /** How many of them the job that is being placed uses up. */
  private lost = 0;
  /** The machines that the job under guard was put on: it may be taken off them again. */
  private readonly putOn: number[] = [];
  /** Requests of long jobs that no machine allows: larger ones are refused as well, until something is freed. */
  private readonly refused: { cores: number; memory: number; gpu: number }[] = [];
  /** Cores that will be free beyond the head's, on all machines together. */
  private spareCores = 0;
  /** By handle, for the jobs in the plan: the first entry. */
  private planEntry = new Int32Array(1024);

  constructor(context: PolicyContext, running: RunningJobs) {
    this.machines = context.machines;
    this.jobs = context.jobs;
    this.placements = context.placements;
    this.others = context.reserving === null ? null : new OtherFamilies(context.reserving);
    this.room = new HeadRoom(context, this.others);
    this.running = running;
  }

  /** When the head is expected to start; NaN if that is not known. */
  get knownTime(): number {
    return this.time < AFTER_KNOWN_ENDS ? this.time : NaN;
  }

  /** Whether the shadow is this job's, and up to date except for jobs that have ended since. */
  isOf(head: number, now: number): boolean {
    return (
      this.headArrival === this.jobs.arrival[head] &&
      this.headKind === this.jobs.kind[head] &&
      this.revision === this.machines.revision &&
      (this.others === null || this.others.now === now) &&
      // A job that has outlived its estimate is always expected to end a little later than now.
      now + OVERRUN_SECONDS <= this.time &&
      this.time < AFTER_KNOWN_ENDS &&
      this.spare >= 0
    );
  }

  /**
   * Finds when the head fits, from the running jobs' expected ends.
   *
   * @param plan the plan of this pass: its jobs count as running, but have no placement yet
   */
  compute(head: number, plan: Plan, now: number): void {
    const { jobs, machines, running } = this;
    this.headArrival = jobs.arrival[head];
    this.headKind = jobs.kind[head];
    this.revision = machines.revision;
    this.mayBeSooner = false;
    this.refused.length = 0;
    this.room.begin(head);
    this.findPlanEntries(plan);
    const { others } = this;
    others?.begin(jobs.familyOf(head), now);
    let room = this.room.inAll();
    const wanted = jobs.tasksOf(head);
    this.spareCores = machines.totalFreeCores - wanted * jobs.coresOf(head);
    this.time = AFTER_KNOWN_ENDS;
    running.bringUpTo(now);
    for (let i = 0; ;) {
      const end = i < running.count ? running.expectedEnd(running.jobAt(i), now) : Infinity;
      const expiry = others === null ? Infinity : others.nextExpiry;
      const next = Math.min(end, expiry);
      // Everything that ends at the shadow time itself counts as spare at that time.
      if (room >= wanted && next > this.time) break;
      if (next === Infinity) {
        this.time = AFTER_KNOWN_ENDS;
        break;
      }
      this.time = next;
      if (expiry === next) {
        const machine = others!.expire();
        if (machine !== NONE) room += this.room.on(machine);
      } else room += this.changeAll(running.jobAt(i++), 1, plan);
    }
    // The machines in service could not hold the head if they were empty.
    if (room < wanted) this.time = AFTER_KNOWN_ENDS;
    this.spare = room - wanted;
  }

  /** Steps back over ends before which the head has room by now. Returns false if stepping back is not enough. */
  moveSooner(now: number): boolean {
    if (!this.mayBeSooner) return true;
    const { running, jobs } = this;
    for (;;) {
      const first = running.placeFrom(this.time);
      const next = running.placeAfter(this.time);
      for (let place = first; place < next; place++) this.spare += this.changeAll(running.at(place), -1);
      if (this.spare < 0) {
        // The head needs the jobs that end at this time.
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
    if (this.others !== null) this.forget();
    if (this.headArrival === NONE) return;
    this.mayBeSooner = true;
    this.refused.length = 0;
    // It no longer belongs to the jobs that will have ended by the shadow time, and what it held is free now …
    if (this.jobs.estimatedEnd[job] > this.time) this.spare += this.changeAll(job, 1);
    // … which the machines themselves count.
    const { placements } = this;
    for (let entry = this.jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
      this.room.add(placements.machineOf(entry), job, -placements.tasksOf(entry));
  }

  /** A job was started without asking the shadow, which is not known any more. */
  forget(): void {
    this.headArrival = NONE;
  }

  /**
   * Whether a job is worth placing. It is not if it would still run at the shadow time and leaves too few cores for the
   * head. Trying to place every such job took most of a run on thousands of machines.
   */
  mayAdmit(job: number, end: number): boolean {
    if (end <= this.time || this.time === AFTER_KNOWN_ENDS) return true;
    const { jobs } = this;
    const cores = jobs.coresOf(job);
    if (cores * jobs.tasksOf(job) > this.spareCores) return false;
    const memory = jobs.memoryOf(job);
    const gpu = jobs.gpuOf(job);
    return !this.refused.some((each) => cores >= each.cores && memory >= each.memory && gpu >= each.gpu);
  }

  /** No machine allows a task of a job that would still run at the shadow time. */
  noteRefused(job: number): void {
    const { jobs, refused } = this;
    if (refused.length < MOST_REFUSED)
      refused.push({ cores: jobs.coresOf(job), memory: jobs.memoryOf(job), gpu: jobs.gpuOf(job) });
  }

  /**
   * Keeps a job that is expected to end at `end` off the machines where it would delay the head. No guard is needed if it
   * ends before the shadow time.
   */
  guardUntil(end: number): PlacementGuard | undefined {
    this.lost = 0;
    for (const machine of this.putOn) this.room.noteChange(machine);
    this.putOn.length = 0;
    return end <= this.time ? undefined : this;
  }

  mayPut(machine: number, job: number, tasks: number): number {
    const { room } = this;
    if (this.time === AFTER_KNOWN_ENDS) return room.leftFor(machine, job, tasks);
    if (this.spare === this.lost && !room.isLoose(machine, job)) return 0;
    const most = room.on(machine) - this.spare + this.lost;
    // Enough of the head's tasks must still fit here after the job's.
    for (let n = tasks; n > 0; n--) if (room.beside(machine, job, n) >= most) return n;
    return 0;
  }

  put(machine: number, job: number, tasks: number): void {
    this.putOn.push(machine);
    this.room.noteChange(machine);
    if (this.time === AFTER_KNOWN_ENDS) return;
    this.lost += this.room.on(machine) - this.room.beside(machine, job, tasks);
  }

  /**
   * The plan's last entries, from `start` on, are a job that is to start. It was placed under the guard until `end`.
   * Returns false, without a change, if it would reserve machines for its family that the head counts on.
   */
  admit(plan: Plan, start: number, end: number): boolean {
    const { jobs } = this;
    const job = plan.job[start];
    const isLong = end > this.time;
    // What a short job takes will be free again by then.
    if (!isLong) this.end(plan, start, 1);
    const { others } = this;
    const reserves = others !== null && others.isOther(jobs.familyOf(job));
    if (reserves && !this.mayReserve(others, plan, start, isLong)) {
      if (!isLong) this.end(plan, start, -1);
      return false;
    }
    if (isLong) {
      this.spare -= this.lost;
      this.spareCores -= jobs.coresOf(job) * jobs.tasksOf(job);
    }
    return true;
  }

  /** Counts the plan's job from the entry `start` on among those that will have ended. */
  private end(plan: Plan, start: number, sign: number): void {
    const job = plan.job[start];
    const family = this.jobs.familyOf(job);
    for (let entry = start; entry < plan.length; entry++) {
      this.room.add(plan.machine[entry], job, sign * plan.tasks[entry]);
      this.others?.end(family, plan.machine[entry], sign * plan.tasks[entry]);
    }
  }

  /**
   * Counts the machines as closed to the head that a job of another family has just reserved beyond the shadow time.
   * Returns false, without a change, if the head needs them.
   */
  private mayReserve(others: OtherFamilies, plan: Plan, start: number, isLong: boolean): boolean {
    const family = this.jobs.familyOf(plan.job[start]);
    const closed: number[] = [];
    let room = 0;
    for (let entry = start; entry < plan.length; entry++) {
      const machine = plan.machine[entry];
      const here = this.room.on(machine);
      if (here === 0 || !others.isReservedBeyond(this.time, family, machine)) continue;
      room += here;
      others.set(machine, true);
      closed.push(machine);
    }
    const spare = isLong ? this.spare - this.lost : this.spare;
    if (room > 0 && room > spare) {
      for (const machine of closed) others.set(machine, false);
      return false;
    }
    this.spare -= room;
    return true;
  }

  /**
   * Counts a job among those that will have ended, or with `sign` -1 no longer. Returns the change of the head's room,
   * in tasks.
   */
  private changeAll(job: number, sign: number, plan?: Plan): number {
    const { jobs, placements } = this;
    let room = 0;
    if (plan !== undefined && jobs.placement[job] === NONE) {
      for (let entry = this.planEntry[job]; plan.job[entry] === job && entry < plan.length; entry++)
        room += this.change(plan.machine[entry], job, sign * plan.tasks[entry]);
    } else {
      for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
        room += this.change(placements.machineOf(entry), job, sign * placements.tasksOf(entry));
    }
    return room;
  }

  /** Adds `tasks` of a job to what a machine will have free. Returns the change of the head's room, in tasks. */
  private change(machine: number, job: number, tasks: number): number {
    const before = this.room.on(machine);
    this.room.add(machine, job, tasks);
    this.others?.end(this.jobs.familyOf(job), machine, tasks);
    if (this.machines.closed[machine] < DRAINED) this.spareCores += this.jobs.coresOf(job) * tasks;
    return this.room.on(machine) - before;
  }

  private findPlanEntries(plan: Plan): void {
    while (this.planEntry.length < this.jobs.capacity) this.planEntry = doubled(this.planEntry);
    for (let entry = plan.length - 1; entry >= 0; entry--) this.planEntry[plan.job[entry]] = entry;
  }
}
