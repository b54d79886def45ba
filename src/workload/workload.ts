/**
 * A workload in memory: one typed array a field, one row a job, in order of submission.
 *
 * Thirteen million jobs with every column below take less than 1 GB. All arrays
 * may lie on `SharedArrayBuffer`s, so that worker threads read one copy.
 */
export interface Workload {
  /** What people call it: the file's name without folder and endings, or the generator's name. */
  readonly name: string;
  /** True where a generator made it: every place that shows its figures says so. */
  readonly synthetic: boolean;
  /** The name of the format it was read in; absent where it was made otherwise. */
  readonly format?: string;
  /** The number of jobs; every column has this length. */
  readonly count: number;
  /** Seconds on the log's own clock (not rebased), ascending. */
  readonly submitSeconds: Float64Array;
  /** Seconds of wall time, 0 or more. */
  readonly runtimeSeconds: Float64Array;
  /** Thousandths of a core that one task asks for, 1 or more. */
  readonly coresMilli: Int32Array;
  /** MiB that one task asks for; null where the log says nothing of memory. */
  readonly memoryMiB: Int32Array | null;
  /** Thousandths of a GPU that one task asks for; null where the log says nothing of GPUs. */
  readonly gpuMilli: Int32Array | null;
  /**
   * The part of a node's CPU that one task can use, and of its memory that it must
   * have, more than 0 and at most 1; absent where the log counts cores and MiB instead.
   * Nodes are then all alike, and `coresMilli` holds thousandths of a node's CPU.
   */
  readonly nodeCpu?: Float64Array;
  readonly nodeMemory?: Float64Array;
  /** Tasks that start together, each on any machine where it fits; null where every job has one. */
  readonly tasks: Int32Array | null;
  /** The user's estimate of the run time, in seconds; NaN where a line has none, null where no line has one. */
  readonly estimateSeconds: Float64Array | null;
  /** The log's own job numbers; null where row `i` is job `i + 1`. */
  readonly jobNumber: Float64Array | null;
  /** The job's place in its array, or among the processes of its submission; -1 where it is of none, absent where no job is. */
  readonly arrayIndex?: Int32Array;
  /**
   * Seconds the job waited on the real farm; NaN where unknown, null where the log has none.
   * It then started at its submission and this, and ended its run time later.
   */
  readonly recordedWaitSeconds: Float64Array | null;
  /** The share-tree path (`/a/b`) or group that the job's use counts against. */
  readonly project: CodedColumn | null;
  readonly user: CodedColumn | null;
  readonly queue: CodedColumn | null;
  /** The heuristic that the job names for itself; the empty name means the pool's. */
  readonly policy: CodedColumn | null;
  /** Higher is more urgent; on a farm it may suspend what is less so. */
  readonly priority: Int32Array | null;
  /** What the job needs of a machine, as an expression over its attributes; the empty text: nothing. */
  readonly requires: CodedColumn | null;
  /** The farm's pools that the job may run in, as `candidatePools` takes apart; the empty name: all that its virtual pool reaches. */
  readonly pools: CodedColumn | null;
  /** Where the job is submitted: a virtual pool's name or a site's; the empty name: the farm's first virtual pool. */
  readonly site: CodedColumn | null;
  /** The business group that the job belongs to: it comes first on the machines that the group owns; the empty name: none. */
  readonly group: CodedColumn | null;
  /** How the job ended, in its batch system's own word; the empty name: unknown; absent where the log says it of none. */
  readonly state?: CodedColumn;
  /** Where the job ran on the real farm, as `nodeParts` takes apart; the empty name: unknown; absent where the log says it of none. */
  readonly nodes?: CodedColumn;
  /** What the reader repaired or dropped: nothing is mended in silence. */
  readonly notes: readonly WorkloadNote[];
  /** What the log's header tells of the farm it came from, where it has one. */
  readonly farm: RecordedFarm | null;
}

/** A column of few distinct names: `names[codes[row]]`. */
export interface CodedColumn {
  readonly codes: Int32Array;
  readonly names: readonly string[];
}

/** The names in one entry of the column `pools`: `p1; p2` names two. */
export function candidatePools(entry: string): string[] {
  return entry
    .split(";")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** One kind of repair, and how many lines it touched. */
export interface WorkloadNote {
  /** What was done, in a person's words: `dropped: cancelled before it started`. */
  readonly what: string;
  readonly count: number;
  /** The first line it touched, from 1. */
  readonly firstLine?: number;
}

/** The farm as the log's header describes it. */
export interface RecordedFarm {
  readonly computer?: string;
  readonly installation?: string;
  readonly nodes?: number;
  readonly processors?: number;
  /** System limit on run time, in seconds. */
  readonly maxRuntimeSeconds?: number;
  /** Seconds since 1970 at which the log's clock shows 0. */
  readonly unixStartSeconds?: number;
}
