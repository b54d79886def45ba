import { Placements } from "../../core/jobs/placements.ts";
import { NONE } from "../../core/none.ts";
import { OnlineJobs } from "./jobs.ts";
import { Nodes } from "./nodes.ts";
import type { Priority } from "./priority.ts";

/** From when on packing may move a job; 0: from the start. */
export interface MovableFrom {
  readonly minimumVirtualSeconds: number;
  /** Since submission. */
  readonly minimumFlowSeconds: number;
}

/**
 * The jobs, the nodes, and the plan: where each job's tasks are to be from now on. Algorithms change the plan; the
 * scheduler then compares it with the present state.
 */
export class OnlineState {
  readonly jobs = new OnlineJobs();
  readonly placements = new Placements();
  /** What the planned jobs need. */
  readonly nodes: Nodes;
  readonly priority: Priority;
  /** Goes up whenever a job comes, goes or is planned anew. */
  changes = 0;
  readonly movable: MovableFrom;
  /** What a pause and resume, or a move, costs. */
  readonly penaltySeconds: number;

  constructor(
    nodes: number,
    priority: Priority,
    penaltySeconds: number,
    movable: MovableFrom,
    speedPercent?: Int32Array,
  ) {
    this.penaltySeconds = penaltySeconds;
    this.nodes = new Nodes(nodes, speedPercent);
    this.priority = priority;
    this.movable = movable;
  }

  /** The higher, the sooner a job is to be paused. */
  inversePriority(job: number, now: number): number {
    const flow = 1000 * (now - this.jobs.submitSeconds[job]);
    return this.priority.inverse(this.jobs.virtualMilliseconds(job, now), flow);
  }

  /** Whether a job is too young to be moved when all are packed anew. */
  isTooYoung(job: number, now: number): boolean {
    const { minimumVirtualSeconds, minimumFlowSeconds } = this.movable;
    return (
      this.jobs.virtualMilliseconds(job, now) < 1000 * minimumVirtualSeconds ||
      now - this.jobs.submitSeconds[job] < minimumFlowSeconds
    );
  }

  /** Puts handles in order of priority, the most urgent first; ties by arrival. */
  sortByPriority(handles: number[], now: number): void {
    if (handles.length < 2) return;
    const { arrival } = this.jobs;
    const inverse = new Map(handles.map((job) => [job, this.inversePriority(job, now)]));
    handles.sort((a, b) => inverse.get(a)! - inverse.get(b)! || arrival[a] - arrival[b]);
  }

  /** Plans a job onto the nodes of a chain, which the nodes count already, or nowhere with `NONE`. */
  plan(job: number, first: number): void {
    const { planned, placement } = this.jobs;
    this.changes++;
    if (planned[job] !== placement[job]) this.release(planned[job]);
    planned[job] = first;
  }

  /** Gives a chain's entries back. */
  release(first: number): void {
    for (let entry = first; entry !== NONE;) entry = this.placements.remove(entry);
  }

  /** Whether two chains, both in order of nodes, say the same. */
  isSame(first: number, other: number): boolean {
    const { machine, tasks, next } = this.placements;
    while (first !== NONE && other !== NONE) {
      if (machine[first] !== machine[other] || tasks[first] !== tasks[other]) return false;
      first = next[first];
      other = next[other];
    }
    return first === other;
  }

  /** Tasks of the first chain, in order of nodes, that are elsewhere in the second. */
  tasksMoved(first: number, second: number): number {
    const { machine, tasks, next } = this.placements;
    let moved = 0;
    for (let entry = first; entry !== NONE; entry = next[entry]) {
      while (second !== NONE && machine[second] < machine[entry]) second = next[second];
      const stayed = second !== NONE && machine[second] === machine[entry] ? tasks[second] : 0;
      moved += Math.max(0, tasks[entry] - stayed);
    }
    return moved;
  }
}
