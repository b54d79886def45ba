import { InputError } from "../errors.ts";
import { sourceName, sourceTitle } from "../input/bytes.ts";
import type { ByteSource } from "../input/bytes.ts";
import { askedLicences } from "../licences.ts";
import { MAX_SECONDS } from "../limits.ts";
import { orderBySubmit } from "../order-by-submit.ts";
import type { RecordedFarm, Workload } from "../workload.ts";
import { farJobs } from "./far-jobs.ts";
import type { ReadOptions } from "./format.ts";
import { JobColumns } from "./job-columns.ts";
import { UNKNOWN, unknownJob } from "./job-row.ts";
import { settleRuns } from "./logged-runs.ts";
import type { LoggedRuns } from "./logged-runs.ts";
import { longRuns } from "./long-runs.ts";
import { Notes } from "./notes.ts";
import { repeatedRows, without } from "./repeated-rows.ts";
import { TextCheck } from "./text-check.ts";

/** Characters shown of a value that cannot be read. */
const MOST_SHOWN = 40;
/** Fifteen times the largest log known; as many rows of every column take 9 GB. */
const MAX_JOBS = 200_000_000;
const MAX_INT32 = 2 ** 31 - 1;
/** In place of a row's number, if the row was dropped. */
export const NOT_ADDED = -1;

/** What is wrong with a job: a short text that is the same for all such jobs, and one with the details. */
type Problem = readonly [what: string, inFull: string];

/**
 * The part that all formats have in common once a line is understood: check the job, count repairs, fill the columns,
 * sort.
 */
export class WorkloadBuilder {
  readonly row = unknownJob();
  readonly notes = new Notes();
  /** The columns of names. */
  readonly columns: JobColumns;

  /** For each job whether it had its nodes for itself, once the workload is finished; null if none had. */
  wholeNodes: Int32Array | null = null;

  private readonly source: ByteSource;
  private readonly file: string;
  private readonly dropsBadRows: boolean;
  private readonly capOverrun: boolean;
  private readonly minimumRuntimeSeconds: number;
  private readonly minimumMemoryMiB: number;
  private readonly requirements: TextCheck;
  private readonly licences: TextCheck;

  private count = 0;
  private isSorted = true;
  private isNumbered = true;
  private lastSubmitSeconds = Number.NEGATIVE_INFINITY;
  private withoutMemory = 0;
  private firstWithoutMemory = 0;
  private findsRepeats = false;
  private runs: LoggedRuns | null = null;

  /**
   * @param badRows what to do with a row that cannot be a job: `drop` counts it, unless `options.strict`; `refuse`
   *   throws
   */
  constructor(source: ByteSource, options: ReadOptions, badRows: "drop" | "refuse" = "refuse") {
    this.source = source;
    this.file = sourceName(source);
    this.dropsBadRows = badRows === "drop" && options.strict !== true;
    this.capOverrun = options.overrun === "cap";
    this.minimumRuntimeSeconds = options.minimumRuntimeSeconds ?? 0;
    this.minimumMemoryMiB = options.minimumMemoryMiB ?? 0;
    // A task of unknown memory asks for none, or for the minimum.
    this.columns = new JobColumns(this.minimumMemoryMiB);
    this.requirements = new TextCheck(this.columns.requirements, options.checkRequirement ?? (() => {}));
    this.licences = new TextCheck(this.columns.licenceLists, askedLicences);
  }

  /**
   * Adds `row` as the job of that line.
   *
   * @param isInPlace whether the lines of the jobs added before stand above it
   * @returns the number of the job's row, from 0, or `NOT_ADDED`
   * @throws InputError if a value is out of range, and bad rows are refused
   */
  add(line: number, isInPlace = true): number {
    const { row } = this;
    const problem = this.problem();
    if (problem !== null) {
      this.bad(problem[0], line, problem[1]);
      return NOT_ADDED;
    }
    const unread = this.requirements.problem(row.requires) ?? this.licences.problem(row.licences);
    if (unread !== null) this.refuse(unread, line);
    if (this.count >= MAX_JOBS) this.refuse(`more than ${MAX_JOBS} jobs`, line);
    if (row.estimateSeconds < 0 && row.estimateSeconds !== UNKNOWN) {
      const example = `${row.estimateSeconds} s`;
      this.notes.add("counted as unknown: a negative estimate", line, 1, { example });
      row.estimateSeconds = UNKNOWN;
    }
    const runtimeSeconds = this.limitedRuntime(line);
    const memoryMiB = this.limitedMemory(line);

    if (row.submitSeconds < this.lastSubmitSeconds) {
      this.isSorted = false;
      if (isInPlace) this.notes.add("sorted: submitted before the line above it", line);
    }
    this.lastSubmitSeconds = row.submitSeconds;
    this.columns.push(row, runtimeSeconds, memoryMiB);
    this.count++;
    if (row.jobNumber !== this.count) this.isNumbered = false;
    return this.count - 1;
  }

