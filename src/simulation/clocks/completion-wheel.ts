import { lengthened, NONE } from "../../core/index.ts";

const SLOTS = 1 << 17;

/**
 * Running jobs by the cycle that will see them ended: a ring of slots, one a
 * cycle, each a list linked by job handle. Putting in and taking out cost the
 * same however many jobs run. A job further ahead than the ring is long stays
 * in its slot until its lap comes.
 */
export class CompletionWheel {
  private readonly head = new Int32Array(SLOTS).fill(NONE);
  private next = new Int32Array(1024);
  private due = new Float64Array(1024);
  private count = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** @param cycle the number of the first cycle at or after the job's end */
  add(job: number, cycle: number): void {
    if (job >= this.next.length) this.grow(job);
    const slot = cycle & (SLOTS - 1);
    this.next[job] = this.head[slot];
    this.due[job] = cycle;
    this.head[slot] = job;
    this.count++;
  }

  /** Takes out all jobs due at this cycle. To be called for every cycle with due jobs, in order. */
  take(cycle: number, ended: (job: number) => void): number {
    const slot = cycle & (SLOTS - 1);
    let taken = 0;
    let kept = NONE;
    for (let job = this.head[slot]; job !== NONE;) {
      const after = this.next[job];
      if (this.due[job] === cycle) {
        taken++;
        ended(job);
      } else {
        this.next[job] = kept;
        kept = job;
      }
      job = after;
    }
    this.head[slot] = kept;
    this.count -= taken;
    return taken;
  }

  /** The first cycle from `from` on, before `limit`, at which a job is due; `limit` where there is none. */
  nextDue(from: number, limit: number): number {
    if (this.count === 0) return limit;
    // One lap passes every job, so the first of a later lap is known after it.
    const lapEnd = Math.min(limit, from + SLOTS);
    let later = limit;
    for (let cycle = from; cycle < lapEnd; cycle++) {
      for (let job = this.head[cycle & (SLOTS - 1)]; job !== NONE; job = this.next[job]) {
        const due = this.due[job];
        if (due === cycle) return cycle;
        if (due < later) later = due;
      }
    }
    return later;
  }

  private grow(job: number): void {
    const length = Math.max(job + 1, this.next.length * 2);
    this.next = lengthened(this.next, length);
    this.due = lengthened(this.due, length);
  }
}
