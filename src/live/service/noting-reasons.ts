import type { Clock } from "../engines/system/clock.ts";
import type { Reader } from "../reader/tasks.ts";
import { STEP_JOBS } from "../limits.ts";
import type { Loop } from "./loop.ts";
import type { ServiceLog } from "./service-parts.ts";

export interface NotingParts {
  readonly clock: Clock;
  readonly log: ServiceLog;
  readonly loop: Loop;
  /** A thread with a copy of the farm. */
  readonly trials: Reader;
  readonly farmTime: () => number;
  /** Whether a job waits. */
  readonly isAnyWaiting: () => boolean;
}

const AGAIN_SECONDS = 60;
/** Of what it took, so that the thread has time for who asks. */
const PAUSE_FACTOR = 10;
/** Changes that are written each time. */
const MOST_NOTED = 10_000;

/**
 * Writes down about once a minute for what reason each job waits, if it has changed, so that a job can be told how the
 * reason changed over its wait. The reasons are found on a copy of the farm; the loop writes a few rows a turn.
 */
export class NotingReasons {
  private readonly parts: NotingParts;
  private isStopped = false;

  constructor(parts: NotingParts) {
    this.parts = parts;
  }

  start(): void {
    this.later(AGAIN_SECONDS);
  }

  stop(): void {
    this.isStopped = true;
  }

  private later(seconds: number): void {
    const { clock, log } = this.parts;
    clock.after(seconds, () => {
      if (this.isStopped) return;
      const begun = clock.monotonicSeconds();
      void this.note()
        .catch((error: unknown) => {
          if (!this.isStopped) log.warn({ err: error }, "why jobs wait could not be noted");
        })
        .then(() => {
          const took = clock.monotonicSeconds() - begun;
          this.later(Math.max(AGAIN_SECONDS, took * PAUSE_FACTOR));
        });
    });
  }

  /** Notes what has changed. */
  async note(): Promise<void> {
    const { loop, trials, farmTime, isAnyWaiting } = this.parts;
    if (!isAnyWaiting()) return;
    const changed = await trials.do("newReasons", { at: farmTime(), most: MOST_NOTED });
    for (let from = 0; from < changed.length && !this.isStopped; from += STEP_JOBS)
      await loop.act((turn) => {
        for (const { job, token, sentence, dropped } of changed.slice(from, from + STEP_JOBS)) {
          if (dropped !== null) turn.write("DELETE FROM wait_reason WHERE job = ? AND at = ?", job, dropped);
          turn.write(
            "INSERT OR REPLACE INTO wait_reason (job, at, token, sentence) VALUES (?, ?, ?, ?)",
            job,
            turn.unixSeconds,
            token,
            sentence,
          );
        }
      });
  }
}
