import type { Notes } from "../notes.ts";

/** How far a job has come in the log. */
type Stage = "queued" | "started" | "deleted";

/** A job's index in its array and its number, as one number. */
const ARRAY_PLACES = 2 ** 22;

const reasons: Readonly<Record<Stage, string>> = {
  queued: "dropped: it never started",
  started: "dropped: it had not ended when the log was made",
  deleted: "dropped: it never started",
};

/** Jobs with records in the log, but none so far of their end. */
export class OutstandingJobs {
  private readonly stages = new Map<number, { stage: Stage; line: number }>();
  /** When jobs were put back in the queue, in seconds since 1970. */
  private readonly requeuedSeconds = new Map<number, number>();

  queued(number: number, index: number, line: number): void {
    const key = keyOf(number, index);
    if (!this.stages.has(key)) this.stages.set(key, { stage: "queued", line });
  }

  started(number: number, index: number, line: number): void {
    this.stages.set(keyOf(number, index), { stage: "started", line });
  }

  /** A job that ran when it was deleted has a record of its end, too. */
  deleted(number: number, index: number, line: number): void {
    const key = keyOf(number, index);
    if (this.stages.get(key)?.stage !== "started") this.stages.set(key, { stage: "deleted", line });
  }

  requeued(number: number, index: number, line: number, seconds: number): void {
    const key = keyOf(number, index);
    this.stages.set(key, { stage: "queued", line });
    this.requeuedSeconds.set(key, seconds);
  }

  /** @returns when the job was last put back in the queue; -Infinity if it was not */
  ended(number: number, index: number): number {
    const key = keyOf(number, index);
    this.stages.delete(key);
    const seconds = this.requeuedSeconds.get(key) ?? Number.NEGATIVE_INFINITY;
    this.requeuedSeconds.delete(key);
    return seconds;
  }

  noteAll(notes: Notes): void {
    for (const { stage, line } of this.stages.values()) notes.add(reasons[stage], line);
  }
}

function keyOf(number: number, index: number): number {
  return number * ARRAY_PLACES + index + 1;
}
