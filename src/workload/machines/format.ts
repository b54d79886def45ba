import type { ByteSource } from "../input/bytes.ts";
import type { MemoryUnit } from "../units.ts";
import type { Machines } from "./machines.ts";

/** One way in which lists of machines are written down. */
export interface MachinesFormat {
  readonly name: string;
  readonly summary: string;
  /** The options that mean something here; others are refused. */
  readonly takes: readonly (keyof MachinesOptions)[];
  /** Whether a file looks like this format; `firstBytes` may end within a line. */
  matches(fileName: string, firstBytes: Uint8Array): boolean;
  /** @throws InputError naming file and line where the content cannot be used. */
  read(source: ByteSource, options?: MachinesOptions): Promise<Machines>;
}

export interface MachinesOptions {
  /** The unit of a list's memory, where the format does not settle it: MiB unless told otherwise. */
  readonly memoryUnit?: MemoryUnit;
  /** The unit in a CSV list without a header, where `memoryUnit` is not given. */
  readonly memoryUnitWithoutHeader?: MemoryUnit;
  /** Leaves out the machines that the list says are down or drained; they are kept, and told, unless given. */
  readonly leaveOutDown?: boolean;
}
