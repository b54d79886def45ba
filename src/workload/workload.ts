/**
 * A workload in memory: a typed array for each field, a row for each job, in order of submission.
 *
 * Thirteen million jobs with every column below take less than 1 GB. All arrays may be on `SharedArrayBuffer`s, so that
 * worker threads read one copy.
 */
export interface Workload {
  /** The name for people: the file's name without folder and endings, or the generator's name. */
  readonly name: string;
  /** Whether a generator made it. Every place that shows its figures says so. */
  readonly synthetic: boolean;
  /** The name of the format that it was read in; absent if it was made otherwise. */
  readonly format?: string;
  /** The number of jobs, which is the length of every column. */
  readonly count: number;
  /** Seconds on the log's own clock (not rebased), ascending. */
  readonly submitSeconds: Float64Array;
  /** Seconds of wall time, 0 or more. */
  readonly runtimeSeconds: Float64Array;
  /** Thousandths of a core that one task asks for, 1 or more. */
  readonly coresMilli: Int32Array;
  /** MiB that one task asks for; null if the log does not tell memory. */
  readonly memoryMiB: Int32Array | null;
  /** Thousandths of a GPU that one task asks for; null if the log does not tell GPUs. */
  readonly gpuMilli: Int32Array | null;
  /**
   * The part of a node's CPU that one task can use, and of its memory that it must have, more than 0 and at most 1;
   * absent if the log counts cores and MiB instead. Nodes are then all alike, and `coresMilli` holds thousandths of a
   * node's CPU.
   */
  readonly nodeCpu?: Float64Array;
  readonly nodeMemory?: Float64Array;
  /** Tasks that start together, each on any machine where it fits; null if every job has one. */
  readonly tasks: Int32Array | null;
  /** The user's estimate of the run time, in seconds; NaN if a line has none, null if no line has one. */
  readonly estimateSeconds: Float64Array | null;
  /** The log's own job numbers; null if row `i` is job `i + 1`. */
  readonly jobNumber: Float64Array | null;
  /**
   * The job's index in its array, or among the processes of its submission; -1 if it is in none, absent if no job is in
   * one.
   */
  readonly arrayIndex?: Int32Array;
  /**
   * Seconds the job waited on the real farm; NaN if unknown, null if the log has none. So its start is its submission
   * plus this, and its end its start plus the run time.
   */
  readonly recordedWaitSeconds: Float64Array | null;
  /** The share-tree path (`/a/b`) or group that the job's use counts against. */
  readonly project: CodedColumn | null;
  readonly user: CodedColumn | null;
  readonly queue: CodedColumn | null;
  /** The heuristic that the job names; the empty name means the pool's. */
  readonly policy: CodedColumn | null;
  /** Higher is more urgent. On a farm, a job may suspend less urgent ones. */
  readonly priority: Int32Array | null;
  /** The job's requirement, an expression over a machine's attributes; the empty text: none. */
  readonly requires: CodedColumn | null;
  /**
   * The farm's pools in which the job may run, parsed by `candidatePools`; the empty name: all that its virtual pool
   * reaches.
   */
  readonly pools: CodedColumn | null;
  /**
   * The pools where the job may be restarted, as `candidatePools` takes apart; the empty name: those of `pools`, or,
   * where it names none, those that the farm says; absent where the log says it of none.
   */
  readonly restartPools?: CodedColumn;
  /**
   * Where the job is submitted: the name of a virtual pool or a site; the empty name: the farm's first virtual pool.
   */
  readonly site: CodedColumn | null;
  /**
   * The business group that the job belongs to, whose jobs come first on the machines that it owns; the empty name:
   * none.
   */
  readonly group: CodedColumn | null;
  /**
   * The licences that the job asks for, parsed by `askedLicences`; the empty text: none; absent if no job asks for any.
   */
  readonly licences?: CodedColumn;
  /**
   * How long after its submission the job was cancelled, in seconds; NaN: it was not. Absent if the log does not tell
   * it. A run cancels the job then, wherever it is.
   */
  readonly cancelAfterSeconds?: Float64Array;
  /**
   * The row of the job after whose end the user submits this one, -1 for none; and so many seconds after it, or NaN for
   * the log's own time and not before that end. Absent: users submit when the log says, whatever has ended.
   */
  readonly follows?: Int32Array;
  readonly thinkSeconds?: Float64Array;
  /**
   * How the job ended, in the word of its batch system; the empty name: unknown; absent if the log tells it of no job.
   */
  readonly state?: CodedColumn;
  /**
   * Where the job ran on the real farm, parsed by `nodeParts`; the empty name: unknown; absent if the log tells it of
   * no job.
   */
  readonly nodes?: CodedColumn;
  /** What the reader repaired or dropped, so that none of it is silent. */
  readonly notes: readonly WorkloadNote[];
  /** The log's header's description of the farm that it came from, if it has one. */
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

/** One kind of repair, and the number of lines that it touched. */
export interface WorkloadNote {
  /** What was done, in words for people: `dropped: cancelled before it started`. */
  readonly what: string;
  readonly count: number;
  /** The first line that it touched, from 1. */
  readonly firstLine?: number;
  /** What stands in that line, where it is one value that could not be read. */
  readonly example?: string;
  /** Whether the lines could not be read as jobs, or cannot be any: they were not left out on purpose. */
  readonly isUnreadable?: true;
}

/** The farm as the log's header describes it. */
export interface RecordedFarm {
  readonly computer?: string;
  readonly installation?: string;
  readonly nodes?: number;
  readonly processors?: number;
  /** The system's limit on run times, in seconds. */
  readonly maxRuntimeSeconds?: number;
  /** Seconds since 1970 at which the log's clock shows 0. */
  readonly unixStartSeconds?: number;
  /**
   * The policy of Croft under which all of it ran; null: several, or one with settings that its name does not tell. Other
   * systems' logs do not tell theirs.
   */
  readonly policy?: string | null;
  /** Between Croft's cycles where it ran; 0: at every event. Absent: not known, or not the same everywhere. */
  readonly intervalSeconds?: number;
}
