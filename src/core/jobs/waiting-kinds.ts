import { doubled } from "../arrays.ts";

/** The kinds of request that wait in one queue. */
export class WaitingKinds {
  /** The first `count` entries, in no particular order. */
  list = new Int32Array(64);
  count = 0;
  /** By kind: the number of its waiting jobs, and its position in the list. */
  private jobs = new Int32Array(64);
  private placeOf = new Int32Array(64);

  /** A job of this kind begins to wait. */
  wait(kind: number): void {
    while (kind >= this.jobs.length) {
      this.jobs = doubled(this.jobs);
      this.placeOf = doubled(this.placeOf);
    }
    if (this.jobs[kind]++ > 0) return;
    if (this.count === this.list.length) this.list = doubled(this.list);
    this.placeOf[kind] = this.count;
    this.list[this.count++] = kind;
  }

  /** A job of this kind stops waiting. */
  leave(kind: number): void {
    if (--this.jobs[kind] > 0) return;
    const last = this.list[--this.count];
    const place = this.placeOf[kind];
    this.list[place] = last;
    this.placeOf[last] = place;
  }
}
