import { NONE } from "../../../core/none.ts";
import { GreedyPlacer } from "./greedy-placer.ts";
import type { OnlineState } from "./state.ts";

/**
 * Makes room for new jobs by pausing the least urgent ones. Those that fit
 * after all where they are keep running; the others are kept until the instant
 * is over, and may be moved before they are paused.
 */
export class Pausing {
  readonly placer: GreedyPlacer;
  private readonly state: OnlineState;
  /** Jobs to be paused: the nodes do not count them any more, their planned chain is still there. */
  private leaving: number[] = [];

  constructor(state: OnlineState) {
    this.state = state;
    this.placer = new GreedyPlacer(state);
  }

  submitted(job: number, now: number): void {
    const { jobs, nodes, placements } = this.state;
    const { leaving, placer, state } = this;
    while (!placer.place(job)) {
      const victim = this.leastUrgent(now);
      // No job is left to pause: this happens only to a job that the empty cluster cannot hold.
      if (victim === NONE) break;
      leaving.push(victim);
      nodes.remove(victim, jobs.planned[victim], jobs, placements);
    }
    if (leaving.length === 0) return;
    state.sortByPriority(leaving, now);
    this.leaving = leaving.filter((each) => {
      const first = jobs.planned[each];
      if (!nodes.haveRoom(each, first, jobs, placements)) return true;
      nodes.add(each, first, jobs, placements);
      return false;
    });
  }

  /** Pauses those that are still to leave; with `isMoving`, first tries to place each anew. */
  settle(now: number, isMoving: boolean): void {
    const { leaving, state, placer } = this;
    if (leaving.length === 0) return;
    state.sortByPriority(leaving, now);
    for (const job of leaving) if (!(isMoving && placer.place(job))) state.plan(job, NONE);
    leaving.length = 0;
  }

  private leastUrgent(now: number): number {
    const { jobs } = this.state;
    let found = NONE;
    let highest = -1;
    for (let i = 0; i < jobs.activeCount; i++) {
      const job = jobs.active[i];
      if (jobs.planned[job] === NONE || this.leaving.includes(job)) continue;
      const inverse = this.state.inversePriority(job, now);
      // Jobs are in order of arrival: of equals, the last is paused.
      if (inverse >= highest) {
        highest = inverse;
        found = job;
      }
    }
    return found;
  }
}
