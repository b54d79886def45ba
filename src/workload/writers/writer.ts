import type { Workload } from "../workload.ts";

/** A file format in which workloads can be written. */
export interface WorkloadWriter {
  /** Its name for users, as in `--to swf`. The format of the same name reads it back. */
  readonly name: string;
  readonly summary: string;
  /**
   * Writes the file whole or not at all. If the name of a text file ends in `.gz` or `.zst` it is compressed.
   *
   * @throws InputError if the path cannot be written to
   */
  write(workload: Workload, path: string): Promise<void>;
  /** The parts of this workload that the format has no place for, in words for people; often empty. */
  losses(workload: Workload): string[];
}
