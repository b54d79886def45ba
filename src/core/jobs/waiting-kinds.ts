import { doubled } from "../arrays.ts";

/** The kinds of request of which a job waits in one queue. */
export class WaitingKinds {
  /** In no order: the first `count`. */
  list = new Int32Array(64);
  count = 0;
  /** By kind: its waiting jobs, and its place in the list. */
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

  /** A job of this kind waits no more. */
  leave(kind: number): void {
    if (--this.jobs[kind] > 0) return;
    const last = this.list[--this.count];
    const place = this.placeOf[kind];
    this.list[place] = last;
    this.placeOf[last] = place;
  }
}
