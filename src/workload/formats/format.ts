import type { ByteSource } from "../input/bytes.ts";
import type { MemoryUnit } from "../units.ts";
import type { Workload } from "../workload.ts";

/** One way in which workloads are written down. */
export interface WorkloadFormat {
  /** What the user calls it: `--format swf`. */
  readonly name: string;
  readonly summary: string;
  /** Options that only some formats heed, of which this is one. */
  readonly uses: readonly OptionOfSome[];
  /**
   * Whether a file looks like this format.
   * @param fileName the path as given.
   * @param firstBytes the beginning of the content, unpacked; it may end within a line.
   */
  matches(fileName: string, firstBytes: Uint8Array): boolean;
  /** @throws InputError naming file and line where the content cannot be used. */
  read(source: ByteSource, options?: ReadOptions): Promise<Workload>;
}

/** How to read a workload. A format leaves out what its columns already settle. */
export interface ReadOptions {
  /**
   * What a job of p processors becomes: p one-core tasks that may lie on several
   * machines, or one task of p cores. SWF: `tasks`, NetBatch: `machine`, unless told otherwise.
   */
  readonly jobShape?: JobShape;
  /** The unit of the log's memory columns; the default is the format's, or what is known of the log. */
  readonly memoryUnit?: MemoryUnit;
  /** Whether the log's memory is that of one processor or of the whole job. */
  readonly memoryScope?: MemoryScope;
  /** A run time beyond the user's estimate: `keep` it (default), or `cap` it at the estimate. */
  readonly overrun?: "keep" | "cap";
  /** Shorter run times count as this long. */
  readonly minimumRuntimeSeconds?: number;
  /** Smaller tasks count as asking for this much. */
  readonly minimumMemoryMiB?: number;
  /** A row that is no job, or cannot be read, is an error instead of being dropped and counted. */
  readonly strict?: boolean;
  /**
   * The zone of dates that name none: `UTC` (default), `local` for this machine's, a zone's
   * name such as `Europe/Berlin`, or hours from UTC such as `+02:00`.
   */
  readonly timeZone?: string;
  /** In which columns of a CSV what stands, with its unit: `{ submit: "queued_at", memory: "mem_gb:GiB" }`. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Looks at each distinct requirement; what it throws is told with the file and the line. */
  readonly checkRequirement?: (text: string) => void;
}

/** What some formats settle themselves, or have no use for. */
export type OptionOfSome = "jobShape" | "memoryUnit" | "memoryScope" | "timeZone" | "columns";

export type JobShape = "tasks" | "machine";
export type MemoryScope = "per-processor" | "per-job";
