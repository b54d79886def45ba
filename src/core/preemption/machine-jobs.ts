import { extended, lengthened } from "../arrays.ts";
import { HOLDING, STOPPING } from "../jobs/engine-jobs.ts";
import { FREE, RESUMING, RUNNING, SUSPENDED } from "../jobs/job-states.ts";
import type { Placements } from "../jobs/placements.ts";
import type { KindRequest } from "../jobs/request-kinds.ts";
import type { AllowedMachines } from "../machines/allowed-machines.ts";
import { tasksWithin, type MachineState } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import { PoolPart, type ManagedPool } from "../pool/pool-part.ts";
import type { VictimRule } from "./victim-rule.ts";

/** What a waiting job asks for that may suspend others. */
export interface PreemptionRequest extends Readonly<Required<KindRequest>> {
  readonly kind: number;
  readonly priority: number;
  /** The job, if what it may use is not that of all of its kind; `NONE`: any. */
  readonly job: number;
}

export function isAllowedTo(
  { job, kind }: PreemptionRequest,
  allowed: AllowedMachines,
  machine: number,
): boolean {
  return job === NONE ? allowed.allowsKind(kind, machine) : allowed.allows(job, machine);
}

// The fields of an entry's row, and its length: a power of two, so that no row is on two cache lines.
const JOB = 0;
const MACHINE_NEXT = 1;
const MACHINE_PREVIOUS = 2;
const RANK_NEXT = 3;
const RANK_PREVIOUS = 4;
const ROW = 8;

/**
 * The jobs on each machine of a pool, running or suspended, and which of them may be suspended for a given job.
 *
 * A job's rank depends on the machine: on those that its group owns it is above every job of another group, elsewhere
 * its own priority counts (Zhang 2010, section 2.2). All machines of a group have one owner, so the running jobs are
 * kept by group of machines and by rank, those to be suspended first in front. So a search tries one or two jobs, not
 * all that run.
 *
 * Entries are those of the pool's `Placements`: a job on a machine. They are in lists only once somebody has asked: in
 * most pools nobody is ever suspended, and a job that ends is out of the cache with all its neighbours in the lists. Up
 * to then the running jobs are only counted.
 */
export class MachineJobs extends PoolPart {
  /** The number of ranks: those of the priorities, then those of the owners' priorities. */
  readonly rankCount: number;
  /**
   * The number of running jobs of each rank that have left a machine, so that failed requests are tried again only
   * after a departure that helps.
   */
  readonly departures: Float64Array;
  /** The number of departures that freed memory or GPUs which suspensions would not have freed. */
  keptDepartures = 0;
  /** Whether a job was passed over, since this was cleared, because it is starting or could not be suspended lately. */
  hasPassedOver = false;
  /** The same since the current cycle, or the last one, began. */
  hasPassedOverInCycle = false;
  /** The time of the current cycle. */
  now = 0;
  private readonly machines: MachineState;
  private readonly placements: Placements;
  private readonly allowed: AllowedMachines;
  private readonly priorities: number;
  private readonly rule: VictimRule;
  /** Whether entries are in lists. */
  isListed = false;
  /** The first entry of each machine, and, by group and rank, of the running ones. */
  private onMachine: Int32Array;
  private firstOf: Int32Array;
  private readonly runningOf: Int32Array;
  private runs = 0;
  /**
   * By entry: its job, and its neighbours on its machine and by rank. They are kept together: among a hundred thousand
   * running jobs each is out of the cache when it ends, and one cache line more for each cost a twentieth of a run.
   */
  private row = new Int32Array(0);
  private key = new Float64Array(0);

  /** @param priorities the number of priorities: jobs' own are below it */
  constructor(managed: ManagedPool, priorities: number, rule: VictimRule) {
    super(managed);
    this.machines = managed.pool.machines;
    this.placements = managed.pool.placements;
    this.allowed = managed.pool.allowed;
    this.priorities = priorities;
    this.rule = rule;
    this.rankCount = priorities * 2;
    this.departures = new Float64Array(this.rankCount);
    this.onMachine = new Int32Array(this.machines.count).fill(NONE);
    this.firstOf = new Int32Array(this.groups.count * this.rankCount).fill(NONE);
    this.runningOf = new Int32Array(this.rankCount);
  }

