import type { Jobs } from "../../jobs/jobs.ts";
import type { WaitingKinds } from "../../jobs/waiting-kinds.ts";
import { NONE } from "../../none.ts";
import { Heap } from "./heap.ts";
import type { PromiseOrder, PromiseWalk } from "./promise-order.ts";
import type { PromisesByKind } from "./promises-by-kind.ts";
import type { WaitingGroups } from "./waiting-groups.ts";

/** The order of arrival. */
export class ArrivalOrder implements PromiseOrder {
  private readonly jobs: Jobs;
  private readonly groups: WaitingGroups;
  private readonly waitingKinds: WaitingKinds;
  private readonly walk: GroupsWalk;
  private readonly again: GroupsWalk;
  private readonly all: number[] = [];

  constructor(jobs: Jobs, groups: WaitingGroups, waitingKinds: WaitingKinds) {
    this.jobs = jobs;
    this.groups = groups;
    this.waitingKinds = waitingKinds;
    this.walk = new GroupsWalk(jobs, groups);
    this.again = new GroupsWalk(jobs, groups);
  }

  begin(): PromiseWalk {
    const { groups, waitingKinds, all } = this;
    const { first, unpromised } = groups;
    all.length = 0;
    for (let i = 0; i < waitingKinds.count; i++) {
      for (const group of groups.of(waitingKinds.list[i])) {
        unpromised[group] = first[group];
        all.push(group);
      }
    }
    this.walk.begin(all, Infinity);
    return this.walk;
  }

  beginLeftOut(): PromiseWalk {
    const given = this.groups.unpromised[this.walk.heap.items[0]];
    this.again.begin(this.walk.leftOut, this.jobs.arrival[given]);
    return this.again;
  }
}

/** Waiting jobs in order of arrival, group by group. A group that is left out has no further cost. */
class GroupsWalk implements PromiseWalk {
  /** The groups that were left out, from their first job without a promise on. */
  readonly leftOut: number[] = [];
  readonly heap: Heap;
  private readonly jobs: Jobs;
  private readonly groups: WaitingGroups;
  private before = Infinity;

  constructor(jobs: Jobs, groups: WaitingGroups) {
    this.groups = groups;
    this.jobs = jobs;
    this.heap = new Heap(
      (one, other) => jobs.arrival[groups.unpromised[one]] < jobs.arrival[groups.unpromised[other]],
    );
  }

  get hasLeftOut(): boolean {
    return this.leftOut.length > 0;
  }

  /** A walk, in order of arrival, over the jobs without a promise of some groups that arrived before a given job. */
  begin(groups: readonly number[], before: number): void {
    const { heap, jobs } = this;
    const { unpromised } = this.groups;
    this.before = before;
    this.leftOut.length = 0;
    heap.items.length = 0;
    for (const group of groups) {
      const job = unpromised[group];
      if (job !== NONE && jobs.arrival[job] < before) heap.items.push(group);
    }
    heap.order();
  }

  next(known: PromisesByKind): number {
    const { kind, seconds, unpromised } = this.groups;
    const { items } = this.heap;
    while (items.length > 0) {
      const group = items[0];
      if (!known.isLate(kind[group], seconds[group])) return unpromised[group];
      this.leaveOut();
    }
    return NONE;
  }

  promised(): void {
    const { heap, jobs } = this;
    const { unpromised, next } = this.groups;
    const group = heap.items[0];
    const job = next[unpromised[group]];
    unpromised[group] = job;
    if (job !== NONE && jobs.arrival[job] < this.before) heap.moveFirst();
    else heap.pop();
  }

  leaveOut(): void {
    this.leftOut.push(this.heap.pop());
  }
}
