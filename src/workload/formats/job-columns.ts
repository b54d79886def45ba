import { Names } from "../names.ts";
import { reordered } from "../order-by-submit.ts";
import { sharedFloat64Array, sharedInt32Array } from "../shared-arrays.ts";
import type { CodedColumn, Workload } from "../workload.ts";
import { float64Column, int32Column } from "./column.ts";
import type { Column } from "./column.ts";
import { EMPTY_NAME, UNKNOWN } from "./job-row.ts";
import type { JobRow } from "./job-row.ts";

/** The values of a row. */
const FIELDS = 26;
const BLOCK_ROWS = 128;

/**
 * The columns of a workload while it is read: filled row by row, then put in order.
 *
 * Rows come one by one into a block, which stays in the processor's cache. A full block is moved into the columns one
 * column after the other: that is quicker than to go through all columns for every row.
 */
export class JobColumns {
  readonly projects = new Names();
  readonly users = new Names();
  readonly queues = new Names();
  readonly policies = namesWithEmpty();
  readonly requirements = namesWithEmpty();
  readonly poolLists = namesWithEmpty();
  readonly restartLists = namesWithEmpty();
  readonly sites = namesWithEmpty();
  readonly groups = namesWithEmpty();
  readonly licenceLists = namesWithEmpty();
  readonly states = namesWithEmpty();
  readonly nodeLists = namesWithEmpty();

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
  private readonly arrayIndex = int32Column(UNKNOWN, UNKNOWN);
  private readonly recordedWaitSeconds = float64Column(UNKNOWN, Number.NaN);
  private readonly project = int32Column(UNKNOWN, UNKNOWN);
  private readonly user = int32Column(UNKNOWN, UNKNOWN);
  private readonly queue = int32Column(UNKNOWN, UNKNOWN);
  private readonly priority = int32Column(0);
  private readonly policy = int32Column(EMPTY_NAME);
  private readonly requires = int32Column(EMPTY_NAME);
  private readonly pools = int32Column(EMPTY_NAME);
  private readonly restartPools = int32Column(EMPTY_NAME);
  private readonly site = int32Column(EMPTY_NAME);
  private readonly group = int32Column(EMPTY_NAME);
  private readonly licences = int32Column(EMPTY_NAME);
  private readonly state = int32Column(EMPTY_NAME);
  private readonly nodes = int32Column(EMPTY_NAME);
  private readonly wholeNodes = int32Column(0);

  /** The columns in the order in which `push` puts a row's values. */
  private readonly inOrder: readonly Column<Float64Array | Int32Array>[];
  /** Rows, one after the other, that wait to be moved into the columns. */
  private readonly block = new Float64Array(BLOCK_ROWS * FIELDS);
  private waiting = 0;
  private moved = 0;

  /** @param unknownMemoryMiB the memory of a row that does not tell it */
  constructor(unknownMemoryMiB: number) {
    this.memoryMiB = int32Column(UNKNOWN, unknownMemoryMiB);
    this.inOrder = [
      this.submitSeconds,
      this.runtimeSeconds,
      this.coresMilli,
      this.memoryMiB,
      this.gpuMilli,
      this.tasks,
      this.estimateSeconds,
      this.jobNumber,
      this.arrayIndex,
      this.recordedWaitSeconds,
      this.project,
      this.user,
      this.queue,
      this.priority,
      this.policy,
      this.requires,
      this.pools,
      this.restartPools,
      this.site,
      this.group,
      this.licences,
      this.nodeCpu,
      this.nodeMemory,
      this.state,
      this.nodes,
      this.wholeNodes,
    ];
  }

  /** @param row its run time and memory are given apart */
  push(row: JobRow, runtimeSeconds: number, memoryMiB: number): void {
    const { block } = this;
    const at = this.waiting++ * FIELDS;
    block[at] = row.submitSeconds;
    block[at + 1] = runtimeSeconds;
    block[at + 2] = row.coresMilli;
    block[at + 3] = memoryMiB;
    block[at + 4] = row.gpuMilli;
    block[at + 5] = row.tasks;
    block[at + 6] = row.estimateSeconds;
    block[at + 7] = row.jobNumber;
    block[at + 8] = row.arrayIndex;
    block[at + 9] = row.recordedWaitSeconds;
    block[at + 10] = row.project;
    block[at + 11] = row.user;
    block[at + 12] = row.queue;
    block[at + 13] = row.priority;
    block[at + 14] = row.policy;
    block[at + 15] = row.requires;
    block[at + 16] = row.pools;
    block[at + 17] = row.restartPools;
    block[at + 18] = row.site;
    block[at + 19] = row.group;
    block[at + 20] = row.licences;
    block[at + 21] = row.nodeCpu;
    block[at + 22] = row.nodeMemory;
    block[at + 23] = row.state;
    block[at + 24] = row.nodes;
    block[at + 25] = row.wholeNodes;
    if (this.waiting === BLOCK_ROWS) this.moveBlock();
  }

  /** Moves the rows that wait into the columns. */
  private moveBlock(): void {
    const { block, waiting, moved } = this;
    this.inOrder.forEach((column, field) => column.setRows(moved, waiting, block, field, FIELDS));
    this.moved += waiting;
    this.waiting = 0;
  }