  /** Makes room for a larger number of machines, and for the groups that there are now. */
  resized(count: number): void {
    const machines = this.onMachine.length;
    this.onMachine = extended(this.onMachine, count).fill(NONE, machines);
    const lists = this.firstOf.length;
    this.firstOf = extended(this.firstOf, this.groups.count * this.rankCount).fill(NONE, lists);
  }

  /** The rank that a job of this priority and group has on machines of a group. */
  rank(priority: number, owner: number, group: number): number {
    return owner !== 0 && owner === this.groups.ownerOf[group] ? this.priorities + priority : priority;
  }

  rankOn(job: number, machine: number): number {
    const { jobs } = this;
    return this.rank(jobs.priority[job], jobs.jobs.ownerOf(job), this.machines.groupOf[machine]);
  }

  /** A job starts. Adds all its entries. */
  add(job: number): void {
    this.reserve(this.placements.capacity);
    if (this.isListed) this.addToMachines(job);
    this.run(job);
  }

  /** A job leaves its machines. Must be called before its placement is given up. */
  remove(job: number): void {
    const { placements, row } = this;
    for (let entry = this.first(job); entry !== NONE; entry = placements.after(entry)) this.unlist(entry);
    // Suspending the job would not have freed its memory and GPUs, so its departure may let a failed request succeed.
    if (this.keepsAnyway(job)) this.keptDepartures++;
    if (!this.isListed) return;
    for (let entry = this.first(job); entry !== NONE; entry = placements.after(entry)) {
      const after = row[entry * ROW + MACHINE_NEXT];
      const before = row[entry * ROW + MACHINE_PREVIOUS];
      if (before === NONE) this.onMachine[placements.machineOf(entry)] = after;
      else row[before * ROW + MACHINE_NEXT] = after;
      if (after !== NONE) row[after * ROW + MACHINE_PREVIOUS] = before;
    }
  }

  private keepsAnyway(job: number): boolean {
    const { jobs, hold, keepsMemory } = this.jobs;
    if (jobs.memoryOf(job) === 0 && jobs.gpuOf(job) === 0) return false;
    return hold[job] === HOLDING ? this.keepsMemory : keepsMemory[job] !== 0;
  }

  /** The job's tasks run, so it may be suspended. The entries stay in place. */
  run(job: number): void {
    const { placements } = this;
    const { groupOf } = this.machines;
    this.jobs.ranAs[job] = ++this.runs;
    for (let entry = this.first(job); entry !== NONE; entry = placements.after(entry)) {
      const machine = placements.machineOf(entry);
      const rank = this.rankOn(job, machine);
      placements.setList(entry, groupOf[machine] * this.rankCount + rank);
      this.runningOf[rank]++;
    }
    if (this.isListed) this.addToRanks(job);
  }

  isListedAsRunning(job: number): boolean {
    return this.jobs.ranAs[job] !== 0;
  }

  /** The job's tasks no longer run. The entries stay in place. */
  stop(job: number): void {
    this.jobs.ranAs[job] = 0;
    for (let entry = this.first(job); entry !== NONE; entry = this.placements.after(entry))
      this.unlist(entry);
  }

  /** Takes an entry out of the running ones, if it is among them. */
  private unlist(entry: number): void {
    const { placements, firstOf, row } = this;
    const list = placements.listOf(entry);
    if (list === NONE) return;
    placements.setList(entry, NONE);
    const rank = list % this.rankCount;
    this.runningOf[rank]--;
    this.departures[rank]++;
    if (!this.isListed) return;
    const before = row[entry * ROW + RANK_PREVIOUS];
    const after = row[entry * ROW + RANK_NEXT];
    if (before === NONE) firstOf[list] = after;
    else row[before * ROW + RANK_NEXT] = after;
    if (after !== NONE) row[after * ROW + RANK_PREVIOUS] = before;
  }

