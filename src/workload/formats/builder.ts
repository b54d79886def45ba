import { InputError } from "../errors.ts";
import { Names } from "../names.ts";
import { sourceName, sourceTitle } from "../input/bytes.ts";
import type { ByteSource } from "../input/bytes.ts";
import { sharedFloat64Array, sharedInt32Array } from "../shared-arrays.ts";
import { orderBySubmit, reordered } from "../order-by-submit.ts";
import type { CodedColumn, RecordedFarm, Workload } from "../workload.ts";
import { float64Column, int32Column } from "./column.ts";
import type { Column } from "./column.ts";
import type { ReadOptions } from "./format.ts";
import { EMPTY_NAME, UNKNOWN, unknownJob } from "./job-row.ts";
import { Notes } from "./notes.ts";

/** Fifteen times the largest log known; as many rows of every column take 9 GB. */
const MAX_JOBS = 200_000_000;
/** Thirty thousand years: whole seconds, and sums of them, stay exact. */
const MAX_SECONDS = 1e12;
const MAX_INT32 = 2 ** 31 - 1;

/** What every format does once it has understood a line: check the job, count repairs, fill the columns, sort. */
export class WorkloadBuilder {
  readonly row = unknownJob();
  readonly notes = new Notes();
  readonly projects = new Names();
  readonly users = new Names();
  readonly queues = new Names();
  readonly policies = namesWithEmpty();
  readonly requirements = namesWithEmpty();
  readonly poolLists = namesWithEmpty();
  readonly sites = namesWithEmpty();
  readonly groups = namesWithEmpty();

  private readonly source: ByteSource;
  private readonly file: string;
  private readonly capOverrun: boolean;
  private readonly minimumRuntimeSeconds: number;
  private readonly minimumMemoryMiB: number;
  private readonly checkRequirement: ((text: string) => void) | undefined;

  private count = 0;
  private sorted = true;
  private numbered = true;
  private lastSubmitSeconds = Number.NEGATIVE_INFINITY;
  private withoutMemory = 0;
  private firstWithoutMemory = 0;
  private readonly submitSeconds = float64Column();
  private readonly runtimeSeconds = float64Column();
  private readonly coresMilli = int32Column();
  private readonly memoryMiB: Column<Int32Array>;
  private readonly gpuMilli = int32Column(0);
  private readonly tasks = int32Column(1, 1);
  private readonly nodeCpu = float64Column(UNKNOWN);
  private readonly nodeMemory = float64Column(UNKNOWN);
  private readonly estimateSeconds = float64Column(UNKNOWN, Number.NaN);
  private readonly jobNumber = float64Column();
  private readonly recordedWaitSeconds = float64Column(UNKNOWN, Number.NaN);
  private readonly project = int32Column(UNKNOWN, UNKNOWN);
  private readonly user = int32Column(UNKNOWN, UNKNOWN);
  private readonly queue = int32Column(UNKNOWN, UNKNOWN);
  private readonly priority = int32Column(0);
  private readonly policy = int32Column(EMPTY_NAME);
  private readonly requires = int32Column(EMPTY_NAME);
  private readonly pools = int32Column(EMPTY_NAME);
  private readonly site = int32Column(EMPTY_NAME);
  private readonly group = int32Column(EMPTY_NAME);
  /** Requirements with lower codes have been looked at. */
  private requirementsChecked = 1;

  constructor(source: ByteSource, options: ReadOptions) {
    this.source = source;
    this.file = sourceName(source);
    this.capOverrun = options.overrun === "cap";
    this.minimumRuntimeSeconds = options.minimumRuntimeSeconds ?? 0;
    this.minimumMemoryMiB = options.minimumMemoryMiB ?? 0;
    // A task of unknown memory asks for nothing, or for the least that counts.
    this.memoryMiB = int32Column(UNKNOWN, this.minimumMemoryMiB);
    this.checkRequirement = options.checkRequirement;
  }

