import type { RoutingView } from "../routing/routing.ts";

/** The pool where a job continues or starts again. Its present pool means that it stays. */
export interface Move {
  /**
   * `restart`: the job leaves its pool and starts again at the other. `duplicate`: it stays, and a second attempt is made at the other pool; the first
   * attempt to finish wins.
   */
  readonly how: "restart" | "duplicate";
  choose(view: RoutingView, present: number): number;
  /** False: it never looks at expected run times. Absent: it may. */
  readonly usesEstimates?: boolean;
  /** False: it never draws at random. Absent: it may. */
  readonly usesRandom?: boolean;
  /**
   * Whether a waiting job that stays is reconsidered only after waiting as long once more; otherwise at the next check.
   */
  readonly startsTimerAnew: boolean;
  /**
   * Whether jobs of one kind in one pool, with the same candidate pools, all go to the same pool as long as no job
   * starts or ends. The choice is then made once for all of them.
   */
  readonly isCommon: boolean;
  /**
   * Whether any job of this pool could be moved, as the pools are now; false saves checking each job. Absent: it could.
   */
  mayLeave?(utilizations: ArrayLike<number>, present: number): boolean;
}

/** Where jobs go that are suspended or have waited too long (Zhang 2010, section 3). */
export interface Strategy {
  readonly name: string;
  readonly summary: string;
  readonly onSuspension: Move | null;
  readonly onLongWait: Move | null;
}
