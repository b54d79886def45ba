import type { ByteSource } from "../input/bytes.ts";
import type { MemoryUnit } from "../units.ts";
import type { Machines } from "./machines.ts";

/** A file format for lists of machines. */
export interface MachinesFormat {
  readonly name: string;
  readonly summary: string;
  /** The options that this format understands; others are refused. */
  readonly takes: readonly (keyof MachinesOptions)[];
  /** Whether a file looks like this format. `firstBytes` may end within a line. */
  matches(fileName: string, firstBytes: Uint8Array): boolean;
  /** @throws InputError naming file and line if the content cannot be used */
  read(source: ByteSource, options?: MachinesOptions): Promise<Machines>;
}

export interface MachinesOptions {
  /** The unit of the list's memory, if the format does not settle it; MiB by default. */
  readonly memoryUnit?: MemoryUnit;
  /** The unit in a CSV list without a header, if `memoryUnit` is not given. */
  readonly memoryUnitWithoutHeader?: MemoryUnit;
  /** Leaves out the machines that the list says are down or drained. Otherwise they are kept, with a note. */
  readonly leaveOutDown?: boolean;
}
