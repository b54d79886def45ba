import type { Jobs } from "../jobs/jobs.ts";
import type { Capacities } from "../machines/machine-state.ts";
import { meanRemaining, remaining } from "./half-life.ts";
import type { ProjectUse } from "./project-use.ts";
import { nodeParts, type ShareTree } from "./share-tree.ts";

/**
 * What a job uses: its cores; its memory; or the resource of which it has the largest part of the pool, as that part of
 * the pool's cores.
 */
export const useMeasures = ["cores", "memory", "dominant"] as const;
export type UseMeasure = (typeof useMeasures)[number];

/** Fair share by what was used. */
export interface UsageSettings {
  /** After so many seconds half of what was used counts. More than 0. */
  readonly halfLifeSeconds: number;
  readonly of: UseMeasure;
}

/** What the leaves of a share tree have used, as plain data, by leaf. */
export interface KeptUse {
  /** What counted at a time of its own. */
  readonly used: Float64Array;
  /** That time, in seconds. */
  readonly since: Float64Array;
}

/** What a node of the share tree has used and is due, in thousandths of a core or MiB, times seconds. */
export interface Standing {
  /** Of its path, from the top: 1 for `/a` of the project `/a/b`. */
  readonly depth: number;
  readonly used: number;
  /** Its share of all that counts in the pool. */
  readonly due: number;
}

/** Ratios that differ by less than a part in a billion are equal: 2^23 + 1 rounds to 30 bits (Veltkamp 1968). */
const SPLITTER = 2 ** 23 + 1;

/**
 * What projects have used: the integral over time of what their running jobs hold, of which half is left after each
 * half-life. Jobs count from when the scheduler gives them their resources to when it takes these back, however they
 * end; suspended ones hold none.
 *
 * A leaf has what counted at the time when its jobs last changed. That decays, and what runs adds to it evenly, so what
 * counts now follows in a few operations, and a cycle costs as many as there are projects. All amounts held are whole
 * numbers, so that their sums are exact.
 */
export class DecayedUse implements ProjectUse {
  readonly settings: UsageSettings;
  private readonly jobs: Jobs;
  private readonly tree: ShareTree;
  /** Thousandths of a core that count as much as a MiB, or a thousandth of a GPU. */
  private readonly coresPerMemory: number;
  private readonly coresPerGpu: number;
  /** By leaf: what its jobs hold now, in thousandths of a core or MiB. */
  private readonly held: Float64Array;
  /** By leaf: what counted, in those units times seconds, and when. */
  private readonly used: Float64Array;
  private readonly since: Float64Array;
  private heldInAll = 0;
  /** By node: what counts in the cycle. */
  private readonly cycleUse: Float64Array;

  /** @param capacities the pool's machines as it begins: what is dominant goes by them, whatever joins or leaves later */
  constructor(jobs: Jobs, tree: ShareTree, settings: UsageSettings, capacities: Capacities) {
    this.jobs = jobs;
    this.tree = tree;
    this.settings = settings;
    const cores = sumOf(capacities.coresMilli);
    const worth = (column: Int32Array | null): number => {
      const sum = sumOf(column);
      return sum === 0 ? 0 : cores / sum;
    };
    this.coresPerMemory = worth(capacities.memoryMiB);
    this.coresPerGpu = worth(capacities.gpuMilli);
    this.held = new Float64Array(tree.size);
    this.used = new Float64Array(tree.size);
    this.since = new Float64Array(tree.size);
    this.cycleUse = new Float64Array(tree.size);
  }

  /** Whether jobs run, so that the order of projects may change though nothing happens. */
  get isGrowing(): boolean {
    return this.heldInAll > 0;
  }

  cycle(now: number): void {
    const { tree, cycleUse } = this;
    cycleUse.fill(0);
    // Children have higher numbers than their parents.
    for (let node = tree.size - 1; node > 0; node--) {
      if (tree.children[node].length === 0) cycleUse[node] = this.usedAt(node, now);
      cycleUse[tree.parent[node]] += cycleUse[node];
    }
  }

  begin(): void {}

  /** It has used nothing yet. */
  placed(): void {}

  started(job: number, now: number): void {
    this.hold(job, 1, now);
  }

  finished(job: number, now: number): void {
    this.hold(job, -1, now);
  }

  ratio(node: number): number {
    const ratio = this.cycleUse[node] / this.tree.share[node];
    const high = SPLITTER * ratio;
    return high - (high - ratio);
  }

  /** What a leaf has used that counts at a time, in thousandths of a core or MiB, times seconds. */
  usedAt(leaf: number, now: number): number {
    const seconds = now - this.since[leaf];
    if (!(seconds > 0)) return this.used[leaf];
    const halfLives = seconds / this.settings.halfLifeSeconds;
    return this.used[leaf] * remaining(halfLives) + this.held[leaf] * seconds * meanRemaining(halfLives);
  }

  /** What counts at a time, by project. */
  usedByProject(now: number): Float64Array {
    return Float64Array.from(this.tree.leafOf, (leaf) => this.usedAt(leaf, now));
  }

  /**
   * How a project stands where the tree tells it from another: below the last node that both are in. Null: both count
   * as one.
   */
  standing(project: number, other: number, now: number): Standing | null {
    const { tree } = this;
    const [path, otherPath] = [this.pathTo(tree.leafOf[project]), this.pathTo(tree.leafOf[other])];
    const depth = path.findIndex((node, at) => node !== otherPath[at]);
    if (depth < 0) return null;
    const used = new Float64Array(tree.size);
    for (let node = tree.size - 1; node > 0; node--) {
      if (tree.children[node].length === 0) used[node] = this.usedAt(node, now);
      used[tree.parent[node]] += used[node];
    }
    const node = path[depth];
    return { depth, used: used[node], due: nodeParts(tree)[node] * used[0] };
  }

  /** Whether a project comes after another for what it has used. */
  hasUsedMore(project: number, other: number, now: number): boolean {
    const own = this.standing(project, other, now);
    const others = this.standing(other, project, now);
    return own !== null && others !== null && own.used * others.due > others.used * own.due;
  }

  /** The nodes from the root to one of the tree. */
  private pathTo(node: number): number[] {
    const path: number[] = [];
    for (let at = node; at >= 0; at = this.tree.parent[at]) path.unshift(at);
    return path;
  }

  /** What jobs hold is not in it: it follows from the jobs. */
  save(): KeptUse {
    return { used: this.used.slice(), since: this.since.slice() };
  }

  load({ used, since }: KeptUse): void {
    this.used.set(used);
    this.since.set(since);
  }

  private hold(job: number, sign: number, now: number): void {
    const leaf = this.tree.leafOf[this.jobs.project[job]];
    this.used[leaf] = this.usedAt(leaf, now);
    this.since[leaf] = now;
    const amount = sign * this.amountOf(job) * this.jobs.tasksOf(job);
    this.held[leaf] += amount;
    this.heldInAll += amount;
  }

  private amountOf(job: number): number {
    const { jobs } = this;
    switch (this.settings.of) {
      case "cores":
        return jobs.coresOf(job);
      case "memory":
        return jobs.memoryOf(job);
      case "dominant":
        return Math.max(
          jobs.coresOf(job),
          Math.round(jobs.memoryOf(job) * this.coresPerMemory),
          Math.round(jobs.gpuOf(job) * this.coresPerGpu),
        );
    }
  }
}

function sumOf(column: Int32Array | null): number {
  return column?.reduce((sum, amount) => sum + amount, 0) ?? 0;
}
