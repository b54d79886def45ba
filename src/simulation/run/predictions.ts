import { TimeHeap, type Port } from "../../core/index.ts";
import type { Workload } from "../../workload/index.ts";
import { mustTake } from "./must-take.ts";
import { correctedSeconds, Predictor } from "./predictor.ts";

/** A running job's prediction. */
interface Prediction {
  readonly row: number;
  readonly startedAt: number;
  readonly predictedSeconds: number;
  corrections: number;
  /** When it runs out. */
  until: number;
}

/** The predicted run times of a run: one for each job at its submission, and corrections of those that run longer. */
export class Predictions {
  private readonly predictor = new Predictor();
  private readonly port: Port;
  private readonly workload: Workload;
  private readonly requestSeconds: Float64Array;
  /** By handle, for the running jobs whose prediction may still be corrected. */
  private readonly running = new Map<number, Prediction>();
  /** The same by when the prediction runs out. An entry with another time than `until` is outdated. */
  private readonly due = new TimeHeap();

  /** @param requestSeconds by row */
  constructor(port: Port, workload: Workload, requestSeconds: Float64Array) {
    this.port = port;
    this.workload = workload;
    this.requestSeconds = requestSeconds;
  }

  /** When the next prediction runs out; `Infinity`: none does. */
  get nextTime(): number {
    const { due, running } = this;
    while (due.firstTime < Infinity && running.get(due.first)?.until !== due.firstTime) due.take();
    return due.firstTime;
  }

  /** The prediction for a job that is submitted now. */
  predict(row: number, now: number): number {
    return this.predictor.predict(this.userOf(row), this.requestSeconds[row], now);
  }

  /** A job runs from now on. */
  runs(job: number, row: number, now: number): void {
    const predictedSeconds = this.port.view.jobs.estimateSecondsOf(job);
    this.expect(job, {
      row,
      startedAt: now,
      predictedSeconds,
      corrections: 0,
      until: now + predictedSeconds,
    });
  }

  /** A job runs no longer. */
  stops(job: number): void {
    this.running.delete(job);
  }

  /** A job has run to its end. */
  ends(row: number, now: number): void {
    this.predictor.end(this.userOf(row), this.workload.runtimeSeconds[row], now);
  }

  /** Corrects the predictions that have run out. */
  correct(now: number): void {
    while (this.nextTime <= now) {
      const job = this.due.take();
      const prediction = this.running.get(job)!;
      const { row, startedAt, predictedSeconds } = prediction;
      const n = ++prediction.corrections;
      const until = startedAt + correctedSeconds(predictedSeconds, n, this.requestSeconds[row]);
      mustTake(this.port.tell({ type: "expected", at: now, job, until }));
      prediction.until = until;
      this.expect(job, prediction);
    }
  }

  /** Notes when a running job's prediction runs out, if it can be corrected then. */
  private expect(job: number, prediction: Prediction): void {
    const { row, predictedSeconds, corrections, until } = prediction;
    if (Number.isNaN(correctedSeconds(predictedSeconds, corrections + 1, this.requestSeconds[row])))
      this.running.delete(job);
    else {
      this.running.set(job, prediction);
      this.due.add(job, until);
    }
  }

  private userOf(row: number): number {
    const { user } = this.workload;
    return user === null || user.names[user.codes[row]] === "" ? -1 : user.codes[row];
  }
}
