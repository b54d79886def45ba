import { TimeHeap } from "../core/index.ts";

/** A job that is held, and released by itself. */
export interface HeldJob {
  readonly job: number;
  /** The jobs that have to be over before. */
  readonly after: readonly number[];
  /** It is not released before; -Infinity: at any time. */
  readonly notBefore: number;
}

/** An array of which only so many jobs may wait or run at a time: as one is over the next has its place. */
export interface LimitedArray {
  readonly most: number;
  /** The jobs that have a place. */
  readonly placed: readonly number[];
  /** Those that are held, whatever for. */
  readonly held: readonly number[];
}

interface Places {
  free: number;
  /** Those that wait for a place, in order: the first so many have got theirs. */
  readonly waiting: number[];
  given: number;
}

/**
 * What holds jobs back, as it goes away: jobs that have to be over before, a time, and at last a place in their array. The
 * order is that of a live farm.
 */
export class Holds {
  /** Those that nothing holds from the beginning. */
  readonly free: readonly number[];
  /** How much each job waits for, without a place in its array. */
  private readonly left = new Map<number, number>();
  private readonly dependents = new Map<number, number[]>();
  private readonly times = new TimeHeap();
  private readonly places = new Map<number, Places>();

  constructor(held: readonly HeldJob[] = [], arrays: readonly LimitedArray[] = []) {
    for (const { most, placed, held: others } of arrays) {
      const places: Places = { free: most - placed.length, waiting: [], given: 0 };
      for (const job of placed) this.places.set(job, places);
      for (const job of others) this.places.set(job, places);
    }
    for (const { job, after, notBefore } of held) {
      const isTimed = notBefore > -Infinity;
      this.left.set(job, after.length + (isTimed ? 1 : 0));
      if (isTimed) this.times.add(job, notBefore);
      for (const other of after) {
        const known = this.dependents.get(other);
        if (known === undefined) this.dependents.set(other, [job]);
        else known.push(job);
      }
    }
    this.free = held
      .filter(({ job }) => this.left.get(job) === 0 && this.hasPlace(job))
      .map(({ job }) => job);
  }

  /** The earliest begin time of the jobs that are held until one; Infinity: there are none. */
  get nextSeconds(): number {
    return this.times.firstTime;
  }

  /** The next job's begin time has come. Returns the job if nothing else holds it, else null. */
  timeIsOver(): number | null {
    const job = this.times.take();
    return this.isReleased(job) ? job : null;
  }

  /** A job is over. Returns those that nothing holds any more. */
  over(job: number): number[] {
    const released: number[] = [];
    const places = this.places.get(job);
    if (places !== undefined) {
      places.free++;
      const next = places.waiting[places.given];
      if (next !== undefined && places.free > 0) {
        places.given++;
        places.free--;
        released.push(next);
      }
    }
    for (const other of this.dependents.get(job) ?? []) if (this.isReleased(other)) released.push(other);
    this.places.delete(job);
    this.dependents.delete(job);
    return released;
  }

  /** One thing less holds it. */
  private isReleased(job: number): boolean {
    const left = this.left.get(job)! - 1;
    this.left.set(job, left);
    return left === 0 && this.hasPlace(job);
  }

  /** Gives the job a place in its array, if it needs one. False: none is free, and it waits for one. */
  private hasPlace(job: number): boolean {
    const places = this.places.get(job);
    if (places === undefined) return true;
    if (places.free > 0) {
      places.free--;
      return true;
    }
    places.waiting.push(job);
    return false;
  }
}
