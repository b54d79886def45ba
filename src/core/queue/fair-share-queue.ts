import { NONE } from "../none.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { JobList } from "./job-list.ts";
import type { ProjectUse } from "./project-use.ts";
import type { ShareTree } from "./share-tree.ts";
import type { WaitQueue } from "./wait-queue.ts";

/**
 * The most eligible project first: the one with the least use ÷ share, level by level down the share tree. Use is the
 * cores in use now (`RunningUse`) or what was used (`DecayedUse`). Ties go to the project whose first job came first
 * (Shai 2014, section 1).
 */
export class FairShareQueue implements WaitQueue {
  readonly isByArrival = false;
  length = 0;
  private readonly jobs: Jobs;
  private readonly tree: ShareTree;
  private readonly use: ProjectUse;
  private readonly lists: JobList[] = [];
  /** By leaf: the pass's next job. By node: the earliest arrival among the jobs below it. */
  private readonly cursor: Int32Array;
  private readonly earliest: Float64Array;

  constructor(jobs: Jobs, tree: ShareTree, use: ProjectUse) {
    this.jobs = jobs;
    this.tree = tree;
    this.use = use;
    for (let node = 0; node < tree.size; node++) this.lists.push(new JobList(jobs));
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

  cycle(now: number): void {
    this.use.cycle(now);
  }

  begin(): void {
    const { tree, cursor, earliest } = this;
    this.use.begin();
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
    this.use.placed(job);
  }

  started(job: number, now: number): void {
    this.use.started(job, now);
  }

  finished(job: number, now: number): void {
    this.use.finished(job, now);
  }

  private leaf(job: number): number {
    return this.tree.leafOf[this.jobs.project[job]];
  }

  private mostEligible(children: readonly number[]): number {
    const { use, earliest } = this;
    let best = NONE;
    let bestRatio = Infinity;
    for (const child of children) {
      if (earliest[child] === Infinity) continue;
      const ratio = use.ratio(child);
      if (best === NONE || ratio < bestRatio || (ratio === bestRatio && earliest[child] < earliest[best])) {
        best = child;
        bestRatio = ratio;
      }
    }
    return best;
  }
}
