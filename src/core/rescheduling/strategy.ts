import type { RoutingView } from "../routing/routing.ts";

/** Where a job goes on, or starts again: a pool. The one where it is means that it stays. */
export interface Move {
  /** Whether the job leaves where it is, or stays and a second attempt is made there: the first to finish wins. */
  readonly how: "restart" | "duplicate";
  choose(view: RoutingView, present: number): number;
  /** Whether a job that stays is asked again only after waiting as long once more; else at the next look. */
  readonly startsTimerAnew: boolean;
  /**
   * Whether jobs of one kind in one pool, that may go to the same pools, all go to the
   * same one as long as no job starts or ends: it is then worked out once a look.
   */
  readonly isCommon: boolean;
  /**
   * Whether a job in this pool could be moved at all, as the pools are now, judged by all
   * pools of the farm; false spares a look at each job. Absent: it could.
   */
  mayLeave?(utilizations: ArrayLike<number>, present: number): boolean;
}

/** What becomes of jobs that are suspended, and of those that wait for long (Zhang 2010, section 3). */
export interface Strategy {
  readonly name: string;
  readonly summary: string;
  readonly onSuspension: Move | null;
  readonly onLongWait: Move | null;
}
