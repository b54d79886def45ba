import { NONE } from "../../none.ts";
import { WHOLE_NODE } from "./nodes.ts";
import { Packing } from "./packing.ts";
import type { OnlineState } from "./state.ts";

/** The CPU share of a task of a job when the goal is `level`; `Infinity` where the job cannot reach that. */
export type ShareFor = (job: number, level: number) => number;

/**
 * Searches for the highest level, between 0 and 1, at which all jobs can be
 * packed. Where there is none, the least urgent job is left out, and so on.
 */
export class McbSearch {
  private readonly state: OnlineState;
  private readonly packing: Packing;
  /** Packs around all jobs that are placed. */
  private readonly gentle: Packing | null;
  /** The one of the two that fitted last. */
  private found: Packing;

  /** @param avoidsMoves whether jobs stay where they are if that reaches the level too, and bins go to nodes that run most of them */
  constructor(state: OnlineState, avoidsMoves: boolean) {
    this.state = state;
    this.packing = new Packing(state, avoidsMoves);
    this.gentle = avoidsMoves ? new Packing(state, false) : null;
    this.found = this.packing;
  }

  /**
   * Plans every job anew, except the ones that have too little virtual time to be moved.
   *
   * @param precision the search ends when the level is known this closely
   */
  run(now: number, precision: number, shareFor: ShareFor): void {
    const { state } = this;
    const { jobs, nodes } = state;
    const minimum = 1000 * state.minimumVirtualSeconds;
    const inOrder: number[] = [];
    let memory = 0;
    for (let i = 0; i < jobs.activeCount; i++) {
      const job = jobs.active[i];
      inOrder.push(job);
      memory += jobs.memory[job] * jobs.tasks[job];
    }
    // Without memory for all there is nothing to search for.
    let dropping: number[] | null = null;
    const drop = (): number => {
      if (dropping === null) {
        dropping = [...inOrder];
        state.sortByPriority(dropping, now);
      }
      const job = dropping.pop()!;
      inOrder.splice(inOrder.indexOf(job), 1);
      return job;
    };
    const dropped: number[] = [];
    while (memory > WHOLE_NODE * nodes.count) {
      const job = drop();
      dropped.push(job);
      memory -= jobs.memory[job] * jobs.tasks[job];
    }
    while (inOrder.length > 0 && !this.search(inOrder, now, minimum, precision, shareFor))
      dropped.push(drop());
    for (const job of dropped) state.plan(job, NONE);
    if (inOrder.length > 0) this.found.apply();
    else nodes.clear();
  }

  private search(
    inOrder: readonly number[],
    now: number,
    minimum: number,
    precision: number,
    shareFor: ShareFor,
  ): boolean {
    const { jobs } = this.state;
    const { packing, gentle } = this;
    packing.begin(
      inOrder,
      inOrder.map((job) => jobs.planned[job] !== NONE && jobs.virtualMilliseconds(job, now) < minimum),
    );
    gentle?.begin(
      inOrder,
      inOrder.map((job) => jobs.planned[job] !== NONE),
    );
    let low = 0;
    let high = 1;
    let isFound = false;
    while (high - low > precision) {
      const level = (low + high) / 2;
      if (this.isPossible(inOrder, level, shareFor) && this.fits(inOrder.length)) {
        isFound = true;
        low = level;
      } else {
        high = level;
      }
    }
    return isFound;
  }

  /** Tries the shares that were set; where everything can stay, it does. */
  private fits(count: number): boolean {
    const { packing, gentle } = this;
    if (gentle !== null) {
      for (let i = 0; i < count; i++) gentle.share[i] = packing.share[i];
      if (gentle.fits()) {
        this.found = gentle;
        return true;
      }
    }
    if (!packing.fits()) return false;
    this.found = packing;
    return true;
  }

  private isPossible(inOrder: readonly number[], level: number, shareFor: ShareFor): boolean {
    const { share } = this.packing;
    for (let i = 0; i < inOrder.length; i++) {
      const wanted = shareFor(inOrder[i], level);
      if (wanted > WHOLE_NODE) return false;
      share[i] = Math.max(1, wanted);
    }
    return true;
  }
}
