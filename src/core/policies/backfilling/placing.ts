import type { Jobs } from "../../jobs/jobs.ts";
import type { AllowedMachines } from "../../machines/allowed-machines.ts";
import type { MachineState } from "../../machines/machine-state.ts";
import type { MachineView } from "../../machines/machine-view.ts";
import type { Heuristic } from "../../matching/heuristic.ts";
import { firstFit } from "../../matching/heuristics/first-fit.ts";
import { isBefore } from "../../matching/in-turn.ts";
import { NONE } from "../../none.ts";
import type { PolicyContext } from "../../pool/policy.ts";
import { TimeHeap } from "../../time-heap.ts";
import type { FamilyTimes } from "./family-times.ts";
import type { MachinePlans } from "./machine-plans.ts";

/** The machines as they will be at a time, for a heuristic to choose from. */
class FutureMachines implements MachineView {
  freeCores = new Int32Array(0);
  freeMemory = new Int32Array(0);
  freeGpu = new Int32Array(0);
  closed = new Uint8Array(0);
  private readonly machines: MachineState;

  constructor(machines: MachineState) {
    this.machines = machines;
  }

  get count(): number {
    return this.machines.count;
  }
  get capacityCores(): Int32Array {
    return this.machines.capacityCores;
  }
  get capacityMemory(): Int32Array {
    return this.machines.capacityMemory;
  }
  get capacityGpu(): Int32Array {
    return this.machines.capacityGpu;
  }
  get considersGpu(): boolean {
    return this.machines.considersGpu;
  }

  makeRoom(): void {
    const { count } = this.machines;
    if (this.closed.length === count) return;
    this.freeCores = new Int32Array(count);
    this.freeMemory = new Int32Array(count);
    this.freeGpu = new Int32Array(count);
    this.closed = new Uint8Array(count);
  }

  watch(): void {}
  unwatch(): void {}
}

/**
 * Finds the earliest time at which a job fits for as long as it is to run, beside all that runs and is promised, and
 * then the machines that the heuristic chooses by what is free at that time.
 */
export class Placing {
  /** The result of `choose`: the machines, and the number of tasks on each. */
  readonly machine: number[] = [];
  readonly tasks: number[] = [];
  /** Set by `choose` for a time that is now: for how many of the job's tasks there is room now. */
  roomNow = 0;
  /** Counts the machines that searches have looked at. */
  looks = 0;
  private readonly plans: MachinePlans;
  private readonly families: FamilyTimes | null;
  private readonly jobs: Jobs;
  private readonly machines: MachineState;
  private readonly allowed: AllowedMachines;
  private readonly context: PolicyContext;
  private readonly future: FutureMachines;
  private readonly rises = new TimeHeap();
  /** By machine, in a search: its room and the time for which that was worked out. */
  private room = new Int32Array(0);
  private roomAt = new Float64Array(0);
  /** Machines with room, and their scores. */
  private readonly found: number[] = [];
  private readonly score: number[] = [];

  /** @param families null if no machine is ever reserved for a family */
  constructor(context: PolicyContext, plans: MachinePlans, families: FamilyTimes | null) {
    const { jobs, machines, allowed } = context;
    this.plans = plans;
    this.families = families;
    this.jobs = jobs;
    this.machines = machines;
    this.allowed = allowed;
    this.context = context;
    this.future = new FutureMachines(machines);
  }

  /** The earliest time, not before `from`, at which all tasks of a job fit; Infinity if it is not before `limit`. */
  earliest(job: number, seconds: number, from: number, limit: number): number {
    const { plans } = this;
    const { kinds } = this.jobs;
    const kind = this.jobs.kind[job];
    const tasks = kinds.tasks[kind];
    const cores = kinds.cores[kind];
    const memory = kinds.memory[kind];
    const gpu = kinds.gpu[kind];
    let time = from;
    if (from >= limit) return Infinity;
    for (;;) {
      time = plans.pool.earliest(cores * tasks, memory * tasks, gpu * tasks, seconds, time, limit);
      if (time === Infinity) return Infinity;
      const withLicences = plans.licencesFrom(kinds.licences[kind], seconds, time, limit);
      if (withLicences > time) {
        time = withLicences;
        if (time === Infinity) return Infinity;
        continue;
      }
      const onMachines =
        tasks === 1
          ? this.earliestOfOne(kind, seconds, time, limit)
          : this.earliestOfSeveral(kind, seconds, time, limit);
      if (onMachines === time || onMachines === Infinity) return onMachines;
      if (plans.licences.length === 0) return onMachines;
      time = onMachines;
    }
  }

