import { doubleColumns } from "./arrays.ts";

/**
 * Numbers (jobs by their end, pools by their next cycle) in order of time: a heap with four children for each node, in
 * typed arrays. Those with the same time come out in the order in which they were put in.
 */
export class TimeHeap {
  private time = new Float64Array(1024);
  private order = new Float64Array(1024);
  private value = new Int32Array(1024);
  private count = 0;
  private added = 0;

  /** The time of the first; `Infinity` if there is none. */
  get firstTime(): number {
    return this.count === 0 ? Infinity : this.time[0];
  }

  /** The first, if there is one. */
  get first(): number {
    return this.value[0];
  }

  add(value: number, time: number): void {
    if (this.count === this.time.length) doubleColumns(this);
    const order = this.added++;
    let at = this.count++;
    while (at > 0) {
      const above = (at - 1) >> 2;
      if (this.time[above] <= time) break;
      this.move(above, at);
      at = above;
    }
    this.time[at] = time;
    this.order[at] = order;
    this.value[at] = value;
  }

  /** Removes the first and returns it. */
  take(): number {
    const first = this.value[0];
    const last = --this.count;
    const time = this.time[last];
    const order = this.order[last];
    const value = this.value[last];
    let at = 0;
    for (;;) {
      const start = at * 4 + 1;
      if (start >= last) break;
      const end = Math.min(start + 4, last);
      let least = start;
      for (let child = start + 1; child < end; child++)
        if (this.isBefore(child, this.time[least], this.order[least])) least = child;
      if (!this.isBefore(least, time, order)) break;
      this.move(least, at);
      at = least;
    }
    this.time[at] = time;
    this.order[at] = order;
    this.value[at] = value;
    return first;
  }

  clear(): void {
    this.count = 0;
  }

  /** Removes all, in no particular order. */
  drain(visit: (value: number, time: number) => void): void {
    for (let at = 0; at < this.count; at++) visit(this.value[at], this.time[at]);
    this.count = 0;
  }

  private isBefore(at: number, time: number, order: number): boolean {
    return this.time[at] < time || (this.time[at] === time && this.order[at] < order);
  }

  private move(from: number, to: number): void {
    this.time[to] = this.time[from];
    this.order[to] = this.order[from];
    this.value[to] = this.value[from];
  }
}
