import { Placements } from "../../../core/jobs/placements.ts";
import { NONE } from "../../../core/none.ts";
import { OnlineJobs } from "./jobs.ts";
import { Nodes } from "./nodes.ts";
import type { Priority } from "./priority.ts";

/** From when on packing may move a job; 0: from the start. */
interface MovableFrom {
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
    const { placements } = this;
    while (first !== NONE && other !== NONE) {
      if (
        placements.machineOf(first) !== placements.machineOf(other) ||
        placements.tasksOf(first) !== placements.tasksOf(other)
      )
        return false;
      first = placements.after(first);
      other = placements.after(other);
    }
    return first === other;
  }

  /** Tasks of the first chain, in order of nodes, that are elsewhere in the second. */
  tasksMoved(first: number, second: number): number {
    const { placements } = this;
    let moved = 0;
    for (let entry = first; entry !== NONE; entry = placements.after(entry)) {
      while (second !== NONE && placements.machineOf(second) < placements.machineOf(entry))
        second = placements.after(second);
      const stayed =
        second !== NONE && placements.machineOf(second) === placements.machineOf(entry)
          ? placements.tasksOf(second)
          : 0;
      moved += Math.max(0, placements.tasksOf(entry) - stayed);
    }
    return moved;
  }
}
