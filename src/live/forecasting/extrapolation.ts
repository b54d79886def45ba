import type { InQueue } from "./ahead.ts";

/**
 * Waits of jobs in futures that were cut off by the budget before the jobs started there: the rest of the queue is taken
 * to go on at the pace, in core-seconds, at which the future went until then. It is rough, and better than no answer.
 */
export class Extrapolation {
  private readonly queues: readonly InQueue[];
  private readonly waits: ReadonlyMap<number, number[]>;
  /** By member. */
  private readonly rough = new Map<number, ReadonlyMap<number, number>>();

  /** @param waits as `runAhead` returns them, which are completed */
  constructor(queues: readonly InQueue[], waits: ReadonlyMap<number, number[]>) {
    this.queues = queues;
    this.waits = waits;
  }

  /** By member. */
  of(job: number): number[] {
    return this.waits
      .get(job)!
      .map((wait, member) => (wait < Infinity ? wait : this.member(member).get(job)!));
  }

  /** Whether most of the futures were cut off before the job started. */
  isCutShort(job: number): boolean {
    const waits = this.waits.get(job)!;
    return waits.filter((wait) => wait === Infinity).length * 2 > waits.length;
  }

  private member(member: number): ReadonlyMap<number, number> {
    const known = this.rough.get(member);
    if (known !== undefined) return known;
    let [until, done] = [0, 0];
    for (const { job, coreSeconds } of this.queues) {
      const wait = this.waits.get(job)![member]!;
      if (wait === Infinity) continue;
      until = Math.max(until, wait);
      done += coreSeconds;
    }
    const rough = new Map<number, number>();
    let left = 0;
    for (const { job, coreSeconds } of this.queues) {
      if (this.waits.get(job)![member]! < Infinity) continue;
      rough.set(job, done === 0 || until === 0 ? Infinity : until + (left / done) * until);
      left += coreSeconds;
    }
    this.rough.set(member, rough);
    return rough;
  }
}