  /** Whether any row tells its memory. */
  get someMemory(): boolean {
    return this.memoryMiB.some;
  }

  /** Whether any row belongs to an array. */
  get someArray(): boolean {
    return this.arrayIndex.some;
  }

  /** A row's job number and when it was submitted. */
  keysAt(row: number): [number: number, submitSeconds: number] {
    if (this.waiting > 0) this.moveBlock();
    return [this.jobNumber.at(row), this.submitSeconds.at(row)];
  }

  arrayIndexAt(row: number): number {
    return this.arrayIndex.at(row);
  }

  runtimeAt(row: number): number {
    return this.runtimeSeconds.at(row);
  }

  waitAt(row: number): number {
    return this.recordedWaitSeconds.at(row);
  }

  setWait(row: number, seconds: number): void {
    this.recordedWaitSeconds.set(row, seconds);
  }

  /** For each row whether its job had its nodes for itself; null if no job had. To be called before `finish`. */
  takeWholeNodes(count: number, order: Uint32Array | null): Int32Array | null {
    return this.wholeNodes.some ? this.wholeNodes.moveTo(new Int32Array(count), order) : null;
  }

  /** When a row's job was submitted, started and ended, as one text. */
  timesAt(row: number, submitSeconds: number): string {
    return `${submitSeconds} ${this.recordedWaitSeconds.at(row)} ${this.runtimeSeconds.at(row)}`;
  }

  /** Takes the columns out that determine the order. */
  takeKeys(count: number): { submitSeconds: Float64Array; jobNumber: Float64Array } {
    this.moveBlock();
    return {
      submitSeconds: this.submitSeconds.moveTo(sharedFloat64Array(count), null),
      jobNumber: this.jobNumber.moveTo(sharedFloat64Array(count), null),
    };
  }

  /**
   * The workload's columns. Takes everything out of this object.
   *
   * @param order the row for each place; null keeps the order
   * @param isNumbered whether row `i` is job `i + 1` throughout
   */
  finish(
    keys: { readonly submitSeconds: Float64Array; readonly jobNumber: Float64Array },
    order: Uint32Array | null,
    isNumbered: boolean,
  ): Omit<Workload, "name" | "synthetic" | "count" | "notes" | "farm"> {
    const count = order?.length ?? keys.submitSeconds.length;
    const numbers = (column: Column<Float64Array>): Float64Array =>
      column.moveTo(sharedFloat64Array(count), order);
    const integers = (column: Column<Int32Array>): Int32Array =>
      column.moveTo(sharedInt32Array(count), order);
    const coded = (column: Column<Int32Array>, names: Names): CodedColumn | null =>
      orNull(column, () => withUnknown(integers(column), names.list));
    return {
      submitSeconds: order === null ? keys.submitSeconds : reordered(keys.submitSeconds, order),
      runtimeSeconds: numbers(this.runtimeSeconds),
      coresMilli: integers(this.coresMilli),
      memoryMiB: orNull(this.memoryMiB, integers),
      gpuMilli: orNull(this.gpuMilli, integers),
      tasks: orNull(this.tasks, integers),
      ...(this.nodeCpu.some && { nodeCpu: numbers(this.nodeCpu), nodeMemory: numbers(this.nodeMemory) }),
      estimateSeconds: orNull(this.estimateSeconds, numbers),
      jobNumber: order !== null ? reordered(keys.jobNumber, order) : isNumbered ? null : keys.jobNumber,
      ...(this.arrayIndex.some && { arrayIndex: integers(this.arrayIndex) }),
      recordedWaitSeconds: orNull(this.recordedWaitSeconds, numbers),
      project: coded(this.project, this.projects),
      user: coded(this.user, this.users),
      queue: coded(this.queue, this.queues),
      policy: coded(this.policy, this.policies),
      priority: orNull(this.priority, integers),
      requires: coded(this.requires, this.requirements),
      pools: coded(this.pools, this.poolLists),
      ...(this.restartPools.some && {
        restartPools: { codes: integers(this.restartPools), names: this.restartLists.list },
      }),
      site: coded(this.site, this.sites),
      group: coded(this.group, this.groups),
      ...(this.licences.some && {
        licences: { codes: integers(this.licences), names: this.licenceLists.list },
      }),
      ...(this.state.some && { state: { codes: integers(this.state), names: this.states.list } }),
      ...(this.nodes.some && { nodes: { codes: integers(this.nodes), names: this.nodeLists.list } }),
    };
  }
}

function namesWithEmpty(): Names {
  const names = new Names();
  names.codeOf("");
  return names;
}

/** The names with their codes. A row without a name gets one that says so. */
function withUnknown(codes: Int32Array, names: readonly string[]): CodedColumn {
  if (!codes.includes(UNKNOWN)) return { codes, names };
  for (let row = 0; row < codes.length; row++) if (codes[row] === UNKNOWN) codes[row] = names.length;
  return { codes, names: [...names, "unknown"] };
}

/** Null if no row of the column has a value. */
function orNull<T extends Float64Array | Int32Array, R>(
  column: Column<T>,
  finish: (column: Column<T>) => R,
): R | null {
  return column.some ? finish(column) : null;
}
