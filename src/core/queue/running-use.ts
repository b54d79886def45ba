import type { Jobs } from "../jobs/jobs.ts";
import type { ProjectUse } from "./project-use.ts";
import type { ShareTree } from "./share-tree.ts";

/** The cores in use now, with those of the jobs that the pass has placed (Shai 2014, section 1). It has no memory. */
export class RunningUse implements ProjectUse {
  private readonly jobs: Jobs;
  private readonly tree: ShareTree;
  /** By node: thousandths of a core in use below it; now, and with what the pass has placed. */
  private readonly use: Float64Array;
  private readonly passUse: Float64Array;

  constructor(jobs: Jobs, tree: ShareTree) {
    this.jobs = jobs;
    this.tree = tree;
    this.use = new Float64Array(tree.size);
    this.passUse = new Float64Array(tree.size);
  }

  cycle(): void {}

  begin(): void {
    this.passUse.set(this.use);
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

  ratio(node: number): number {
    return this.passUse[node] / this.tree.share[node];
  }

  private charge(use: Float64Array, job: number, sign: number): void {
    const { jobs, tree } = this;
    const cores = sign * jobs.coresOf(job) * jobs.tasksOf(job);
    for (let node = tree.leafOf[jobs.project[job]]; node >= 0; node = tree.parent[node]) use[node] += cores;
  }
}
