import type { OnlineState } from "../state.ts";

/** What happens when jobs come: one of the names before the first slash. */
export interface ArrivalAlgorithm {
  readonly name: string;
  readonly summary: string;
  create(state: OnlineState): Arrivals;
}

export interface Arrivals {
  /** A job has come: plans it where that is possible at once. */
  submitted?(job: number, now: number): void;
  /** All events of the instant are known: completes the plan. */
  settle(now: number): void;
}

/** What happens every period, and, for MCB, when jobs come: the whole plan is made anew. */
export interface PackingAlgorithm {
  readonly name: string;
  create(state: OnlineState): Packer;
}

export interface Packer {
  /** @param aheadSeconds from now until the next period */
  pack(now: number, aheadSeconds: number): void;
}