  /** Visits the jobs added so far: their numbers and when they were submitted. */
  eachJob(visit: (number: number, submitSeconds: number) => void): void {
    for (let row = 0; row < this.count; row++) visit(...this.columns.keysAt(row));
  }

  /**
   * A row that cannot be read, or cannot be a job.
   *
   * @param what the same for all such rows, since they are counted by it
   * @param inFull with the row's values, for the error if bad rows are refused
   * @param example the value that cannot be read, if it is one
   * @throws InputError if bad rows are refused
   */
  bad(what: string, line: number, inFull = what, example?: string): void {
    if (!this.dropsBadRows) this.refuse(inFull, line);
    const more = {
      isUnreadable: true,
      ...(example === undefined ? {} : { example: example.slice(0, MOST_SHOWN) }),
    } as const;
    this.notes.add(`dropped: ${what}`, line, 1, more);
  }

  /**
   * Drops a job that repeats another, with the same number and times, and notes other jobs with the same number.
   *
   * @param runs what tells runs apart instead of the times
   */
  expectRepeats(runs: LoggedRuns | null = null): void {
    this.findsRepeats = true;
    this.runs = runs;
  }

  /**
   * The workload, in order of submission. Jobs submitted at the same time stay in the log's order if the log is in
   * order; otherwise they are ordered by number, since a log that is written as jobs end has numbers in order of
   * submission.
   *
   * @throws InputError if there is no job
   */
  finish(farm: RecordedFarm | null = null, synthetic = false): Workload {
    const { columns, notes } = this;
    const keys = columns.takeKeys(this.count);
    if (this.runs !== null && settleRuns(this.runs, columns, keys)) this.isSorted = false;
    if (this.count === 0) {
      throw new InputError(`there is no job in it${this.dropped()}`, { file: this.file });
    }
    const repeated = this.findsRepeats ? repeatedRows(columns, keys, this.runs, notes) : null;
    const sorted = this.isSorted ? null : orderBySubmit(keys.submitSeconds, keys.jobNumber);
    const order = repeated === null ? sorted : without(repeated, sorted, this.count);
    if (columns.someMemory) this.noteUnknownMemory();
    this.noteOtherEncoding();
    this.wholeNodes = columns.takeWholeNodes(order?.length ?? this.count, order);
    const finished = columns.finish(keys, order, this.isNumbered);
    const long = longRuns(finished.submitSeconds, finished.runtimeSeconds, finished.jobNumber);
    if (long !== null) {
      const what = `kept: ran ten times as long as the log covers, or longer: are its times right? such as job ${long.firstNumber}`;
      notes.add(what, null, long.count);
    }
    const far = farJobs(finished.submitSeconds, finished.jobNumber);
    if (far !== null) {
      const what = `kept: submitted far before or after the others: are their times right? such as job ${far.firstNumber}`;
      notes.add(what, null, far.count);
    }
    return {
      name: sourceTitle(this.source),
      synthetic,
      count: order?.length ?? this.count,
      ...finished,
      notes: notes.list(),
      farm,
    };
  }

