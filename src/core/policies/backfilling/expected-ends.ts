import { doubleColumns } from "../../arrays.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Profile } from "./profile.ts";
import { OVERRUN_SECONDS } from "./running-jobs.ts";

/**
 * What the running jobs are expected to give back, and when: one entry for each time at which jobs are expected to end.
 */
export class ExpectedEnds {
  private readonly jobs: Jobs;
  /** The first `count` entries, in order of time. */
  private end = new Float64Array(256);
  private running = new Float64Array(256);
  private cores = new Float64Array(256);
  private memory = new Float64Array(256);
  private gpu = new Float64Array(256);
  private count = 0;

  constructor(jobs: Jobs) {
    this.jobs = jobs;
  }

  /**
   * Adds a job that starts, by its own estimate. One with an unknown estimate is never expected to give anything back.
   */
  add(job: number, now: number): void {
    const { jobs } = this;
    const end = now + jobs.estimateSeconds[job];
    jobs.estimatedEnd[job] = end;
    if (end < Infinity) this.change(this.entryAt(end), job, 1);
  }

  remove(job: number): void {
    const end = this.jobs.estimatedEnd[job];
    if (end === Infinity) return;
    const entry = this.entryAt(end);
    this.change(entry, job, -1);
    if (this.running[entry] > 0) return;
    for (const column of this.columns()) column.copyWithin(entry, entry + 1, this.count);
    this.count--;
  }

  /** Fills a profile that begins with what is free now, and to which the running jobs give back. */
  fill(profile: Profile, now: number, cores: number, memory: number, gpu: number): void {
    const { end, count } = this;
    profile.start(now, cores, memory, gpu);
    const outlived = this.firstFrom(now, true);
    const overrunEnd = now + OVERRUN_SECONDS;
    const give = (from: number, to: number): void => {
      for (let entry = from; entry < to; entry++) {
        cores += this.cores[entry];
        memory += this.memory[entry];
        gpu += this.gpu[entry];
      }
    };
    let entry = outlived;
    if (outlived > 0) {
      for (; entry < count && end[entry] < overrunEnd; entry++) {
        give(entry, entry + 1);
        profile.append(end[entry], cores, memory, gpu);
      }
      give(0, outlived);
      if (entry < count && end[entry] === overrunEnd) give(entry, ++entry);
      profile.append(overrunEnd, cores, memory, gpu);
    }
    for (; entry < count; entry++) {
      give(entry, entry + 1);
      profile.append(end[entry], cores, memory, gpu);
    }
  }

  private change(entry: number, job: number, sign: number): void {
    const { jobs } = this;
    const tasks = sign * jobs.tasksOf(job);
    this.running[entry] += sign;
    this.cores[entry] += jobs.coresOf(job) * tasks;
    this.memory[entry] += jobs.memoryOf(job) * tasks;
    this.gpu[entry] += jobs.gpuOf(job) * tasks;
  }

  /** The entry of a time, made if there is none. */
  private entryAt(end: number): number {
    const entry = this.firstFrom(end, false);
    if (entry < this.count && this.end[entry] === end) return entry;
    if (this.count === this.end.length) doubleColumns(this);
    for (const column of this.columns()) {
      column.copyWithin(entry + 1, entry, this.count);
      column[entry] = 0;
    }
    this.end[entry] = end;
    this.count++;
    return entry;
  }

  private columns(): Float64Array[] {
    return [this.end, this.running, this.cores, this.memory, this.gpu];
  }

  /** The first entry at a time or later; with `isAfter`, after it. */
  private firstFrom(time: number, isAfter: boolean): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      const each = this.end[middle];
      if (each < time || (isAfter && each === time)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