  /** The earliest time at which a task of a kind fits on one machine. */
  earliestOn(machine: number, kind: number, seconds: number, from: number, limit: number): number {
    const { cores, memory, gpu } = this.jobs.kinds;
    this.looks++;
    if (!this.mayUse(kind, machine)) return Infinity;
    const profile = this.plans.profiles[machine];
    let time = from;
    for (;;) {
      time = profile.earliest(cores[kind], memory[kind], gpu[kind], seconds, time, limit);
      if (time === Infinity) return Infinity;
      const opens = this.opensAt(kind, machine, seconds, time);
      if (opens === time) return time;
      time = opens;
    }
  }

  private earliestOfOne(kind: number, seconds: number, from: number, limit: number): number {
    const { machines } = this;
    const members = this.allowed.setOf(this.jobs.kinds.requirement[kind])?.members;
    const count = members?.length ?? machines.count;
    let best = limit;
    for (let i = 0; i < count && best > from; i++) {
      const time = this.earliestOn(members?.[i] ?? i, kind, seconds, from, best);
      if (time < best) best = time;
    }
    return best < limit ? best : Infinity;
  }

  /**
   * Goes from one time at which some machine's room may grow to the next. Room that was worked out for an earlier time
   * may have shrunk since, so the sum is an upper bound: when it is enough the old ones are worked out anew.
   */
  private earliestOfSeveral(kind: number, seconds: number, from: number, limit: number): number {
    const { machines, plans, rises } = this;
    const { kinds } = this.jobs;
    const tasks = kinds.tasks[kind];
    const cores = kinds.cores[kind];
    const memory = kinds.memory[kind];
    const gpu = kinds.gpu[kind];
    const members = this.allowed.setOf(kinds.requirement[kind])?.members;
    const count = members?.length ?? machines.count;
    if (this.room.length < machines.count) {
      this.room = new Int32Array(machines.count);
      this.roomAt = new Float64Array(machines.count);
    }
    const { room, roomAt } = this;
    rises.clear();
    let sum = 0;
    const workOut = (machine: number, time: number): void => {
      const profile = plans.profiles[machine];
      this.looks++;
      const opens = this.opensAt(kind, machine, seconds, time);
      const isOpen = opens === time;
      const here = isOpen ? Math.min(tasks, profile.room(time, time + seconds, cores, memory, gpu)) : 0;
      sum += here - room[machine];
      room[machine] = here;
      roomAt[machine] = time;
      const risesAt = isOpen ? profile.risesAt : opens;
      if (here < tasks && risesAt < limit) rises.add(machine, risesAt);
    };
    for (let i = 0; i < count; i++) {
      const machine = members?.[i] ?? i;
      room[machine] = 0;
      if (!this.mayUse(kind, machine)) continue;
      workOut(machine, from);
      if (sum >= tasks) return from;
    }
    let time = from;
    for (;;) {
      time = rises.firstTime;
      if (time >= limit) return Infinity;
      while (rises.firstTime === time) {
        const machine = rises.take();
        if (roomAt[machine] < time) workOut(machine, time);
      }
      if (sum < tasks) continue;
      for (let i = 0; i < count; i++) {
        const machine = members?.[i] ?? i;
        if (room[machine] > 0 && roomAt[machine] < time) workOut(machine, time);
        if (sum < tasks) break;
      }
      if (sum >= tasks) return time;
    }
  }

  /** Whether the pool as a whole has what a job asks for, from now on for as long as it is to run. */
  mayFitNow(job: number, seconds: number): boolean {
    const { jobs, plans } = this;
    const tasks = jobs.tasksOf(job);
    const { now } = plans;
    const [cores, memory, gpu] = [
      jobs.coresOf(job) * tasks,
      jobs.memoryOf(job) * tasks,
      jobs.gpuOf(job) * tasks,
    ];
    return plans.pool.earliest(cores, memory, gpu, seconds, now, now + 1) === now;
  }

