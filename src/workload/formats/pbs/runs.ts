import { float64Column, int32Column } from "../column.ts";
import { UNKNOWN } from "../job-row.ts";
import type { LoggedRuns } from "../logged-runs.ts";
import type { RecordedJobs } from "../recorded-jobs.ts";
import type { OutstandingJobs } from "./outstanding.ts";
import { keyOf } from "./record.ts";
import type { PbsRecord } from "./record.ts";

/**
 * The runs that have been added.
 *
 * A job may run several times: after each run but the last it goes back to the queue. Only when all records have been
 * read it is known since when a run has waited, since the files of a log may come in any order. A run is known by its
 * job, its start and its number, so that a record that is written twice is one run.
 */
export class PbsRuns implements LoggedRuns {
  readonly repeated = "dropped: another record of a run that the log has already";
  private readonly jobs: RecordedJobs;
  private readonly outstanding: OutstandingJobs;
  private readonly starts = float64Column();
  private readonly runCounts = int32Column(UNKNOWN, UNKNOWN);
  private readonly servers = int32Column(0);
  /** 1 if the job went back to the queue after the run. */
  private readonly wentBack = int32Column(0);
  /** By job: when it was put back in the queue, in seconds since 1970. */
  private readonly requeuedSeconds = new Map<number | string, number[]>();
  private isInOrder = true;
  /** By row: when the job became eligible, if that was after its submission. */
  private readonly eligible = new Map<number, { seconds: number; line: number }>();

  constructor(jobs: RecordedJobs, outstanding: OutstandingJobs) {
    this.jobs = jobs;
    this.outstanding = outstanding;
  }

  /** @param startSeconds of the run that has become `row` */
  add(row: number, record: PbsRecord, startSeconds: number, isRequeue: boolean, line: number): void {
    const runCount = record.number("run_count");
    this.starts.set(row, startSeconds);
    if (Number.isInteger(runCount)) this.runCounts.set(row, runCount);
    if (record.server !== 0) this.servers.set(row, record.server);
    if (isRequeue) this.wentBack.set(row, 1);
    const seconds = record.number("etime");
    if (seconds > this.jobs.builder.row.submitSeconds + 1) this.eligible.set(row, { seconds, line });
  }

  requeued(key: number | string, seconds: number): void {
    if (Number.isNaN(seconds)) return;
    this.isInOrder = false;
    const known = this.requeuedSeconds.get(key);
    if (known === undefined) this.requeuedSeconds.set(key, [seconds]);
    else known.push(seconds);
  }

  settle(row: number, number: number, index: number, submitSeconds: number): number {
    const key = keyOf(this.servers.at(row), number, index);
    const wentBack = this.wentBack.at(row) === 1;
    if (!wentBack) this.outstanding.ended(key);
    const queuedSeconds = Math.max(submitSeconds, this.lastRequeue(key, this.starts.at(row), wentBack));
    const eligible = this.eligible.get(row);
    if (eligible !== undefined) this.jobs.noteEligible(queuedSeconds, eligible.seconds, eligible.line);
    return queuedSeconds;
  }

  settled(): void {
    this.outstanding.noteAll(this.jobs.builder.notes);
  }

  identityOf(row: number): string {
    return `${this.servers.at(row)} ${this.starts.at(row)} ${this.runCounts.at(row)}`;
  }

  /** When the job was last put back in the queue before the start; -Infinity if it was not. */
  private lastRequeue(key: number | string, startSeconds: number, wentBack: boolean): number {
    const all = this.requeuedSeconds.get(key);
    if (all === undefined) return Number.NEGATIVE_INFINITY;
    if (!this.isInOrder) {
      for (const each of this.requeuedSeconds.values()) each.sort((a, b) => a - b);
      this.isInOrder = true;
    }
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      // A run of no time that ended in the queue is not its own requeue.
      if (all[middle]! < startSeconds || (all[middle] === startSeconds && !wentBack)) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? Number.NEGATIVE_INFINITY : all[low - 1]!;
  }
}
