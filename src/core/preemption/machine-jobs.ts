import { extended, lengthened } from "../arrays.ts";
import type { EngineJobs } from "../jobs/engine-jobs.ts";
import { RUNNING, SUSPENDED } from "../jobs/job-states.ts";
import type { Placements } from "../jobs/placements.ts";
import type { AllowedMachines } from "../machines/allowed-machines.ts";
import type { OwnedGroups } from "../machines/machine-groups.ts";
import { tasksWithin, type MachineState } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import type { VictimRule } from "./victim-rule.ts";

/** What a job that asks for others to be suspended needs. */
export interface PreemptionRequest {
  cores: number;
  memory: number;
  gpu: number;
  tasks: number;
  /** Its kind of request, which says which machines it may use. */
  kind: number;
  owner: number;
  priority: number;
}

// Where in the row of an entry what is, and how long a row is.
const JOB = 0;
const MACHINE_NEXT = 1;
const MACHINE_PREVIOUS = 2;
const RANK_NEXT = 3;
const RANK_PREVIOUS = 4;
const ROW = 8;

/**
 * Which jobs are on which machine of a pool, running or suspended, and which may be suspended there for whom.
 *
 * A job's rank depends on the machine: on those that its group owns it is above every job of another group, elsewhere
 * its own priority counts (Zhang 2010, section 2.2). All machines of a group have one owner, so the running jobs are
 * kept by group of machines and by rank, those to be suspended first in front: a search looks at one or two jobs, not
 * at all that run.
 *
 * Entries are those of the pool's `Placements`, a job on a machine.
 */
export class MachineJobs {
  /** Ranks are below this: priorities, then the owners' priorities. */
  readonly rankCount: number;
  /** How many running jobs of each rank have left a machine: a request that failed need not be tried again before. */
  readonly departures: Float64Array;
  /** How many jobs have left memory that would not have been given up by suspending them. */
  memoryDepartures = 0;
  /** Whether a job was passed over, since this was cleared, that is starting, or that just failed to be suspended. */
  hasPassedOver = false;
  /** The time of the present cycle. */
  now = 0;
  private readonly jobs: EngineJobs;
  private readonly machines: MachineState;
  private readonly placements: Placements;
  private readonly allowed: AllowedMachines;
  private readonly groups: OwnedGroups;
  private readonly priorities: number;
  private readonly rule: VictimRule;
  private readonly keepsMemory: boolean;
  /** By machine its entries; by group and rank the running ones. */
  private onMachine: Int32Array;
  private firstOf: Int32Array;
  private readonly runningOf: Int32Array;
  private runs = 0;
  /**
   * By entry: its job, and its neighbours on its machine and in its list by rank. They lie together: of a hundred
   * thousand running jobs each is cold when it ends, and a cache line for each of them cost a twentieth of a run.
   */
  private row = new Int32Array(0);
  private key = new Float64Array(0);

  /**
   * @param priorities jobs' own priorities are below this
   */
  constructor(
    jobs: EngineJobs,
    machines: MachineState,
    placements: Placements,
    allowed: AllowedMachines,
    groups: OwnedGroups,
    priorities: number,
    rule: VictimRule,
    keepsMemory: boolean,
  ) {
    this.jobs = jobs;
    this.machines = machines;
    this.placements = placements;
    this.allowed = allowed;
    this.groups = groups;
    this.priorities = priorities;
    this.rule = rule;
    this.keepsMemory = keepsMemory;
    this.rankCount = priorities * 2;
    this.departures = new Float64Array(this.rankCount);
    this.onMachine = new Int32Array(machines.count).fill(NONE);
    this.firstOf = new Int32Array(groups.count * this.rankCount).fill(NONE);
    this.runningOf = new Int32Array(this.rankCount);
  }

  /** There are so many machines now, of as many groups as there are, not fewer than before. */
  resized(count: number): void {
    const machines = this.onMachine.length;
    this.onMachine = extended(this.onMachine, count).fill(NONE, machines);
    const lists = this.firstOf.length;
    this.firstOf = extended(this.firstOf, this.groups.count * this.rankCount).fill(NONE, lists);
  }

  /** The rank that a job of this priority and group has on the machines of a group. */
  rank(priority: number, owner: number, group: number): number {
    return owner !== 0 && owner === this.groups.ownerOf[group] ? this.priorities + priority : priority;
  }

  rankOn(job: number, machine: number): number {
    const { jobs } = this;
    return this.rank(jobs.priority[job], jobs.jobs.owner[job], this.machines.groupOf[machine]);
  }