  /** Puts the entries of all jobs into lists, in the order in which the jobs began to run. */
  private list(): void {
    if (this.isListed) return;
    this.isListed = true;
    this.reserve(this.placements.capacity);
    const { state, pool, ranAs } = this.jobs;
    const placed: number[] = [];
    for (let job = 0; job < state.length; job++)
      if (state[job] !== FREE && pool[job] === this.number && this.first(job) !== NONE) placed.push(job);
    placed.sort((a, b) => ranAs[a] - ranAs[b]);
    for (const job of placed) {
      this.addToMachines(job);
      if (this.isListedAsRunning(job)) this.addToRanks(job);
    }
  }

  private addToMachines(job: number): void {
    const { placements, row, onMachine } = this;
    for (let entry = this.first(job); entry !== NONE; entry = placements.after(entry)) {
      const machine = placements.machineOf(entry);
      const after = onMachine[machine];
      row[entry * ROW + JOB] = job;
      row[entry * ROW + MACHINE_NEXT] = after;
      row[entry * ROW + MACHINE_PREVIOUS] = NONE;
      if (after !== NONE) row[after * ROW + MACHINE_PREVIOUS] = entry;
      onMachine[machine] = entry;
    }
  }

  private addToRanks(job: number): void {
    const { placements, firstOf, row, key } = this;
    const own = this.rule.key(this.jobs, job);
    for (let entry = this.first(job); entry !== NONE; entry = placements.after(entry)) {
      const list = placements.listOf(entry);
      let before = NONE;
      let after = firstOf[list];
      // Of equals the last one to run comes first.
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
    }
  }

  /** The lowest rank of a running job; `rankCount` if no job runs. */
  lowestRank(): number {
    let rank = 0;
    while (rank < this.rankCount && this.runningOf[rank] === 0) rank++;
    return rank;
  }

