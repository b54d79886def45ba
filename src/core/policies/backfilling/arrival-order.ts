import type { Jobs } from "../../jobs/jobs.ts";
import { NONE } from "../../none.ts";
import { Heap } from "./heap.ts";
import type { PromiseOrder, PromiseWalk } from "./promise-order.ts";
import type { PromisesByKind } from "./promises-by-kind.ts";
import type { WaitingGroups } from "./waiting-groups.ts";

/** The order of arrival. */
export class ArrivalOrder implements PromiseOrder {
  private readonly jobs: Jobs;
  private readonly groups: WaitingGroups;
  private readonly walk: GroupsWalk;
  private readonly again: GroupsWalk;

  constructor(jobs: Jobs, groups: WaitingGroups) {
    this.jobs = jobs;
    this.groups = groups;
    this.walk = new GroupsWalk(jobs, groups);
    this.again = new GroupsWalk(jobs, groups);
  }

  begin(): PromiseWalk {
    this.groups.begin();
    this.walk.begin();
    return this.walk;
  }

  beginLeftOut(): PromiseWalk {
    const given = this.groups.unpromised[this.walk.group];
    this.again.beginAgain(this.walk.leftOut, this.jobs.arrival[given]);
    return this.again;
  }
}

/**
 * Waiting jobs in order of arrival, group by group. A group that is left out has no further cost.
 *
 * The groups lie in order of their first jobs already. Only those whose first jobs have promises are in a heap: most
 * are left out at their first jobs, and a heap of all took two fifths of a run in overload.
 */
class GroupsWalk implements PromiseWalk {
  /** The groups that were left out, from their first job without a promise on. */
  readonly leftOut: number[] = [];
  /** The group of the job that `next` returned last. */
  group = NONE;
  private readonly heap: Heap;
  private readonly jobs: Jobs;
  private readonly groups: WaitingGroups;
  /** Jobs from this arrival on are not walked over. */
  private before = Infinity;
  /** The place of the next group in the order of arrival, and where the walk ends there. */
  private place = 0;
  private end = 0;

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

  /** A walk over all waiting jobs. */
  begin(): void {
    this.clear();
    this.before = Infinity;
    this.end = this.groups.count;
  }

  /** A walk over the jobs without a promise of some groups that arrived before a given job. */
  beginAgain(groups: readonly number[], before: number): void {
    const { heap, jobs } = this;
    const { unpromised } = this.groups;
    this.clear();
    this.before = before;
    this.end = 0;
    for (const group of groups) {
      const job = unpromised[group];
      if (job !== NONE && jobs.arrival[job] < before) heap.items.push(group);
    }
    heap.order();
  }

  next(known: PromisesByKind): number {
    const { kind, seconds, unpromised } = this.groups;
    for (;;) {
      const group = this.firstGroup();
      this.group = group;
      if (group === NONE) return NONE;
      if (!known.isLate(kind[group], seconds[group])) return unpromised[group];
      this.leaveOut();
    }
  }

  promised(): void {
    const { group, heap, jobs } = this;
    const { unpromised, next } = this.groups;
    const job = next[unpromised[group]];
    unpromised[group] = job;
    const goesOn = job !== NONE && jobs.arrival[job] < this.before;
    if (group !== heap.items[0]) {
      this.place++;
      if (goesOn) heap.push(group);
    } else if (goesOn) heap.moveFirst();
    else heap.pop();
  }

  leaveOut(): void {
    this.leftOut.push(this.group);
    if (this.group === this.heap.items[0]) this.heap.pop();
    else this.place++;
  }

  private clear(): void {
    this.leftOut.length = 0;
    this.heap.items.length = 0;
    this.group = NONE;
    this.place = 0;
  }

  /** The group whose first job without a promise came first; `NONE` if none is left. */
  private firstGroup(): number {
    const { groups, jobs, heap } = this;
    const { items } = heap;
    if (this.place === this.end) return items.length === 0 ? NONE : items[0];
    const group = groups.byArrival[this.place];
    if (items.length === 0) return group;
    const { arrival } = jobs;
    const { unpromised } = groups;
    return arrival[unpromised[items[0]]] < arrival[unpromised[group]] ? items[0] : group;
  }
}