  /** A job starts: all its entries. */
  add(job: number): void {
    const { placements } = this;
    this.reserve(placements.machine.length);
    for (let entry = this.first(job); entry !== NONE; entry = placements.next[entry]) {
      const machine = placements.machine[entry];
      const after = this.onMachine[machine];
      this.row[entry * ROW + JOB] = job;
      this.row[entry * ROW + MACHINE_NEXT] = after;
      this.row[entry * ROW + MACHINE_PREVIOUS] = NONE;
      if (after !== NONE) this.row[after * ROW + MACHINE_PREVIOUS] = entry;
      this.onMachine[machine] = entry;
    }
    this.run(job);
  }

  /** A job on the machines leaves them: before its placement is given up. */
  remove(job: number): void {
    const { placements, row } = this;
    this.stop(job);
    // Suspending a job would not have freed its memory, so what it leaves may let a request succeed that failed.
    if (this.keepsMemory && this.jobs.jobs.memory[job] > 0) this.memoryDepartures++;
    for (let entry = this.first(job); entry !== NONE; entry = placements.next[entry]) {
      const after = row[entry * ROW + MACHINE_NEXT];
      const before = row[entry * ROW + MACHINE_PREVIOUS];
      if (before === NONE) this.onMachine[placements.machine[entry]] = after;
      else row[before * ROW + MACHINE_NEXT] = after;
      if (after !== NONE) row[after * ROW + MACHINE_PREVIOUS] = before;
    }
  }

  /** Its tasks compute: it may be suspended. The entries stay where they are. */
  run(job: number): void {
    const { placements, firstOf, row, key } = this;
    this.jobs.ranAs[job] = ++this.runs;
    const own = this.rule.key(this.jobs, job);
    for (let entry = this.first(job); entry !== NONE; entry = placements.next[entry]) {
      const machine = placements.machine[entry];
      const rank = this.rankOn(job, machine);
      const list = this.machines.groupOf[machine] * this.rankCount + rank;
      let before = NONE;
      let after = firstOf[list];
      // Of equals the last to run comes first.
      while (after !== NONE && key[after] < own) {
        before = after;
        after = row[after * ROW + RANK_NEXT];
      }
      key[entry] = own;
      row[entry * ROW + RANK_PREVIOUS] = before;
      row[entry * ROW + RANK_NEXT] = after;
      if (before === NONE) firstOf[list] = entry;
      else row[before * ROW + RANK_NEXT] = entry;
      if (after !== NONE) row[after * ROW + RANK_PREVIOUS] = entry;
      this.runningOf[rank]++;
    }
  }

  isListedAsRunning(job: number): boolean {
    return this.jobs.ranAs[job] !== 0;
  }

  /** Its tasks compute no more. */
  stop(job: number): void {
    if (this.jobs.ranAs[job] === 0) return;
    this.jobs.ranAs[job] = 0;
    const { placements, firstOf, row } = this;
    for (let entry = this.first(job); entry !== NONE; entry = placements.next[entry]) {
      const machine = placements.machine[entry];
      const rank = this.rankOn(job, machine);
      const before = row[entry * ROW + RANK_PREVIOUS];
      const after = row[entry * ROW + RANK_NEXT];
      if (before === NONE) firstOf[this.machines.groupOf[machine] * this.rankCount + rank] = after;
      else row[before * ROW + RANK_NEXT] = after;
      if (after !== NONE) row[after * ROW + RANK_PREVIOUS] = before;
      this.runningOf[rank]--;
      this.departures[rank]++;
    }
  }

  /** The lowest rank that runs; `rankCount` where nobody does. */
  lowestRank(): number {
    let rank = 0;
    while (rank < this.rankCount && this.runningOf[rank] === 0) rank++;
    return rank;
  }

  /**
   * The machine on which jobs of lower rank are to be suspended for a request:
   * that of the first job, by rank and then by the rule, with which room can be
   * made; `NONE` where there is none.
   *
   * @param allowed by group of machines whether the job may run there; null: on all
   * @param elsewhere tasks that there is room for as it is, on all machines
   */
  machineFor(request: PreemptionRequest, allowed: Uint8Array | null, elsewhere: number): number {
    const { groups, firstOf, rankCount, row, key, placements } = this;
    for (let rank = 0; rank < rankCount; rank++) {
      if (this.runningOf[rank] === 0) continue;
      let best = NONE;
      for (let group = 0; group < groups.count; group++) {
        if (allowed !== null && allowed[group] === 0) continue;
        const own = this.rank(request.priority, request.owner, group);
        if (rank >= own) continue;
        for (
          let entry = firstOf[group * rankCount + rank];
          entry !== NONE;
          entry = row[entry * ROW + RANK_NEXT]
        ) {
          if (best !== NONE && key[entry] >= key[best]) break;
          if (!this.isPreemptible(this.row[entry * ROW + JOB])) continue;
          if (!this.canMakeRoom(placements.machine[entry], request, own, elsewhere)) continue;
          best = entry;
          break;
        }
      }
      if (best !== NONE) return placements.machine[best];
    }
    return NONE;
  }