  /**
   * The machine on which jobs of lower rank are to be suspended for a request: the machine of the first job, by rank
   * and then by the rule, whose suspension can make room; `NONE` if there is none.
   *
   * @param allowed by group of machines whether the job may run there; null: on all
   * @param elsewhere the number of tasks that there is room for without suspensions, on all machines
   */
  machineFor(request: PreemptionRequest, allowed: Uint8Array | null, elsewhere: number): number {
    this.list();
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
          if (!this.canMakeRoom(placements.machineOf(entry), request, own, elsewhere)) continue;
          best = entry;
          break;
        }
      }
      if (best !== NONE) return placements.machineOf(best);
    }
    return NONE;
  }

  /**
   * Whether the request, which has this rank there, does not fit now but would if all jobs of lower rank were
   * suspended.
   */
  private canMakeRoom(machine: number, request: PreemptionRequest, rank: number, elsewhere: number): boolean {
    const { machines } = this;
    if (!isAllowedTo(request, this.allowed, machine)) return false;
    const { cores, memory, gpu, tasks } = request;
    const now = machines.roomFor(machine, cores, memory, gpu);
    if (tasks === 1 ? now > 0 : elsewhere >= tasks) return false;
    // Most machines that are too small are so even when they are empty, which is quicker to see.
    if (elsewhere - now + machines.capacityFor(machine, cores, memory, gpu) < tasks) return false;
    return elsewhere - now + this.roomWithout(machine, rank, cores, memory, gpu) >= tasks;
  }

  /** The number of tasks that a machine would have room for if all jobs of lower rank on it were suspended. */
  roomWithout(machine: number, rank: number, cores: number, memory: number, gpu: number): number {
    this.list();
    const { machines, placements, jobs, row, keepsMemory } = this;
    let freeCores = machines.freeCores[machine];
    let freeMemory = machines.freeMemory[machine];
    let freeGpu = machines.freeGpu[machine];
    for (let entry = this.onMachine[machine]; entry !== NONE; entry = row[entry * ROW + MACHINE_NEXT]) {
      const job = this.row[entry * ROW + JOB];
      if (this.rankOn(job, machine) >= rank || !this.isPreemptible(job)) continue;
      const n = placements.tasksOf(entry);
      freeCores += jobs.jobs.coresOf(job) * n;
      if (keepsMemory) continue;
      freeMemory += jobs.jobs.memoryOf(job) * n;
      freeGpu += jobs.jobs.gpuOf(job) * n;
    }
    return tasksWithin(freeCores, freeMemory, freeGpu, cores, memory, gpu);
  }

  /** The running jobs of lower rank on a machine, those to be suspended first in front; of equals the last to come. */
  lowerOn(machine: number, rank: number): number[] {
    const keyOf = (job: number): number => this.rule.key(this.jobs, job);
    const { arrival } = this.jobs.jobs;
    return this.on(machine)
      .filter((job) => this.isPreemptible(job) && this.rankOn(job, machine) < rank)
      .sort(
        (a, b) =>
          this.rankOn(a, machine) - this.rankOn(b, machine) || keyOf(a) - keyOf(b) || arrival[b] - arrival[a],
      );
  }

  /** The suspended jobs on a machine, those of the highest rank first, then in order of arrival. */
  suspendedOn(machine: number): number[] {
    const { arrival } = this.jobs.jobs;
    return this.on(machine)
      .filter((job) => this.isResumable(job))
      .sort((a, b) => this.rankOn(b, machine) - this.rankOn(a, machine) || arrival[a] - arrival[b]);
  }

  /** Whether a job that was told to stop has not answered yet. It can only resume once it has. */
  isStoppingOn(machine: number): boolean {
    return this.on(machine).some((job) => this.jobs.hold[job] === STOPPING);
  }

  /** Whether a job may be suspended: it runs, or the current cycle has started or resumed it. */
  private isPreemptible(job: number): boolean {
    const { state, mark, retryAt } = this.jobs;
    if (!this.isListedAsRunning(job)) return false;
    const isPreemptible =
      state[job] === RUNNING ? retryAt[job] <= this.now : mark[job] !== 0 && !this.wouldStopOtherwise(job);
    if (!isPreemptible) this.hasPassedOver = this.hasPassedOverInCycle = true;
    return isPreemptible;
  }

  /**
   * Whether the cycle has resumed a job that was suspended when the pool suspended in another way: taking it off again
   * would free other amounts than suspending it once it runs.
   */
  private wouldStopOtherwise(job: number): boolean {
    const { state, keepsMemory } = this.jobs;
    return state[job] === RESUMING && (keepsMemory[job] !== 0) !== this.keepsMemory;
  }

  /** Whether a job may resume: it is suspended, or the current cycle has suspended it. */
  isResumable(job: number): boolean {
    const { state, mark, retryAt } = this.jobs;
    return state[job] === SUSPENDED
      ? retryAt[job] <= this.now
      : !this.isListedAsRunning(job) && mark[job] !== 0;
  }

  /** How many running jobs of lower rank than a waiting one, where it may run, are not to be suspended for now. */
  sparedFor(job: number): number {
    this.list();
    const { groups, rankCount, firstOf, row, jobs, allowed } = this;
    const set = allowed.setOf(jobs.jobs.kinds.requirement[jobs.jobs.kind[job]]);
    const found = new Set<number>();
    for (let group = 0; group < groups.count; group++) {
      if (set !== null && set.groups[group] === 0) continue;
      const own = this.rank(jobs.priority[job], jobs.jobs.ownerOf(job), group);
      for (let rank = 0; rank < own; rank++)
        for (
          let entry = firstOf[group * rankCount + rank];
          entry !== NONE;
          entry = row[entry * ROW + RANK_NEXT]
        )
          if (jobs.retryAt[row[entry * ROW + JOB]] > this.now) found.add(row[entry * ROW + JOB]);
    }
    return found.size;
  }

  /** The jobs with tasks on a machine. */
  on(machine: number): number[] {
    this.list();
    const found = new Set<number>();
    for (let entry = this.onMachine[machine]; entry !== NONE; entry = this.row[entry * ROW + MACHINE_NEXT])
      found.add(this.row[entry * ROW + JOB]);
    return [...found];
  }

  private first(job: number): number {
    return this.jobs.jobs.placement[job];
  }

  /** Makes room for so many entries. */
  private reserve(entries: number): void {
    if (!this.isListed || this.key.length >= entries) return;
    this.row = lengthened(this.row, entries * ROW);
    this.key = lengthened(this.key, entries);
  }
}
