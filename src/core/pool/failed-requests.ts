import { NONE } from "../none.ts";
import { doubled, type Jobs } from "../jobs/jobs.ts";
import type { WaitingKinds } from "../jobs/waiting-kinds.ts";
import { maxFamilies } from "../packing/settings.ts";

/** Requests remembered at most; beyond, the newest takes the last place. */
const LIMIT = 16;

/**
 * Requests that found no machine in this pass. Within a pass free resources
 * only shrink, so whoever asks for at least as much of everything fails too,
 * and need not be searched for. A queue of thousands holds few kinds of request.
 * Families may use different machines, so that one's failing says nothing of another's.
 */
export class FailedRequests {
  private readonly jobs: Jobs;
  private readonly waiting: WaitingKinds;
  private readonly cores = new Int32Array(LIMIT);
  private readonly memory = new Int32Array(LIMIT);
  private readonly gpu = new Int32Array(LIMIT);
  private readonly tasks = new Int32Array(LIMIT);
  private readonly requirement = new Int32Array(LIMIT);
  private readonly family = new Int32Array(LIMIT);
  private readonly room = new Int32Array(LIMIT);
  private count = 0;
  /** By kind of request: the pass in which it was found to fail, and with how much room. */
  private pass = 1;
  private isAllCovered = false;
  /** By family: the pass in which every kind of it that waits was found to fail. */
  private readonly familyCoveredIn = new Float64Array(maxFamilies + 1);
  private failedIn = new Float64Array(256);
  private versionOfKind = new Int32Array(256);
  private roomOfKind = new Int32Array(256);

  /** @param waiting the kinds that wait in this pool */
  constructor(jobs: Jobs, waiting: WaitingKinds) {
    this.jobs = jobs;
    this.waiting = waiting;
  }

  clear(): void {
    this.count = 0;
    this.pass++;
    this.isAllCovered = false;
  }

  /**
   * `NONE` where nothing is known against the job; else it fails, and this is how
   * many of its tasks there was room for, at most.
   */
  roomFor(job: number): number {
    if (this.count === 0) return NONE;
    const kind = this.jobs.kind[job];
    if (this.hasFailed(kind)) return this.roomOfKind[kind];
    const room = this.roomOfLike(job);
    if (room !== NONE) this.setKind(kind, room);
    return room;
  }

  /**
   * Whether every kind of job that waits fails: then no job is left in the queue
   * that could be placed in this pass.
   */
  get coversAll(): boolean {
    return this.isAllCovered;
  }

  /** Whether every kind of job that waits and is of this one's family fails. */
  coversFamilyOf(job: number): boolean {
    return this.familyCoveredIn[this.jobs.family[job]] === this.pass;
  }

  /** @param room how many of the job's tasks found a machine, at most */
  add(job: number, room: number): void {
    const { jobs } = this;
    this.setKind(jobs.kind[job], room);
    // It says nothing of jobs that may use the machines which this one may not.
    if (jobs.exclusion[job] !== 0) return;
    // What the new one covers is no longer needed.
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      const isCovered =
        this.cores[i] >= jobs.cores[job] &&
        this.memory[i] >= jobs.memory[job] &&
        this.gpu[i] >= jobs.gpu[job] &&
        this.tasks[i] >= jobs.tasks[job] &&
        isNarrower(this.requirement[i], jobs.requirement[job]) &&
        this.family[i] === jobs.family[job];
      if (isCovered) continue;
      this.family[kept] = this.family[i];
      this.set(
        kept++,
        this.cores[i],
        this.memory[i],
        this.gpu[i],
        this.tasks[i],
        this.requirement[i],
        this.room[i],
      );
    }
    this.count = Math.min(kept + 1, LIMIT);
    this.family[this.count - 1] = jobs.family[job];
    this.set(
      this.count - 1,
      jobs.cores[job],
      jobs.memory[job],
      jobs.gpu[job],
      jobs.tasks[job],
      jobs.requirement[job],
      room,
    );
    this.isAllCovered = this.marksAllWaiting(job, room);
  }

  /** The room of a remembered request that asks for no more than the job, or `NONE`. */
  private roomOfLike(job: number): number {
    const { jobs, cores, memory, gpu, tasks, family, room, count } = this;
    for (let i = 0; i < count; i++) {
      if (
        jobs.cores[job] >= cores[i] &&
        jobs.memory[job] >= memory[i] &&
        jobs.gpu[job] >= gpu[i] &&
        jobs.tasks[job] >= tasks[i] &&
        isNarrower(jobs.requirement[job], this.requirement[i]) &&
        jobs.family[job] === family[i]
      ) {
        return room[i];
      }
    }
    return NONE;
  }

  /** Marks the waiting kinds that ask for no less than a job that failed; whether all are marked now. */
  private marksAllWaiting(job: number, room: number): boolean {
    const { jobs, pass, waiting } = this;
    const { kinds } = jobs;
    let isAll = true;
    let isFamily = true;
    for (let i = 0; i < waiting.count; i++) {
      const kind = waiting.list[i];
      if (this.hasFailed(kind)) continue;
      const asksNoLess =
        kind !== 0 &&
        kinds.cores[kind] >= jobs.cores[job] &&
        kinds.memory[kind] >= jobs.memory[job] &&
        kinds.gpu[kind] >= jobs.gpu[job] &&
        kinds.tasks[kind] >= jobs.tasks[job] &&
        isNarrower(kinds.requirement[kind], jobs.requirement[job]) &&
        kinds.family[kind] === jobs.family[job];
      if (asksNoLess) this.setKind(kind, room);
      else {
        isAll = false;
        if (kind === 0 || kinds.family[kind] === jobs.family[job]) isFamily = false;
      }
    }
    if (isFamily) this.familyCoveredIn[jobs.family[job]] = pass;
    return isAll;
  }

  /** Whether a kind was found to fail in this pass, and is the same request still. */
  private hasFailed(kind: number): boolean {
    return (
      kind < this.failedIn.length &&
      this.failedIn[kind] === this.pass &&
      this.versionOfKind[kind] === this.jobs.kinds.version[kind]
    );
  }

  private setKind(kind: number, room: number): void {
    while (kind >= this.failedIn.length) {
      this.failedIn = doubled(this.failedIn);
      this.versionOfKind = doubled(this.versionOfKind);
      this.roomOfKind = doubled(this.roomOfKind);
    }
    this.failedIn[kind] = this.pass;
    this.versionOfKind[kind] = this.jobs.kinds.version[kind];
    this.roomOfKind[kind] = room;
  }

  private set(
    i: number,
    cores: number,
    memory: number,
    gpu: number,
    tasks: number,
    requirement: number,
    room: number,
  ): void {
    this.cores[i] = cores;
    this.memory[i] = memory;
    this.gpu[i] = gpu;
    this.tasks[i] = tasks;
    this.requirement[i] = requirement;
    this.room[i] = room;
  }
}

/** Whether what meets the one requirement surely meets the other. */
function isNarrower(requirement: number, other: number): boolean {
  return other === 0 || requirement === other;
}