  /**
   * Adds `row` as the job of that line.
   * @throws InputError where a value is out of range.
   */
  add(line: number): void {
    const { row } = this;
    const { submitSeconds, jobNumber } = row;
    const runtimeSeconds = this.mendedRuntime(line);
    const memoryMiB = this.mendedMemory(line);
    if (!(Math.abs(submitSeconds) <= MAX_SECONDS)) this.refuse("the submit time is out of range", line);
    if (!(row.coresMilli >= 1 && row.coresMilli <= MAX_INT32)) {
      this.refuse(`a task of ${row.coresMilli / 1000} cores is out of range`, line);
    }
    if (!(row.tasks >= 1 && row.tasks <= MAX_INT32 && Number.isInteger(row.tasks))) {
      this.refuse(`a job of ${row.tasks} tasks cannot be`, line);
    }
    if (!(row.gpuMilli >= 0 && row.gpuMilli <= MAX_INT32)) {
      this.refuse(`a task of ${row.gpuMilli / 1000} GPUs is out of range`, line);
    }
    if (!(Math.abs(row.priority) <= MAX_INT32 && Number.isInteger(row.priority))) {
      this.refuse(`the priority ${row.priority} is no integer of 32 bits`, line);
    }
    if (row.requires >= this.requirementsChecked) this.checkRequirements(line);
    if (this.count >= MAX_JOBS) this.refuse(`more than ${MAX_JOBS} jobs`, line);

    if (submitSeconds < this.lastSubmitSeconds) {
      this.sorted = false;
      this.notes.add("sorted: submitted before the line above it", line);
    }
    this.lastSubmitSeconds = submitSeconds;
    this.count++;
    if (jobNumber !== this.count) this.numbered = false;

    this.submitSeconds.push(submitSeconds);
    this.runtimeSeconds.push(runtimeSeconds);
    this.coresMilli.push(row.coresMilli);
    this.memoryMiB.push(memoryMiB);
    this.gpuMilli.push(row.gpuMilli);
    this.tasks.push(row.tasks);
    this.nodeCpu.push(row.nodeCpu);
    this.nodeMemory.push(row.nodeMemory);
    this.estimateSeconds.push(row.estimateSeconds);
    this.jobNumber.push(jobNumber);
    this.recordedWaitSeconds.push(row.recordedWaitSeconds);
    this.project.push(row.project);
    this.user.push(row.user);
    this.queue.push(row.queue);
    this.priority.push(row.priority);
    this.policy.push(row.policy);
    this.requires.push(row.requires);
    this.pools.push(row.pools);
    this.site.push(row.site);
    this.group.push(row.group);
  }

  /**
   * The workload, in order of submission. Jobs of one instant stay in the log's order, or,
   * in a log out of order, in that of their numbers: a log written as jobs end is numbered as they came.
   * @throws InputError where no line gave a job.
   */
  finish(farm: RecordedFarm | null = null, synthetic = false): Workload {
    const count = this.count;
    if (count === 0) throw new InputError(`there is no job in it${this.dropped()}`, { file: this.file });
    const submitted = this.submitSeconds.moveTo(sharedFloat64Array(count), null);
    const jobNumber = this.jobNumber.moveTo(sharedFloat64Array(count), null);
    const order = this.sorted ? null : orderBySubmit(submitted, jobNumber);
    const numbers = (column: Column<Float64Array>): Float64Array =>
      column.moveTo(sharedFloat64Array(count), order);
    const integers = (column: Column<Int32Array>): Int32Array =>
      column.moveTo(sharedInt32Array(count), order);

    if (this.memoryMiB.some) this.noteUnknownMemory();
    return {
      name: sourceTitle(this.source),
      synthetic,
      count,
      submitSeconds: order === null ? submitted : reordered(submitted, order),
      runtimeSeconds: numbers(this.runtimeSeconds),
      coresMilli: integers(this.coresMilli),
      memoryMiB: orNull(this.memoryMiB, integers),
      gpuMilli: orNull(this.gpuMilli, integers),
      tasks: orNull(this.tasks, integers),
      ...(this.nodeCpu.some && { nodeCpu: numbers(this.nodeCpu), nodeMemory: numbers(this.nodeMemory) }),
      estimateSeconds: orNull(this.estimateSeconds, numbers),
      jobNumber: order !== null ? reordered(jobNumber, order) : this.numbered ? null : jobNumber,
      recordedWaitSeconds: orNull(this.recordedWaitSeconds, numbers),
      project: orNull(this.project, (column) => coded(integers(column), this.projects.list)),
      user: orNull(this.user, (column) => coded(integers(column), this.users.list)),
      queue: orNull(this.queue, (column) => coded(integers(column), this.queues.list)),
      policy: orNull(this.policy, (column) => coded(integers(column), this.policies.list)),
      priority: orNull(this.priority, integers),
      requires: orNull(this.requires, (column) => coded(integers(column), this.requirements.list)),
      pools: orNull(this.pools, (column) => coded(integers(column), this.poolLists.list)),
      site: orNull(this.site, (column) => coded(integers(column), this.sites.list)),
      group: orNull(this.group, (column) => coded(integers(column), this.groups.list)),
      notes: this.notes.list(),
      farm,
    };
  }

