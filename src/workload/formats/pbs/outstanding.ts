import type { Notes } from "../notes.ts";

/** How far a job has come in the log: the latest that its records tell. */
type Stage = "queued" | "started" | "requeued";

interface Job {
  stage: Stage;
  /** When that was, by the clock of the server. */
  wallSeconds: number;
  isDeleted: boolean;
  line: number;
}

const reasons: Readonly<Record<Stage, string>> = {
  queued: "dropped: it had not started when the log was made",
  started: "dropped: it had not ended when the log was made",
  requeued: "counted as unknown: the wait of a job that went back to the queue and did not start again",
};

/** Jobs with records in the log, but none of their end. The records may come in any order. */
export class OutstandingJobs {
  private readonly jobs = new Map<number | string, Job>();
  /** Jobs that ended, but became no row. */
  private readonly dropped = new Set<number | string>();

  /** @param stage that of the record, of the time */
  reached(key: number | string, stage: Stage, wallSeconds: number, line: number): void {
    const job = this.jobs.get(key);
    if (job === undefined) {
      this.jobs.set(key, { stage, wallSeconds, isDeleted: false, line });
      return;
    }
    // A job that started does not go back to what it was before.
    if (stage === "queued" || (job.stage !== "queued" && wallSeconds < job.wallSeconds)) return;
    job.stage = stage;
    job.wallSeconds = wallSeconds;
    job.line = line;
  }

  /** A job that ran when it was deleted has a record of its end, too. */
  deleted(key: number | string, wallSeconds: number, line: number): void {
    this.reached(key, "queued", wallSeconds, line);
    this.jobs.get(key)!.isDeleted = true;
  }

  ended(key: number | string): void {
    this.jobs.delete(key);
  }

  /** Another record of the job may follow, but no row tells that it ended. */
  endedWithoutRow(key: number | string): void {
    this.dropped.add(key);
  }

  noteAll(notes: Notes): void {
    for (const [key, { stage, isDeleted, line }] of this.jobs) {
      if (this.dropped.has(key)) continue;
      notes.add(stage === "queued" && isDeleted ? "dropped: it never started" : reasons[stage], line);
    }
  }
}
