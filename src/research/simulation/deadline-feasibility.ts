import { firstNotBelow } from "../../simulation/ascending.ts";

/** Jobs whose work can be divided at will, in order of release. */
export interface DivisibleJobs {
  readonly release: Float64Array;
  /** Nodes that a job can use at once, at most. */
  readonly rate: Float64Array;
  /** Node-seconds. */
  readonly work: Float64Array;
}

/** Undone work up to this part of the job's work is taken for rounding. */
const EPSILON = 1e-9;
/**
 * The search for augmenting paths ends after this many steps, about a second: a week of 2,758 jobs on 240 processors
 * (HPC2N, week 163) would otherwise take hours for a few more digits.
 */
const MAX_STEPS = 2e8;

/**
 * Tells whether divisible jobs can all meet their deadlines.
 *
 * Between two neighbouring releases or deadlines nothing changes, so this is a flow of work from jobs to intervals:
 * at most rate × length from a job into one, at most nodes × length into one from all. A greedy pass finds most flows
 * that there are: work that cannot wait first, then the earliest deadlines. What it leaves undone is pushed along
 * augmenting paths; where there is none there is no flow. If that is not known after `MAX_STEPS` steps, the answer is
 * yes, so that the bound derived from it stays a lower bound.
 */
export class DeadlineFeasibility {
  private readonly jobs: DivisibleJobs;
  private readonly nodes: number;
  private readonly count: number;
  /** The limits of the intervals. */
  private time = new Float64Array(0);
  private intervals = 0;
  /** Each job's first interval, and where its flows begin in `flow`. */
  private readonly first: Int32Array;
  private readonly offset: Int32Array;
  private flow = new Float64Array(0);
  /** The jobs that may work in each interval: `jobIn` from `inFrom[k]` on. */
  private readonly inFrom: Int32Array;
  private jobIn = new Int32Array(0);
  /** What each interval has left. */
  private readonly spare: Float64Array;
  private readonly left: Float64Array;
  /** What a job was given in the first round of an interval. */
  private readonly given: Float64Array;

  constructor(jobs: DivisibleJobs, nodes: number) {
    this.jobs = jobs;
    this.nodes = nodes;
    this.count = jobs.release.length;
    this.first = new Int32Array(this.count);
    this.offset = new Int32Array(this.count + 1);
    this.inFrom = new Int32Array(2 * this.count + 1);
    this.spare = new Float64Array(2 * this.count);
    this.left = new Float64Array(this.count);
    this.given = new Float64Array(this.count);
  }

  isFeasible(deadline: Float64Array): boolean {
    const { release, rate, work } = this.jobs;
    for (let job = 0; job < this.count; job++) {
      if (rate[job] * (deadline[job] - release[job]) < work[job] * (1 - EPSILON)) return false;
    }
    this.cutTime(deadline);
    if (this.greedy(deadline, false)) return true;
    this.greedy(deadline, true);
    return this.repair();
  }

  private cutTime(deadline: Float64Array): void {
    const { count } = this;
    const all = new Float64Array(2 * count);
    all.set(this.jobs.release);
    all.set(deadline, count);
    all.sort();
    let used = 0;
    for (let i = 0; i < all.length; i++) if (i === 0 || all[i] > all[used - 1]) all[used++] = all[i];
    this.time = all.subarray(0, used);
    this.intervals = used - 1;
  }

  /** Whether all work was done; with `isKept`, where it was done is noted for `repair`. */
  private greedy(deadline: Float64Array, isKept: boolean): boolean {
    const { jobs, time, left, spare, nodes, count } = this;
    const { release, rate, work } = jobs;
    if (isKept) this.makeFlows(deadline);
    left.set(work);
    let isDone = true;
    let next = 0;
    /** Released and neither done nor due, the earliest deadline first. */
    const active: number[] = [];
    for (let k = 0; k < this.intervals; k++) {
      const start = time[k];
      const end = time[k + 1];
      const length = end - start;
      for (; next < count && release[next] <= start; next++) {
        let at = active.length;
        while (at > 0 && deadline[active[at - 1]] > deadline[next]) at--;
        active.splice(at, 0, next);
      }
      let free = nodes * length;
      // Two rounds: first the work that would be too late after this interval, then the rest.
      for (let round = 0; round < 2 && free > 0; round++) {
        for (let at = 0; at < active.length && free > 0; at++) {
          const job = active[at];
          const canLater = rate[job] * (deadline[job] - end);
          const most = rate[job] * length - (round === 1 ? this.given[job] : 0);
          const amount = Math.min(free, most, round === 0 ? left[job] - canLater : left[job]);
          if (round === 0) this.given[job] = 0;
          if (!(amount > 0)) continue;
          left[job] -= amount;
          free -= amount;
          this.given[job] += amount;
          if (isKept) this.flow[this.offset[job] + k - this.first[job]] += amount;
        }
      }
      spare[k] = free;
      let kept = 0;
      for (const job of active) {
        if (left[job] <= EPSILON * work[job]) continue;
        if (deadline[job] <= end) {
          isDone = false;
          if (!isKept) return false;
        } else active[kept++] = job;
      }
      active.length = kept;
    }
    return isDone;
  }