  private mendedRuntime(line: number): number {
    const { estimateSeconds } = this.row;
    let { runtimeSeconds } = this.row;
    if (!(runtimeSeconds >= 0 && runtimeSeconds <= MAX_SECONDS)) {
      this.refuse("the run time is out of range: give seconds, 0 or more", line);
    }
    if (estimateSeconds > MAX_SECONDS) this.refuse("the estimate is out of range", line);
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

  private mendedMemory(line: number): number {
    const { memoryMiB } = this.row;
    if (memoryMiB === UNKNOWN) {
      if (this.firstWithoutMemory === 0) this.firstWithoutMemory = line;
      this.withoutMemory++;
      return UNKNOWN;
    }
    if (!(memoryMiB >= 0 && memoryMiB <= MAX_INT32)) {
      this.refuse(`a task of ${memoryMiB} MiB of memory is out of range: is the memory's unit right?`, line);
    }
    if (memoryMiB >= this.minimumMemoryMiB) return memoryMiB;
    this.notes.add(`raised: the memory, to ${this.minimumMemoryMiB} MiB`, line);
    return this.minimumMemoryMiB;
  }

  /** Each requirement once, where it first stands. */
  private checkRequirements(line: number): void {
    const { list } = this.requirements;
    for (; this.requirementsChecked < list.length; this.requirementsChecked++) {
      try {
        this.checkRequirement?.(list[this.requirementsChecked]!);
      } catch (error) {
        this.refuse((error as Error).message, line);
      }
    }
  }

  private noteUnknownMemory(): void {
    if (this.withoutMemory === 0) return;
    const what = `filled in: ${this.minimumMemoryMiB} MiB where the log does not say the memory`;
    this.notes.add(what, this.firstWithoutMemory, this.withoutMemory);
  }

  /** What became of the lines, for the error that says there is no job. */
  private dropped(): string {
    const dropped = this.notes.list().map(({ what, count }) => `${what} (${count})`);
    return dropped.length === 0 ? "" : `; ${dropped.join("; ")}`;
  }

  private refuse(problem: string, line: number): never {
    throw new InputError(problem, { file: this.file, line });
  }
}

function namesWithEmpty(): Names {
  const names = new Names();
  names.codeOf("");
  return names;
}

/** The names with their codes; a row without one gets a name that says so. */
function coded(codes: Int32Array, names: readonly string[]): CodedColumn {
  if (!codes.includes(UNKNOWN)) return { codes, names };
  for (let row = 0; row < codes.length; row++) if (codes[row] === UNKNOWN) codes[row] = names.length;
  return { codes, names: [...names, "unknown"] };
}

/** null where no row of the column has a value. */
function orNull<T extends Float64Array | Int32Array, R>(
  column: Column<T>,
  finish: (column: Column<T>) => R,
): R | null {
  return column.some ? finish(column) : null;
}
