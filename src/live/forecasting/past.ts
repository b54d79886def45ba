import type { PlainRequest, Port } from "../../core/index.ts";
import { ArrivalModel, type JobTraits, type RunTimeModel } from "../../forecast/index.ts";
import { asking } from "../service/asked.ts";
import { readRequest } from "../store/job-request.ts";
import { Refusal } from "../refusal.ts";
import {
  learntRunTimes,
  MOST_SUBMISSIONS,
  ranSeconds,
  TAUGHT_COLUMNS,
  traitsOfRow,
  UNKNOWN_TRAITS,
} from "../replica/run-times.ts";
import type { Connection } from "../store/database.ts";
import type { Shadow } from "./shadow.ts";

/** A job that was submitted, as far as others may be like it. */
interface PastJob {
  readonly request: PlainRequest;
  traits: JobTraits;
  /** Null: it has not ended, or never ran. */
  runSeconds: number | null;
}

/** A job as its row tells of it. */
interface Found {
  readonly number: number;
  readonly job: PastJob;
  readonly submittedAt: number;
  readonly isOver: boolean;
}

/** What the farm's own jobs teach: how long they ran, and when they came. */
export class FarmPast {
  readonly runTimes: RunTimeModel;
  /** With what was submitted: some 30 MB. */
  readonly arrivals = new ArrivalModel(MOST_SUBMISSIONS);
  private readonly connection: Connection;
  /** By place in the order of submissions, less those that are forgotten. */
  private readonly jobs: PastJob[] = [];
  private forgotten = 0;
  /** Those that are not over, by number. */
  private readonly present = new Map<number, PastJob>();
  private latest = -Infinity;

  /**
   * Learns from the jobs that are in the database.
   *
   * @param offsetSeconds time since 1970 less the farm's
   */
  constructor(connection: Connection, { farm, requirements }: Shadow, offsetSeconds: number) {
    this.connection = connection;
    this.runTimes = learntRunTimes(connection);
    const askedOf = asking(farm);
    const requests = new Map<string, PlainRequest | null>();
    const requestOf = (text: string): PlainRequest | null => {
      const request = readRequest(text);
      const { requires, licences } = request;
      try {
        return askedOf(request, {
          requirement: requires.trim() === "" ? 0 : requirements.expressions.numberOf(requires),
          licences: licences.trim() === "" ? 0 : requirements.licences.numberOf(licences),
          // Jobs of many users ask for the same: that limits hold back those to come is not forecast.
          account: 0,
        });
      } catch (error) {
        // Of a pool that is not in the farm's file any more.
        if (error instanceof Refusal) return null;
        throw error;
      }
    };
    const found: Found[] = [];
    // One after the other: all commands together may be more than memory holds.
    for (const row of connection.iterate(
      `SELECT number, submitted_at, request, ${TAUGHT_COLUMNS} FROM job ORDER BY number DESC LIMIT ?`,
      MOST_SUBMISSIONS,
    )) {
      const text = withoutCommand(String(row["request"]));
      const request = requests.get(text) ?? requestOf(text);
      requests.set(text, request);
      if (request === null) continue;
      found.push({
        number: Number(row["number"]),
        job: { request, traits: traitsOfRow(row), runSeconds: ranSeconds(row) },
        submittedAt: Number(row["submitted_at"]) - offsetSeconds,
        isOver: row["ended_at"] !== null,
      });
    }
    for (const { number, job, submittedAt, isOver } of found.toReversed()) {
      this.add(number, job, submittedAt);
      if (isOver) this.present.delete(number);
    }
  }

  submitted(job: number, request: PlainRequest, at: number): void {
    this.add(job, { request, traits: this.readTraits(job), runSeconds: null }, at);
  }

  ended(job: number, runSeconds: number): void {
    this.runTimes.learn(this.traitsOf(job), runSeconds);
    const past = this.present.get(job);
    if (past !== undefined) past.runSeconds = runSeconds;
    this.present.delete(job);
  }

  /** Its limit may be another one. */
  changed(job: number): void {
    const past = this.present.get(job);
    if (past !== undefined) past.traits = this.readTraits(job);
  }

  /** It is over without having run. */
  gone(job: number): void {
    this.present.delete(job);
  }

  traitsOf(job: number): JobTraits {
    return this.present.get(job)?.traits ?? this.readTraits(job);
  }

  requestLike(like: number): PlainRequest {
    return this.like(like).request;
  }

  traitsLike(like: number): JobTraits {
    return this.like(like).traits;
  }

  runSecondsLike(like: number): number | null {
    return this.like(like).runSeconds;
  }

  /**
   * How many jobs have ended of the kind that is known least: with a limit, or without. A kind that has less than a
   * tenth of the cores of all jobs present does not decide when others start.
   */
  knownFor(port: Port): number {
    const { jobs } = port.view;
    const kinds = [0, Infinity].map((requestedSeconds) => ({
      known: this.runTimes.known({ ...UNKNOWN_TRAITS, requestedSeconds }),
      cores: 0,
    }));
    for (const handle of jobs) {
      const { requestedSeconds } = this.traitsOf(port.numberOf(handle));
      kinds[requestedSeconds < Infinity ? 0 : 1]!.cores += jobs.coresOf(handle) * jobs.tasksOf(handle);
    }
    const cores = kinds.reduce((sum, kind) => sum + kind.cores, 0);
    const counted = kinds.filter((kind) => kind.cores > 0 && kind.cores >= cores / 10);
    if (counted.length === 0) return kinds.reduce((sum, { known }) => sum + known, 0);
    return Math.min(...counted.map(({ known }) => known));
  }

  private like(like: number): PastJob {
    return this.jobs[like - this.forgotten]!;
  }

  private add(number: number, job: PastJob, at: number): void {
    // The order of numbers is that of submissions, whatever the clock of the machine has done.
    this.latest = Math.max(this.latest, at);
    this.arrivals.learn(this.latest);
    this.jobs.push(job);
    const { forgotten } = this.arrivals;
    if (forgotten > this.forgotten) this.jobs.splice(0, forgotten - this.forgotten);
    this.forgotten = forgotten;
    this.present.set(number, job);
  }

  private readTraits(job: number): JobTraits {
    const row = this.connection.get("SELECT user, name, time_seconds FROM job WHERE number = ?", job);
    return row === undefined ? UNKNOWN_TRAITS : traitsOfRow(row);
  }
}

/** Jobs of one kind differ in their commands, which are long: what they ask for is then read once. */
function withoutCommand(text: string): string {
  const { command: _, name: __, directory: ___, ...asked } = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify({ command: ["job"], name: "job", directory: "/", ...asked });
}
