import { Handles } from "../../handles.ts";
import { doubled } from "../../arrays.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { NONE } from "../../none.ts";

/** The waiting jobs in groups: those of one kind with one estimate, in order of arrival. */
export class WaitingGroups {
  /** By group. */
  kind = new Int32Array(64);
  seconds = new Float64Array(64);
  first = new Int32Array(64);
  /** By group: its first job without a promise in this pass, or `NONE`. */
  unpromised = new Int32Array(64);
  /** The first `count` entries: the groups by the arrival of their first jobs. */
  byArrival = new Int32Array(64);
  count = 0;
  /** By job: the next job of its group, or `NONE`. */
  next = new Int32Array(1024);
  private last = new Int32Array(64);
  private previous = new Int32Array(1024);
  private readonly handles = new Handles(64);
  /** By kind: its groups, the one with the shortest estimate first. */
  private readonly groups: number[][] = [];
  private readonly jobs: Jobs;

  constructor(jobs: Jobs) {
    this.jobs = jobs;
  }

  /** The groups of a kind, the one with the shortest estimate first. */
  of(kind: number): readonly number[] {
    return this.groups[kind];
  }

  /** At the start of a pass: no job has a promise. */
  begin(): void {
    this.unpromised.set(this.first);
  }

  add(job: number): void {
    const { arrival, capacity } = this.jobs;
    while (this.next.length < capacity) {
      this.next = doubled(this.next);
      this.previous = doubled(this.previous);
    }
    const group = this.groupFor(job);
    const { first, last, next, previous } = this;
    // Nearly always the last; one that could not be started goes back to its place.
    let before = last[group];
    while (before !== NONE && arrival[before] > arrival[job]) before = previous[before];
    const after = before === NONE ? first[group] : next[before];
    next[job] = after;
    previous[job] = before;
    if (before === NONE) {
      if (after !== NONE) this.takeOut(after);
      first[group] = job;
      this.putIn(group);
    } else next[before] = job;
    if (after === NONE) last[group] = job;
    else previous[after] = job;
  }

  remove(job: number): void {
    const { jobs, first, last, next, previous } = this;
    const of = this.groups[jobs.kind[job]];
    const place = this.placeOf(of, jobs.estimateSeconds[job]);
    const group = of[place];
    const before = previous[job];
    const after = next[job];
    if (after === NONE) last[group] = before;
    else previous[after] = before;
    if (before !== NONE) {
      next[before] = after;
      return;
    }
    this.takeOut(job);
    first[group] = after;
    if (after !== NONE) {
      this.putIn(group);
      return;
    }
    of.splice(place, 1);
    this.handles.give(group);
  }

  /** The group of a job, which is made if there is none. */
  private groupFor(job: number): number {
    const { jobs, handles } = this;
    const kind = jobs.kind[job];
    const seconds = jobs.estimateSeconds[job];
    const of = (this.groups[kind] ??= []);
    const place = this.placeOf(of, seconds);
    if (place < of.length && this.seconds[of[place]] === seconds) return of[place];
    if (handles.isFull) {
      handles.double();
      this.kind = doubled(this.kind);
      this.seconds = doubled(this.seconds);
      this.first = doubled(this.first);
      this.last = doubled(this.last);
      this.unpromised = doubled(this.unpromised);
      this.byArrival = doubled(this.byArrival);
    }
    const group = handles.take();
    this.kind[group] = kind;
    this.seconds[group] = seconds;
    this.first[group] = this.last[group] = NONE;
    of.splice(place, 0, group);
    return group;
  }

  /** Puts a group into its place by the arrival of its first job. */
  private putIn(group: number): void {
    const place = this.placeByArrival(this.first[group]);
    this.byArrival.copyWithin(place + 1, place, this.count++);
    this.byArrival[place] = group;
  }

  /** Takes out the group whose first job this is. */
  private takeOut(job: number): void {
    const place = this.placeByArrival(job);
    this.byArrival.copyWithin(place, place + 1, this.count--);
  }

  /** The first position by arrival whose group's first job came with this one, or later. */
  private placeByArrival(job: number): number {
    const { arrival } = this.jobs;
    const { byArrival, first, count } = this;
    // Nearly always the last.
    if (count === 0 || arrival[first[byArrival[count - 1]]] < arrival[job]) return count;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (arrival[first[byArrival[middle]]] < arrival[job]) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The first position among a kind's groups whose estimate is this long, or longer. */
  private placeOf(groups: readonly number[], seconds: number): number {
    let low = 0;
    let high = groups.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.seconds[groups[middle]] < seconds) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