  /**
   * Chooses machines for a job at a time at which it fits: its tasks go one after another to the machine that the
   * heuristic prefers by what is free then, among those with room for as long as the job is to run. Returns false if
   * they do not all fit.
   */
  choose(job: number, seconds: number, time: number, { heuristic, keepsChoice }: Choice): boolean {
    const { plans, machines, future, found, score } = this;
    const { packing } = this.context;
    const { kinds } = this.jobs;
    const kind = this.jobs.kind[job];
    const cores = kinds.cores[kind];
    const memory = kinds.memory[kind];
    const gpu = kinds.gpu[kind];
    let left = kinds.tasks[kind];
    const members = this.allowed.setOf(kinds.requirement[kind])?.members;
    const count = members?.length ?? machines.count;
    const isNow = time === plans.now;
    this.machine.length = this.tasks.length = found.length = score.length = 0;
    if (this.room.length < machines.count) {
      this.room = new Int32Array(machines.count);
      this.roomAt = new Float64Array(machines.count);
    }
    future.makeRoom();
    this.roomNow = 0;
    const { room } = this;
    // First-fit takes machines in order, so that none is wanted after the last that is needed.
    const isInOrder = heuristic === firstFit && packing === null;
    let enough = isInOrder ? left : Infinity;
    for (let i = 0; i < count && enough > 0; i++) {
      const machine = members?.[i] ?? i;
      if (isNow) {
        const here = machines.roomFor(machine, cores, memory, gpu);
        if (here === 0) continue;
        if (machines.closed[machine] === 0) this.roomNow += here;
      }
      if (!this.mayUse(kind, machine)) continue;
      if (this.opensAt(kind, machine, seconds, time) !== time) continue;
      const profile = plans.profiles[machine];
      room[machine] = profile.room(time, time + seconds, cores, memory, gpu);
      if (room[machine] === 0) continue;
      enough -= room[machine];
      profile.lookAt(time);
      future.freeCores[machine] = profile.cores;
      future.freeMemory[machine] = profile.memory;
      future.freeGpu[machine] = profile.gpu;
      found.push(machine);
      score.push(heuristic.score(future, machine, cores, memory, gpu));
    }
    while (left > 0) {
      const best = this.best(kind, heuristic);
      if (best === NONE) return false;
      const machine = found[best];
      const here = keepsChoice ? Math.min(left, room[machine]) : 1;
      this.put(machine, here);
      left -= here;
      room[machine] -= here;
      future.freeCores[machine] -= cores * here;
      future.freeMemory[machine] -= memory * here;
      future.freeGpu[machine] -= gpu * here;
      if (room[machine] > 0) score[best] = heuristic.score(future, machine, cores, memory, gpu);
    }
    return true;
  }

  /** The place in `found` of the machine to take next, or `NONE`. */
  private best(kind: number, { amongEquals }: Heuristic): number {
    const { found, score, room, future, jobs } = this;
    const { cores, memory, gpu } = jobs.kinds;
    const { packing } = this.context;
    const family = jobs.kinds.family[kind];
    let best = NONE;
    let isBestPreferred = false;
    for (let i = 0; i < found.length; i++) {
      const machine = found[i];
      if (room[machine] === 0) continue;
      const isPreferred = packing === null || packing.prefers(family, machine);
      if (isPreferred !== isBestPreferred || best === NONE) {
        if (best !== NONE && isBestPreferred) continue;
      } else if (score[i] > score[best]) continue;
      else if (
        score[i] === score[best] &&
        !isBefore(amongEquals, future, machine, found[best], cores[kind], memory[kind], gpu[kind])
      )
        continue;
      best = i;
      isBestPreferred = isPreferred;
    }
    return best;
  }

  private put(machine: number, tasks: number): void {
    const last = this.machine.length - 1;
    if (last >= 0 && this.machine[last] === machine) this.tasks[last] += tasks;
    else {
      this.machine.push(machine);
      this.tasks.push(tasks);
    }
  }

  /**
   * The earliest time, not before `time`, at which the machine is not kept from the jobs of a kind for other families, or
   * booked for others before they would end.
   */
  opensAt(kind: number, machine: number, seconds: number, time: number): number {
    const { families, plans } = this;
    const { bookings } = this.context;
    if (families === null) return bookings?.opensAt(kind, machine, seconds, time) ?? time;
    for (let opens = time; ;) {
      const beside = families.startsFrom(this.jobs.kinds.family[kind], machine, seconds, opens, plans.now);
      opens = bookings?.opensAt(kind, machine, seconds, beside) ?? beside;
      if (opens === beside) return opens;
    }
  }

  private mayUse(kind: number, machine: number): boolean {
    return this.jobs.kinds.exclusion[kind] === 0 || this.allowed.suitsKind(kind, machine);
  }
}

/** A heuristic, and whether it keeps its choice for equal tasks on these machines. */
export interface Choice {
  readonly heuristic: Heuristic;
  readonly keepsChoice: boolean;
}
