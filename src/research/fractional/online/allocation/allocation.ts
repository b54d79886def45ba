import type { OnlineState } from "../state.ts";

/** How the CPU of the nodes is shared out among the jobs that the plan has put there. */
export interface Allocation {
  /** As in `/OPT=MIN`. */
  readonly name: string;
  /** Whether the same plan gets the same shares at any time. */
  readonly isTimeless: boolean;
  /** The function sets `plannedShare` of every planned job; `aheadSeconds`: until the next period. */
  create(state: OnlineState): (now: number, aheadSeconds: number) => void;
}
