/** Observes a run. Nothing in the run depends on it. */
export interface RunObserver {
  /** Time advances to `now`; nothing has changed since the last call. */
  advance?(now: number): void;
  /** @param reason in words */
  rejected?(row: number, now: number, reason: string): void;
  submitted?(row: number, job: number, pool: number, now: number): void;
  /** The engine's decision has been read, and is about to be carried out. */
  decided?(now: number): void;
  /** A job in transfer has arrived. */
  arrived?(job: number, pool: number, now: number): void;
  /** A job runs from now on, and ends at `end` unless something happens before. */
  runs?(job: number, pool: number, end: number): void;
  /** A running job stops or ends; its placement is still known. */
  stops?(job: number, pool: number): void;
  finished?(row: number, job: number, pool: number, now: number): void;
}