  private makeFlows(deadline: Float64Array): void {
    const { first, offset, time, count } = this;
    const { release } = this.jobs;
    for (let job = 0; job < count; job++) {
      first[job] = firstNotBelow(time, release[job]);
      offset[job + 1] = offset[job] + firstNotBelow(time, deadline[job]) - first[job];
    }
    const size = offset[count];
    if (this.flow.length < size) {
      this.flow = new Float64Array(2 * size);
      this.jobIn = new Int32Array(2 * size);
    } else this.flow.fill(0, 0, size);

    const { inFrom, jobIn } = this;
    inFrom.fill(0);
    for (let job = 0; job < count; job++) {
      const end = first[job] + offset[job + 1] - offset[job];
      for (let k = first[job]; k < end; k++) inFrom[k + 1]++;
    }
    for (let k = 0; k < this.intervals; k++) inFrom[k + 1] += inFrom[k];
    const next = inFrom.slice();
    for (let job = 0; job < count; job++) {
      const end = first[job] + offset[job + 1] - offset[job];
      for (let k = first[job]; k < end; k++) jobIn[next[k]++] = job;
    }
  }

  /** Pushes what is left of each job along augmenting paths. False where there is none. */
  private repair(): boolean {
    const { left, jobs, count } = this;
    const search = new PathSearch(count, this.intervals);
    for (let job = 0; job < count; job++) {
      while (left[job] > EPSILON * jobs.work[job]) {
        if (search.steps > MAX_STEPS) return true;
        const end = this.findPath(job, search);
        if (end === -1) return false;
        this.push(job, end, search);
      }
    }
    return true;
  }

  /** The interval with something to spare at the end of the shortest path from a job; -1: none. */
  private findPath(from: number, search: PathSearch): number {
    const { first, offset, flow, spare, time, nodes, jobs, inFrom, jobIn } = this;
    const { jobFrom, intervalFrom, queue } = search;
    jobFrom.fill(-2);
    intervalFrom.fill(-1);
    jobFrom[from] = -1;
    let tail = 0;
    queue[tail++] = from;
    for (let head = 0; head < tail; head++) {
      const job = queue[head];
      const size = offset[job + 1] - offset[job];
      search.steps += size;
      for (let i = 0; i < size; i++) {
        const k = first[job] + i;
        const length = time[k + 1] - time[k];
        if (intervalFrom[k] !== -1) continue;
        if (jobs.rate[job] * length - flow[offset[job] + i] <= EPSILON * length) continue;
        intervalFrom[k] = job;
        if (spare[k] > EPSILON * nodes * length) return k;
        // Others that work in it can make room by going elsewhere.
        search.steps += inFrom[k + 1] - inFrom[k];
        for (let at = inFrom[k]; at < inFrom[k + 1]; at++) {
          const other = jobIn[at];
          if (jobFrom[other] !== -2) continue;
          if (flow[offset[other] + k - first[other]] <= EPSILON * length) continue;
          jobFrom[other] = k;
          queue[tail++] = other;
        }
      }
    }
    return -1;
  }

  private push(from: number, end: number, { jobFrom, intervalFrom }: PathSearch): void {
    const { first, offset, flow, spare, time, left, jobs } = this;
    const edge = (job: number, k: number): number => offset[job] + k - first[job];
    let amount = Math.min(left[from], spare[end]);
    for (let k = end; ; k = jobFrom[intervalFrom[k]]) {
      const job = intervalFrom[k];
      amount = Math.min(amount, jobs.rate[job] * (time[k + 1] - time[k]) - flow[edge(job, k)]);
      if (job === from) break;
      amount = Math.min(amount, flow[edge(job, jobFrom[job])]);
    }
    for (let k = end; ; k = jobFrom[intervalFrom[k]]) {
      const job = intervalFrom[k];
      flow[edge(job, k)] += amount;
      if (job === from) break;
      flow[edge(job, jobFrom[job])] -= amount;
    }
    spare[end] -= amount;
    left[from] -= amount;
  }
}

/** What a breadth-first search came from: -2 for a job not seen, -1 for an interval not seen. */
class PathSearch {
  readonly jobFrom: Int32Array;
  readonly intervalFrom: Int32Array;
  readonly queue: Int32Array;
  /** Flows looked at so far, by all searches. */
  steps = 0;

  constructor(jobs: number, intervals: number) {
    this.jobFrom = new Int32Array(jobs);
    this.intervalFrom = new Int32Array(intervals);
    this.queue = new Int32Array(jobs);
  }
}
