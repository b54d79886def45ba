import { lengthened } from "../arrays.ts";
import { KindMemory } from "../jobs/kind-memory.ts";
import { NONE } from "../none.ts";
import type { PolicyContext } from "../pool/policy.ts";
import type { PassOrder } from "../queue/wait-queue.ts";

/**
 * A queue's pass in another order: the first job first, and the others by size, the smallest first; jobs of one size as
 * the queue has them. Kinds of request are sorted, not jobs.
 */
export class SmallestFirst implements PassOrder {
  private readonly context: PolicyContext;
  /** By kind that waits: the place of its size among all sizes. */
  private readonly ranks: KindMemory;
  private readonly kinds: number[] = [];
  /** The first `count` jobs: as the queue has them, and in the order of the pass. */
  private queued = new Int32Array(1024);
  private ordered = new Int32Array(1024);
  private count = 0;
  private given = 0;

  constructor(context: PolicyContext) {
    this.context = context;
    this.ranks = new KindMemory(context.jobs.kinds);
  }

  begin(): void {
    this.listQueue();
    this.sortBySize(this.rankKinds());
    this.given = 0;
  }

  next(): number {
    return this.given < this.count ? this.ordered[this.given++] : NONE;
  }

  placed(job: number): void {
    this.context.queue.placed(job);
  }

  /** Lists the jobs that may be examined, and their kinds. */
  private listQueue(): void {
    const ranks = this.ranks;
    const kinds = this.kinds;
    const { queue, jobs, limits } = this.context;
    ranks.clear();
    kinds.length = 0;
    queue.begin();
    let count = 0;
    for (let job = NONE; count < limits.examined && (job = queue.next()) !== NONE; count++) {
      if (count === this.queued.length) {
        this.queued = lengthened(this.queued, 2 * count);
        this.ordered = lengthened(this.ordered, 2 * count);
      }
      this.queued[count] = job;
      const kind = jobs.kind[job];
      if (ranks.of(kind) !== NONE) continue;
      ranks.note(kind, 0);
      kinds.push(kind);
    }
    this.count = count;
  }

  /** @returns the number of different sizes */
  private rankKinds(): number {
    const kinds = this.kinds;
    const ranks = this.ranks;
    const sizes = this.sizes();
    const order = kinds.map((_, i) => i).sort((a, b) => compare(sizes[a], sizes[b]));
    let rank = -1;
    order.forEach((i, place) => {
      if (place === 0 || sizes[i] !== sizes[order[place - 1]]) rank++;
      ranks.note(kinds[i], rank);
    });
    return rank + 1;
  }

  /**
   * By kind: what one job asks for of all that is free, summed over the resources. A resource counts for as much as
   * there is little of it.
   */
  private sizes(): number[] {
    const { machines, jobs } = this.context;
    let [freeMemory, freeGpu] = [0, 0];
    for (let machine = 0; machine < machines.count; machine++) {
      if (!machines.isInService(machine)) continue;
      freeMemory += Math.max(0, machines.freeMemory[machine]);
      freeGpu += Math.max(0, machines.freeGpu[machine]);
    }
    const { cores, memory, gpu, tasks } = jobs.kinds;
    return this.kinds.map(
      (kind) =>
        tasks[kind] *
        (part(cores[kind], machines.totalFreeCores) +
          part(memory[kind], freeMemory) +
          part(gpu[kind], freeGpu)),
    );
  }

  /** Counting sort, so that the queue's order remains among jobs of one size. */
  private sortBySize(sizes: number): void {
    const count = this.count;
    if (count === 0) return;
    const queued = this.queued;
    const ordered = this.ordered;
    const ranks = this.ranks;
    const { kind } = this.context.jobs;
    const next = new Int32Array(sizes + 1);
    for (let i = 1; i < count; i++) next[ranks.of(kind[queued[i]]) + 1]++;
    for (let rank = 0; rank < sizes; rank++) next[rank + 1] += next[rank];
    ordered[0] = queued[0];
    for (let i = 1; i < count; i++) ordered[1 + next[ranks.of(kind[queued[i]])]++] = queued[i];
  }
}

/** Infinite where something is asked for and nothing is free. */
function part(asked: number, free: number): number {
  return asked === 0 ? 0 : asked / free;
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
