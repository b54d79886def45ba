import { doubled } from "../arrays.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { KindMemory } from "../jobs/kind-memory.ts";
import type { WaitingKinds } from "../jobs/waiting-kinds.ts";
import { NONE } from "../none.ts";
import { maxFamilies } from "../packing/settings.ts";

/**
 * Requests that found no machine in this pass. Within a pass free resources
 * only shrink, so whoever asks for at least as much of everything fails too,
 * and need not be searched for. A queue of thousands holds few kinds of request:
 * when a job fails, all kinds that wait are compared with it.
 *
 * Families may use different machines, so that one's failing says nothing of another's.
 */
export class FailedRequests {
  private readonly jobs: Jobs;
  private readonly waiting: WaitingKinds;
  /** By kind that fails: how many of its tasks there is room for, at most. */
  private readonly rooms: KindMemory;
  /** The kinds that waited when the first job failed, without those that fail; their count `NONE` before. */
  private left = new Int32Array(64);
  private leftCount = NONE;
  /** By family: 1 where none of its kinds is left. */
  private readonly isFamilyCovered = new Uint8Array(maxFamilies + 1);

  /** @param waiting the kinds that wait in this pool */
  constructor(jobs: Jobs, waiting: WaitingKinds) {
    this.jobs = jobs;
    this.rooms = new KindMemory(jobs.kinds);
    this.waiting = waiting;
  }

  clear(): void {
    this.rooms.clear();
    this.leftCount = NONE;
    this.isFamilyCovered.fill(0);
  }

  /**
   * `NONE` where nothing is known against the job; else it fails, and this is how
   * many of its tasks there was room for, at most.
   */
  roomFor(job: number): number {
    return this.leftCount === NONE ? NONE : this.rooms.of(this.jobs.kind[job]);
  }

  /**
   * Whether every kind of job that waits fails: then no job is left in the queue
   * that could be placed in this pass.
   */
  get coversAll(): boolean {
    return this.leftCount === 0;
  }

  /** Whether every kind of job that waits and is of this one's family fails. */
  coversFamilyOf(job: number): boolean {
    return this.isFamilyCovered[this.jobs.family[job]] !== 0;
  }

  /** @param room how many of the job's tasks found a machine, at most */
  add(job: number, room: number): void {
    const { jobs, rooms } = this;
    const { kinds } = jobs;
    const cores = jobs.cores[job];
    const memory = jobs.memory[job];
    const gpu = jobs.gpu[job];
    const tasks = jobs.tasks[job];
    const requirement = jobs.requirement[job];
    const family = jobs.family[job];
    const own = jobs.kind[job];
    // Others may use the machines from which this one is excluded.
    const saysNothingOfOthers = jobs.exclusion[job] !== 0;
    rooms.note(own, room);
    if (this.leftCount === NONE) this.listWaiting();
    const { left } = this;
    let count = 0;
    let isFamilyCovered = true;
    for (let i = 0; i < this.leftCount; i++) {
      const kind = left[i];
      const fails =
        kind === own ||
        (!saysNothingOfOthers &&
          kinds.cores[kind] >= cores &&
          kinds.memory[kind] >= memory &&
          kinds.gpu[kind] >= gpu &&
          kinds.tasks[kind] >= tasks &&
          (requirement === 0 || kinds.requirement[kind] === requirement) &&
          kinds.family[kind] === family);
      if (fails) rooms.note(kind, room);
      else {
        left[count++] = kind;
        if (kinds.family[kind] === family) isFamilyCovered = false;
      }
    }
    this.leftCount = count;
    if (isFamilyCovered) this.isFamilyCovered[family] = 1;
  }

  private listWaiting(): void {
    const { list, count } = this.waiting;
    while (this.left.length < count) this.left = doubled(this.left);
    this.left.set(list.subarray(0, count));
    this.leftCount = count;
  }
}
