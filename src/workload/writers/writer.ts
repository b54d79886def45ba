import type { Workload } from "../workload.ts";

/** One way in which a workload is written to a file. */
export interface WorkloadWriter {
  /** What the user calls it, as in `--to swf`; the format of the same name reads it back. */
  readonly name: string;
  readonly summary: string;
  /**
   * Writes the file whole or not at all; `.gz` and `.zst` at the end of a text file's name compress it.
   * @throws InputError where the path cannot be written to.
   */
  write(workload: Workload, path: string): Promise<void>;
  /** What of this workload the format has no place for, in a person's words; often nothing. */
  losses(workload: Workload): string[];
}
