import type { ByteSource } from "../input/bytes.ts";
import type { MemoryUnit } from "../units.ts";
import type { Workload } from "../workload.ts";

/** A file format for workloads. */
export interface WorkloadFormat {
  /** Its name for users: `--format swf`. */
  readonly name: string;
  readonly summary: string;
  /** The options that this format understands and some others do not. */
  readonly uses: readonly OptionOfSome[];
  /**
   * Whether a file looks like this format.
   * @param fileName the path as given.
   * @param firstBytes the beginning of the content, unpacked; it may end within a line
   */
  matches(fileName: string, firstBytes: Uint8Array): boolean;
  /** @throws InputError naming file and line if the content cannot be used */
  read(source: ByteSource, options?: ReadOptions): Promise<Workload>;
}

/** How to read a workload. A format leaves out the options that its columns already settle. */
export interface ReadOptions {
  /**
   * What a job of p processors becomes: p one-core tasks that may lie on several machines, or one task of p cores. The
   * default is `tasks` for SWF and `machine` for NetBatch.
   */
  readonly jobShape?: JobShape;
  /** The unit of the log's memory columns. The default is the format's, or what is known of the log. */
  readonly memoryUnit?: MemoryUnit;
  /** Whether the log's memory is that of one processor or of the whole job. */
  readonly memoryScope?: MemoryScope;
  /** A run time beyond the user's estimate: `keep` it (default), or `cap` it at the estimate. */
  readonly overrun?: "keep" | "cap";
  /** Shorter run times count as this long, in seconds. */
  readonly minimumRuntimeSeconds?: number;
  /** Tasks that ask for less count as asking for this much. */
  readonly minimumMemoryMiB?: number;
  /** Whether a row that cannot be read, or is not a job, is an error instead of being dropped and counted. */
  readonly strict?: boolean;
  /**
   * The zone of dates without one: `UTC` (default), `local` for this machine's, a name such as `Europe/Berlin`, or
   * hours from UTC such as `+02:00`.
   */
  readonly timeZone?: string;
  /** The columns of a CSV, or of Parquet, that have the fields, with units: `{ submit: "queued_at", memory: "mem_gb:GiB" }`. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Checks each distinct requirement. What it throws is reported with the file and the line. */
  readonly checkRequirement?: (text: string) => void;
}

/** The options that some formats settle themselves, or have no use for. */
export type OptionOfSome = "jobShape" | "memoryUnit" | "memoryScope" | "timeZone" | "columns";

export type JobShape = "tasks" | "machine";
export type MemoryScope = "per-processor" | "per-job";
