import { doubled, NONE } from "../../core/index.ts";

/** Jobs of one bucket lie together by so many. */
const CHUNK = 8;

/**
 * Jobs with their ends in numbered buckets, each in the order in which they were put in.
 *
 * A bucket is a chain of chunks in one store, so that neither putting a job in nor taking it out touches memory of its
 * own, and a run makes no arrays by the thousand.
 */
export class EndBuckets {
  /** By bucket: its first and its last chunk, and how many jobs are in the last. */
  private readonly first: Int32Array;
  private readonly last: Int32Array;
  private readonly filled: Int32Array;
  /** By chunk: for each of its jobs the end and the handle, side by side; and the chunk after it. */
  private pairs = new Float64Array(1024 * CHUNK * 2);
  private after = new Int32Array(1024);
  private chunks = 0;
  /** The chunks that are free again, as a chain. */
  private free = NONE;

  constructor(count: number) {
    this.first = new Int32Array(count).fill(NONE);
    this.last = new Int32Array(count).fill(NONE);
    this.filled = new Int32Array(count).fill(CHUNK);
  }

  add(bucket: number, job: number, time: number): void {
    if (this.filled[bucket] === CHUNK) this.lengthen(bucket);
    const at = (this.last[bucket] * CHUNK + this.filled[bucket]++) * 2;
    this.pairs[at] = time;
    this.pairs[at + 1] = job;
  }

  /** The jobs of a bucket, in order. */
  visit(bucket: number, visit: (job: number, time: number) => void): void {
    const last = this.last[bucket];
    for (let chunk = this.first[bucket]; chunk !== NONE; chunk = chunk === last ? NONE : this.after[chunk])
      this.visitChunk(chunk, chunk === last ? this.filled[bucket] : CHUNK, visit);
  }

  /** Takes all jobs out of a bucket. `visit` may put jobs into any bucket. Returns how many there were. */
  empty(bucket: number, visit: (job: number, time: number) => void): number {
    let count = 0;
    const last = this.last[bucket];
    const inLast = this.filled[bucket];
    let chunk = this.first[bucket];
    this.first[bucket] = this.last[bucket] = NONE;
    this.filled[bucket] = CHUNK;
    while (chunk !== NONE) {
      const size = chunk === last ? inLast : CHUNK;
      this.visitChunk(chunk, size, visit);
      count += size;
      const next = chunk === last ? NONE : this.after[chunk];
      this.after[chunk] = this.free;
      this.free = chunk;
      chunk = next;
    }
    return count;
  }

  private visitChunk(chunk: number, size: number, visit: (job: number, time: number) => void): void {
    for (let i = chunk * CHUNK; i < chunk * CHUNK + size; i++)
      visit(this.pairs[i * 2 + 1], this.pairs[i * 2]);
  }

  private lengthen(bucket: number): void {
    let chunk = this.free;
    if (chunk !== NONE) this.free = this.after[chunk];
    else {
      chunk = this.chunks++;
      if (chunk === this.after.length) {
        this.after = doubled(this.after);
        this.pairs = doubled(this.pairs);
      }
    }
    const last = this.last[bucket];
    if (last === NONE) this.first[bucket] = chunk;
    else this.after[last] = chunk;
    this.last[bucket] = chunk;
    this.filled[bucket] = 0;
  }
}