  /** Whether the request, which is of this rank there, would fit if all lower ones were suspended, and does not as it is. */
  private canMakeRoom(machine: number, request: PreemptionRequest, rank: number, elsewhere: number): boolean {
    const { machines } = this;
    if (!this.allowed.allowsKind(request.kind, machine)) return false;
    const { cores, memory, gpu, tasks } = request;
    const now = machines.roomFor(machine, cores, memory, gpu);
    if (tasks === 1 ? now > 0 : elsewhere >= tasks) return false;
    return elsewhere - now + this.roomWithout(machine, rank, cores, memory, gpu) >= tasks;
  }

  /** Tasks that a machine would have room for if all jobs of lower rank on it were suspended. */
  roomWithout(machine: number, rank: number, cores: number, memory: number, gpu: number): number {
    const { machines, placements, jobs, row, keepsMemory } = this;
    let freeCores = machines.freeCores[machine];
    let freeMemory = machines.freeMemory[machine];
    let freeGpu = machines.freeGpu[machine];
    for (let entry = this.onMachine[machine]; entry !== NONE; entry = row[entry * ROW + MACHINE_NEXT]) {
      const job = this.row[entry * ROW + JOB];
      if (this.rankOn(job, machine) >= rank || !this.isPreemptible(job)) continue;
      const n = placements.tasks[entry];
      freeCores += jobs.jobs.cores[job] * n;
      if (!keepsMemory) freeMemory += jobs.jobs.memory[job] * n;
      freeGpu += jobs.jobs.gpu[job] * n;
    }
    return tasksWithin(freeCores, freeMemory, freeGpu, cores, memory, gpu);
  }

  /** The running jobs on a machine that rank below, those to be suspended first in front; of equals who came last. */
  lowerOn(machine: number, rank: number): number[] {
    const found = new Set<number>();
    for (let entry = this.onMachine[machine]; entry !== NONE; entry = this.row[entry * ROW + MACHINE_NEXT]) {
      const job = this.row[entry * ROW + JOB];
      if (this.isPreemptible(job) && this.rankOn(job, machine) < rank) found.add(job);
    }
    const keyOf = (job: number): number => this.rule.key(this.jobs, job);
    const { arrival } = this.jobs.jobs;
    return [...found].sort(
      (a, b) =>
        this.rankOn(a, machine) - this.rankOn(b, machine) || keyOf(a) - keyOf(b) || arrival[b] - arrival[a],
    );
  }

  /** The suspended jobs on a machine, those of the highest rank first, then by arrival. */
  suspendedOn(machine: number): number[] {
    const found = new Set<number>();
    for (let entry = this.onMachine[machine]; entry !== NONE; entry = this.row[entry * ROW + MACHINE_NEXT]) {
      if (this.isResumable(this.row[entry * ROW + JOB])) found.add(this.row[entry * ROW + JOB]);
    }
    const { arrival } = this.jobs.jobs;
    return [...found].sort(
      (a, b) => this.rankOn(b, machine) - this.rankOn(a, machine) || arrival[a] - arrival[b],
    );
  }

  /** Whether a job may be suspended: it runs, or this very cycle has let it start or go on. */
  private isPreemptible(job: number): boolean {
    const { state, mark, retryAt } = this.jobs;
    if (!this.isListedAsRunning(job)) return false;
    const isPreemptible = state[job] === RUNNING ? retryAt[job] <= this.now : mark[job] !== 0;
    if (!isPreemptible) this.hasPassedOver = true;
    return isPreemptible;
  }

  /** Whether a job may go on: it is suspended, or this very cycle has suspended it. */
  isResumable(job: number): boolean {
    const { state, mark, retryAt } = this.jobs;
    return state[job] === SUSPENDED
      ? retryAt[job] <= this.now
      : !this.isListedAsRunning(job) && mark[job] !== 0;
  }

  /** The jobs with tasks on a machine. */
  on(machine: number): Set<number> {
    const found = new Set<number>();
    for (let entry = this.onMachine[machine]; entry !== NONE; entry = this.row[entry * ROW + MACHINE_NEXT])
      found.add(this.row[entry * ROW + JOB]);
    return found;
  }

  private first(job: number): number {
    return this.jobs.jobs.placement[job];
  }

  private reserve(entries: number): void {
    if (this.key.length >= entries) return;
    this.row = lengthened(this.row, entries * ROW);
    this.key = lengthened(this.key, entries);
  }
}
