import { NONE } from "../none.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { JobList } from "./job-list.ts";
import type { ShareTree } from "./share-tree.ts";
import type { WaitQueue } from "./wait-queue.ts";

/**
 * The most eligible project first: the one with the least cores in use ÷ share, level by level down the share tree.
 * What the pass has placed counts as in use. Ties go to the project whose first job came first (Shai 2014, section 1).
 */
export class FairShareQueue implements WaitQueue {
  readonly isByArrival = false;
  length = 0;
  private readonly jobs: Jobs;
  private readonly tree: ShareTree;
  private readonly lists: JobList[] = [];
  /** By node: thousandths of a core in use below it; now, and with what the pass has placed. */
  private readonly use: Float64Array;
  private readonly passUse: Float64Array;
  /** By leaf: the pass's next job. By node: the earliest arrival among the jobs below it. */
  private readonly cursor: Int32Array;
  private readonly earliest: Float64Array;

  constructor(jobs: Jobs, tree: ShareTree) {
    this.jobs = jobs;
    this.tree = tree;
    for (let node = 0; node < tree.size; node++) this.lists.push(new JobList(jobs));
    this.use = new Float64Array(tree.size);
    this.passUse = new Float64Array(tree.size);
    this.cursor = new Int32Array(tree.size).fill(NONE);
    this.earliest = new Float64Array(tree.size).fill(Infinity);
  }

  add(job: number): void {
    this.lists[this.leaf(job)].add(job);
    this.length++;
  }

  remove(job: number): void {
    this.lists[this.leaf(job)].remove(job);
    this.length--;
  }

  begin(): void {
    const { tree, cursor, earliest } = this;
    this.passUse.set(this.use);
    earliest.fill(Infinity);
    // Children have higher numbers than their parents.
    for (let node = tree.size - 1; node >= 0; node--) {
      const job = this.lists[node].first;
      cursor[node] = job;
      if (job !== NONE) earliest[node] = this.jobs.arrival[job];
      const above = tree.parent[node];
      if (above >= 0 && earliest[node] < earliest[above]) earliest[above] = earliest[node];
    }
  }

  next(): number {
    const { tree, cursor, earliest, jobs } = this;
    if (earliest[0] === Infinity) return NONE;
    let node = 0;
    while (tree.children[node].length > 0) node = this.mostEligible(tree.children[node]);
    const job = cursor[node];
    const after = jobs.next[job];
    cursor[node] = after;
    earliest[node] = after === NONE ? Infinity : jobs.arrival[after];
    for (let above = tree.parent[node]; above >= 0; above = tree.parent[above]) {
      let first = Infinity;
      for (const child of tree.children[above]) if (earliest[child] < first) first = earliest[child];
      earliest[above] = first;
    }
    return job;
  }

  placed(job: number): void {
    this.charge(this.passUse, job, 1);
  }

  started(job: number): void {
    this.charge(this.use, job, 1);
  }

  finished(job: number): void {
    this.charge(this.use, job, -1);
  }

  private leaf(job: number): number {
    return this.tree.leafOf[this.jobs.project[job]];
  }

  private charge(use: Float64Array, job: number, sign: number): void {
    const cores = sign * this.jobs.coresOf(job) * this.jobs.tasksOf(job);
    for (let node = this.leaf(job); node >= 0; node = this.tree.parent[node]) use[node] += cores;
  }

  private mostEligible(children: readonly number[]): number {
    const { passUse, earliest, tree } = this;
    let best = NONE;
    let bestRatio = Infinity;
    for (const child of children) {
      if (earliest[child] === Infinity) continue;
      const ratio = passUse[child] / tree.share[child];
      if (best === NONE || ratio < bestRatio || (ratio === bestRatio && earliest[child] < earliest[best])) {
        best = child;
        bestRatio = ratio;
      }
    }
    return best;
  }
}