  /** What is wrong with the row; null if nothing is. */
  private problem(): Problem | null {
    const { row } = this;
    if (!(row.runtimeSeconds >= 0 && row.runtimeSeconds <= MAX_SECONDS)) {
      return ["the run time is out of range", "the run time is out of range: give seconds, 0 or more"];
    }
    if (row.estimateSeconds > MAX_SECONDS) return both("the estimate is out of range");
    if (!(row.memoryMiB <= MAX_INT32 && (row.memoryMiB >= 0 || row.memoryMiB === UNKNOWN))) {
      const inFull = `a task of ${row.memoryMiB} MiB of memory is out of range: is the memory's unit right?`;
      return ["the memory is out of range: is its unit right?", inFull];
    }
    if (!(Math.abs(row.submitSeconds) <= MAX_SECONDS)) return both("the submit time is out of range");
    if (!(row.coresMilli >= 1 && row.coresMilli <= MAX_INT32)) {
      return ["the cores are out of range", `a task of ${row.coresMilli / 1000} cores is out of range`];
    }
    if (!(row.tasks >= 1 && row.tasks <= MAX_INT32 && Number.isInteger(row.tasks))) {
      return ["the number of tasks cannot be", `a job of ${row.tasks} tasks cannot be`];
    }
    if (!(row.gpuMilli >= 0 && row.gpuMilli <= MAX_INT32)) {
      return ["the GPUs are out of range", `a task of ${row.gpuMilli / 1000} GPUs is out of range`];
    }
    if (!(Math.abs(row.jobNumber) <= Number.MAX_SAFE_INTEGER)) {
      return both("the job's number is out of range");
    }
    if (!(row.arrayIndex >= UNKNOWN && row.arrayIndex <= MAX_INT32 && Number.isInteger(row.arrayIndex))) {
      return both("the place in an array is out of range");
    }
    if (!(row.priority >= -MAX_INT32 - 1 && row.priority <= MAX_INT32 && Number.isInteger(row.priority))) {
      const what = "the priority is no integer of 32 bits";
      return [what, `the priority ${row.priority} is no integer of 32 bits`];
    }
    return null;
  }

  private limitedRuntime(line: number): number {
    const { estimateSeconds } = this.row;
    let { runtimeSeconds } = this.row;
    if (estimateSeconds >= 0 && runtimeSeconds > estimateSeconds) {
      if (this.capOverrun) {
        this.notes.add("cut: the run time, at the user's estimate", line);
        runtimeSeconds = estimateSeconds;
      } else {
        this.notes.add("kept: ran longer than the user's estimate", line);
      }
    }
    if (runtimeSeconds < this.minimumRuntimeSeconds) {
      this.notes.add(`raised: the run time, to ${this.minimumRuntimeSeconds} s`, line);
      runtimeSeconds = this.minimumRuntimeSeconds;
    }
    return runtimeSeconds;
  }

  private limitedMemory(line: number): number {
    const { memoryMiB } = this.row;
    if (memoryMiB === UNKNOWN) {
      if (this.firstWithoutMemory === 0) this.firstWithoutMemory = line;
      this.withoutMemory++;
      return UNKNOWN;
    }
    if (memoryMiB >= this.minimumMemoryMiB) return memoryMiB;
    this.notes.add(`raised: the memory, to ${this.minimumMemoryMiB} MiB`, line);
    return this.minimumMemoryMiB;
  }

  private noteUnknownMemory(): void {
    if (this.withoutMemory === 0) return;
    const what = `filled in: ${this.minimumMemoryMiB} MiB where the log does not say the memory`;
    this.notes.add(what, this.firstWithoutMemory, this.withoutMemory);
  }

  private noteOtherEncoding(): void {
    const { projects, users, queues, groups, nodeLists, states } = this.columns;
    const all = [projects, users, queues, groups, nodeLists, states];
    const count = all.reduce((sum, { notUtf8 }) => sum + notUtf8, 0);
    if (count > 0) this.notes.add("read as ISO 8859-1: names that are not UTF-8", null, count);
  }

  /** What happened to the lines, for the error that says that there is no job. */
  private dropped(): string {
    const dropped = this.notes
      .list()
      .map(
        ({ what, count, firstLine, example }) =>
          `${what} (${count}${firstLine === 1 || firstLine === undefined ? "" : `, first in line ${firstLine}`}${example === undefined ? "" : `: "${example}"`})`,
      );
    return dropped.length === 0 ? "" : `; ${dropped.join("; ")}`;
  }

  private refuse(problem: string, line: number): never {
    throw new InputError(problem, { file: this.file, line });
  }
}

function both(problem: string): Problem {
  return [problem, problem];
}
