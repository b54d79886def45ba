import { doubled } from "../arrays.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { KindMemory } from "../jobs/kind-memory.ts";
import type { WaitingKinds } from "../jobs/waiting-kinds.ts";
import { NONE } from "../none.ts";
import { maxFamilies } from "../packing/settings.ts";

/** So many kinds can be looked at one by one in every pass. */
const FEW = 64;

/**
 * Requests that found no machine in this pass. Within a pass free resources only shrink, so a request for at least as
 * much of everything fails too, and need not be searched for. A queue of thousands of jobs holds few kinds of request:
 * when a job fails, all waiting kinds are compared with it.
 *
 * Families may use different machines, so a failed request says nothing about another family.
 */
export class FailedRequests {
  private readonly jobs: Jobs;
  private readonly waiting: WaitingKinds;
  /** By kind that fails: the largest number of its tasks that there can be room for. */
  private readonly rooms: KindMemory;
  /** The kinds that waited when the first job failed, without those that fail. Their count is `NONE` before. */
  private left = new Int32Array(64);
  private leftCount = NONE;
  /** By family: 1 if all of its waiting kinds fail. */
  private readonly isFamilyCovered = new Uint8Array(maxFamilies + 1);
  /** By kind: the least estimate with which a job has failed that bookings kept off machines, and the room then. */
  private readonly keptOff = new Map<number, { readonly seconds: number; readonly room: number }>();

  /** @param waiting the kinds that wait in this pool */
  constructor(jobs: Jobs, waiting: WaitingKinds) {
    this.jobs = jobs;
    this.rooms = new KindMemory(jobs.kinds);
    this.waiting = waiting;
  }

  clear(): void {
    this.keptOff.clear();
    // Nothing failed in most passes: on a farm with room they place a job or two, and that is all.
    if (this.leftCount === NONE) return;
    this.rooms.clear();
    this.leftCount = NONE;
    this.isFamilyCovered.fill(0);
  }

  /**
   * `NONE` if the job may still fit. Otherwise it fails, and this is the largest number of its tasks that there can be
   * room for.
   */
  roomFor(job: number): number {
    const { kind, estimateSeconds } = this.jobs;
    const own = kind[job];
    const room = this.leftCount === NONE ? NONE : this.rooms.of(own);
    if (room !== NONE || this.keptOff.size === 0) return room;
    const keptOff = this.keptOff.get(own);
    return keptOff !== undefined && estimateSeconds[job] >= keptOff.seconds ? keptOff.room : NONE;
  }

  /** Whether jobs of this kind fail. */
  includes(kind: number): boolean {
    return this.leftCount !== NONE && this.rooms.of(kind) !== NONE;
  }

  /** Whether every waiting kind fails, so that no job of the queue can be placed in this pass any more. */
  get coversAll(): boolean {
    return this.leftCount === 0;
  }

  /** Whether every waiting kind of this job's family fails. */
  coversFamilyOf(job: number): boolean {
    return this.isFamilyCovered[this.jobs.familyOf(job)] !== 0;
  }

  /** Bookings keep the job off machines, which says something only of jobs of its kind that take at least as long. */
  addKeptOff(job: number, room: number): void {
    const { kind, estimateSeconds } = this.jobs;
    this.keptOff.set(kind[job], { seconds: estimateSeconds[job], room });
  }

  /** The job's licences are in use, which says nothing of requests without them. */
  addWithoutLicences(job: number): void {
    this.note(this.jobs.kind[job], 0, true);
  }

  /** @param room the largest number of the job's tasks that there can be room for */
  add(job: number, room: number): void {
    // Other jobs may use the machines that this one is excluded from.
    this.note(this.jobs.kind[job], room, this.jobs.exclusionOf(job) !== 0);
  }

  /** No machine has room for a task of this kind. */
  addKind(kind: number): void {
    this.note(kind, 0, this.jobs.kinds.exclusion[kind] !== 0);
  }

  /** One of the waiting kinds that may still fit; `NONE` before the first failure, or if there are none or many. */
  get undecided(): number {
    return this.leftCount > 0 && this.leftCount <= FEW ? this.left[this.leftCount - 1] : NONE;
  }

  private note(own: number, room: number, saysNothingOfOthers: boolean): void {
    const { rooms } = this;
    const { kinds } = this.jobs;
    const cores = kinds.cores[own];
    const memory = kinds.memory[own];
    const gpu = kinds.gpu[own];
    const tasks = kinds.tasks[own];
    const requirement = kinds.requirement[own];
    const family = kinds.family[own];
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
