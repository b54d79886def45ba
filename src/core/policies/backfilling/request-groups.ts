import { doubled } from "../../arrays.ts";
import { Handles } from "../../handles.ts";
import type { Jobs } from "../../jobs/jobs.ts";

/**
 * Numbers the waiting jobs' requests together with how long they are for: what a search learns of one job of a group
 * holds for the others. Users submit equal jobs by the hundred.
 */
export class RequestGroups {
  /** By job that waits. */
  private of = new Int32Array(1024);
  /** By group: the number of its jobs, their kind, and how long they are for. */
  private jobs = new Int32Array(64);
  private kind = new Int32Array(64);
  private seconds = new Float64Array(64);
  private readonly handles = new Handles(64);
  private readonly table: Jobs;
  /** By kind, by seconds. */
  private readonly groups = new Map<number, Map<number, number>>();

  constructor(table: Jobs) {
    this.table = table;
  }

  /** All groups are below this number. */
  get capacity(): number {
    return this.jobs.length;
  }

  groupOf(job: number): number {
    return this.of[job];
  }

  /** Whether a job is the only one of its group. */
  isNew(group: number): boolean {
    return this.jobs[group] === 1;
  }

  /** Returns the job's group. */
  add(job: number, seconds: number): number {
    while (job >= this.of.length) this.of = doubled(this.of);
    const kind = this.table.kind[job];
    let ofKind = this.groups.get(kind);
    if (ofKind === undefined) this.groups.set(kind, (ofKind = new Map()));
    let group = ofKind.get(seconds);
    if (group === undefined) {
      if (this.handles.isFull) {
        this.handles.double();
        this.jobs = doubled(this.jobs);
        this.kind = doubled(this.kind);
        this.seconds = doubled(this.seconds);
      }
      group = this.handles.take();
      this.jobs[group] = 0;
      this.kind[group] = kind;
      this.seconds[group] = seconds;
      ofKind.set(seconds, group);
    }
    this.jobs[group]++;
    this.of[job] = group;
    return group;
  }

  remove(job: number): void {
    const group = this.of[job];
    if (--this.jobs[group] > 0) return;
    const kind = this.kind[group];
    const ofKind = this.groups.get(kind)!;
    ofKind.delete(this.seconds[group]);
    if (ofKind.size === 0) this.groups.delete(kind);
    this.handles.give(group);
  }
}
