import { NONE } from "../none.ts";
import type { PriorityQueue } from "../queue/priority-queue.ts";
import { FailedPreemptions } from "./failed-preemptions.ts";
import { SUSPENDED, type FarmJobs } from "./farm-jobs.ts";
import type { PhysicalPool, PreemptionSettings } from "./physical-pool.ts";
import { Residents, type Contender } from "./residents.ts";

/**
 * Who is suspended for whom in a pool, and who goes on.
 *
 * A waiting job that found no room suspends jobs of lower rank on one machine: see
 * `Residents` for ranks. What it asked in vain it need not ask again for a while
 * (`FailedPreemptions`): in a burst of urgent jobs a cycle looks at the kinds that
 * wait, not at the thousands of jobs.
 */
export class Preemption {
  readonly residents: Residents;
  private readonly jobs: FarmJobs;
  private readonly pool: PhysicalPool;
  private readonly queue: PriorityQueue;
  private readonly priorities: number;
  /** The pool serves jobs in another order, so this queue has to be kept beside its own. */
  private readonly isQueueOwn: boolean;
  private readonly failed: FailedPreemptions;
  /** Machines with suspended jobs on which something was given up since they were last looked at. */
  private readonly loosened: number[] = [];
  private readonly isLoosened: Uint8Array;
  /** By machine: how many suspended jobs' entries are on it. */
  private readonly suspendedHere: Int32Array;
  /** Tasks of the contender that there is room for as it is; 0 where it has one. */
  private elsewhere = 0;
  /** Whether the contender that found no machine had none with room as it is either, which lower jobs may take yet. */
  private isFinal = false;
  private readonly contender: Contender = {
    cores: 0,
    memory: 0,
    gpu: 0,
    tasks: 1,
    kind: 0,
    owner: 0,
    priority: 0,
  };

  constructor(
    jobs: FarmJobs,
    pool: PhysicalPool,
    queue: PriorityQueue,
    priorities: number,
    settings: PreemptionSettings,
    isQueueOwn: boolean,
  ) {
    const { machines, placements, allowed } = pool.pool;
    this.jobs = jobs;
    this.pool = pool;
    this.queue = queue;
    this.priorities = priorities;
    this.isQueueOwn = isQueueOwn;
    this.residents = new Residents(
      jobs,
      machines,
      placements,
      allowed,
      pool.groups,
      pool.ownerOf,
      priorities,
      settings.rule,
      settings.keepsMemory,
    );
    this.isLoosened = new Uint8Array(machines.count);
    this.suspendedHere = new Int32Array(machines.count);
    this.failed = new FailedPreemptions(this.residents, jobs.jobs.kinds, queue.classCount);
  }

  wait(job: number): void {
    if (this.isQueueOwn) this.queue.add(job);
  }

  leave(job: number): void {
    if (this.isQueueOwn) this.queue.remove(job);
  }

  started(job: number): void {
    this.residents.add(job);
  }

  /** Before it gives its resources up. */
  left(job: number): void {
    if (this.jobs.state[job] === SUSPENDED) this.countSuspended(job, -1);
    this.loosen(job);
    this.residents.remove(job);
  }

  stopped(job: number): void {
    this.countSuspended(job, 1);
    this.loosen(job);
    this.residents.stop(job);
  }

  wentOn(job: number): void {
    this.countSuspended(job, -1);
    this.residents.run(job);
  }

  /** Lets suspended jobs go on where there is room again, if need be in place of jobs of lower rank. */
  resume(now: number): void {
    const { loosened, isLoosened, residents, jobs } = this;
    for (let i = 0; i < loosened.length; i++) {
      const machine = loosened[i];
      isLoosened[machine] = 0;
      for (const job of residents.suspendedOn(machine)) {
        if (jobs.state[job] === SUSPENDED && this.makeRoomFor(job, now)) this.pool.resume(job, now);
      }
    }
    loosened.length = 0;
  }

  /** Lets waiting jobs suspend others; whether any did. */
  preempt(now: number): boolean {
    const { queue, residents, priorities } = this;
    let isAny = false;
    const lowest = residents.lowestRank();
    for (let level = queue.classCount - 1; level > 0; level--) {
      const highestRank = level;
      if (lowest >= highestRank) break;
      const kinds = queue.kindsOfClass(level);
      if (kinds === undefined || kinds.count === 0) continue;
      // Of those that leave, the ones of this rank or above give a job of the class something it did not have.
      const priority = level % priorities;
      if (this.mayPreempt(level, priority) && this.preemptFor(level, priority, now)) isAny = true;
    }
    return isAny;
  }

  /** Whether a job of the class, of any kind that waits, can suspend somebody. */
  private mayPreempt(level: number, priority: number): boolean {
    const { list, count } = this.queue.kindsOfClass(level)!;
    const { kinds } = this.jobs.jobs;
    const { contender, failed } = this;
    contender.priority = priority;
    for (let i = 0; i < count; i++) {
      const kind = list[i];
      if (kind === 0) return true;
      const leavings = failed.leavings(priority, kinds.tasks[kind], kinds.memory[kind]);
      if (failed.includes(level, kind, leavings)) continue;
      contender.cores = kinds.cores[kind];
      contender.memory = kinds.memory[kind];
      contender.gpu = kinds.gpu[kind];
      contender.tasks = kinds.tasks[kind];
      contender.kind = kind;
      contender.owner = kinds.owner[kind];
      if (this.machineFor() !== NONE) return true;
      if (this.isFinal) failed.add(level, kind, leavings);
    }
    return false;
  }

  /** Takes the jobs of a class in turn. */
  private preemptFor(level: number, priority: number, now: number): boolean {
    const { queue, contender, failed, jobs, pool } = this;
    const { jobs: table } = jobs;
    const waiting = queue.ofClass(level)!;
    let isAny = false;
    waiting.begin();
    for (let job = waiting.next(); job !== NONE; job = waiting.next()) {
      const kind = table.kind[job];
      // The first may have left room for others beside it.
      if (isAny && pool.startOn(job, NONE, now)) continue;
      const leavings = failed.leavings(priority, table.tasks[job], table.memory[job]);
      if (kind !== 0 && failed.includes(level, kind, leavings)) continue;
      contender.priority = priority;
      contender.cores = table.cores[job];
      contender.memory = table.memory[job];
      contender.gpu = table.gpu[job];
      contender.tasks = table.tasks[job];
      contender.kind = kind;
      contender.owner = table.owner[job];
      const machine = this.machineFor();
      if (machine === NONE) {
        if (kind !== 0 && this.isFinal) failed.add(level, kind, leavings);
        continue;
      }
      this.suspendOn(machine, job, now);
      pool.startOn(job, machine, now);
      isAny = true;
    }
    return isAny;
  }

  private machineFor(): number {
    const { contender, pool, residents } = this;
    const { allowed } = pool.pool;
    const set = allowed.setOf(this.jobs.jobs.kinds.requirement[contender.kind]);
    let elsewhere = 0;
    // Room for the tasks of a job with several counts on every machine.
    if (contender.tasks > 1) {
      const { machines } = pool.pool;
      for (let machine = 0; machine < machines.count; machine++) {
        if (machines.closed[machine] !== 0) continue;
        if (!allowed.allowsKind(contender.kind, machine)) continue;
        elsewhere += machines.roomFor(machine, contender.cores, contender.memory, contender.gpu);
      }
    }
    this.elsewhere = elsewhere;
    const machine = residents.machineFor(contender, set === null ? null : set.groups, elsewhere);
    if (machine === NONE) {
      this.isFinal =
        contender.tasks > 1 ? elsewhere < contender.tasks : pool.pool.find(contender.kind) === NONE;
    }
    return machine;
  }

  /**
   * Suspends jobs below this one on a machine in the rule's order, until there is room.
   * If the last made some of the first superfluous, these go on within the same cycle.
   */
  private suspendOn(machine: number, job: number, now: number): void {
    const { residents, pool, jobs } = this;
    const { machines } = pool.pool;
    const { cores, memory, gpu, tasks } = jobs.jobs;
    const room = (): number => machines.roomFor(machine, cores[job], memory[job], gpu[job]);
    const wanted = tasks[job] === 1 ? 1 : tasks[job] - (this.elsewhere - room());
    for (const lower of residents.lowerOn(machine, residents.rankOn(job, machine))) {
      if (room() >= wanted) break;
      pool.suspend(lower, now);
    }
  }

  /** Whether a suspended job can go on, once jobs below it have made room where they must. */
  private makeRoomFor(job: number, now: number): boolean {
    const { pool, jobs, residents } = this;
    const { machines, placements } = pool.pool;
    const { cores, memory, gpu, placement, tasks } = jobs.jobs;
    const memoryWanted = pool.keepsMemory ? 0 : memory[job];
    const first = placement[job];
    const machine = placements.machine[first];
    if (placements.next[first] !== NONE) return this.fitsOnAll(job, memoryWanted);
    if (machines.closed[machine] !== 0) return false;
    const n = tasks[job];
    if (machines.roomFor(machine, cores[job], memoryWanted, gpu[job]) >= n) return true;
    const rank = residents.rankOn(job, machine);
    if (residents.roomWithout(machine, rank, cores[job], memoryWanted, gpu[job]) < n) return false;
    for (const lower of residents.lowerOn(machine, rank)) {
      pool.suspend(lower, now);
      if (machines.roomFor(machine, cores[job], memoryWanted, gpu[job]) >= n) break;
    }
    return true;
  }

  /** A job with tasks on several machines goes on where all have room as they are. */
  private fitsOnAll(job: number, memory: number): boolean {
    const { machines, placements } = this.pool.pool;
    const { cores, gpu, placement } = this.jobs.jobs;
    const wanted = new Map<number, number>();
    for (let entry = placement[job]; entry !== NONE; entry = placements.next[entry]) {
      const machine = placements.machine[entry];
      wanted.set(machine, (wanted.get(machine) ?? 0) + placements.tasks[entry]);
    }
    for (const [machine, n] of wanted) {
      if (machines.closed[machine] !== 0) return false;
      if (machines.roomFor(machine, cores[job], memory, gpu[job]) < n) return false;
    }
    return true;
  }

  private loosen(job: number): void {
    const { placements } = this.pool.pool;
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = placements.next[entry]) {
      const machine = placements.machine[entry];
      if (this.isLoosened[machine] !== 0 || this.suspendedHere[machine] === 0) continue;
      this.isLoosened[machine] = 1;
      this.loosened.push(machine);
    }
  }

  private countSuspended(job: number, sign: number): void {
    const { machine, next } = this.pool.pool.placements;
    for (let entry = this.jobs.jobs.placement[job]; entry !== NONE; entry = next[entry])
      this.suspendedHere[machine[entry]] += sign;
  }
}
