import type { Machines } from "../../machines/machines.ts";
import type { FileNode } from "../../input/yaml.ts";

/**
 * Checks the names that other layers know: policies, heuristics, and the farm's rules. Each check throws an Error that
 * says what is wrong with a name; the reader adds the place.
 */
export interface FarmChecks {
  readonly policy?: (name: string) => void;
  /** Whether a policy, with its list of heuristics, decides by memory. */
  readonly needsMemory?: (policy: string, maxJobs: readonly string[]) => boolean;
  /** Whether a policy tries a list of heuristics. */
  readonly triesList?: (policy: string) => boolean;
  readonly heuristic?: (name: string) => void;
  readonly routing?: (name: string) => void;
  readonly victim?: (name: string) => void;
  readonly strategy?: (name: string) => void;
  /** Whether the machines of a pool may be left to its engine. */
  readonly enginesTellMachines?: boolean;
  /** Why it may name no lists of machines; absent: it may. */
  readonly noLists?: string;
  /** Called with each list of machines that the file names, as its reader may have notes on it. */
  readonly machines?: (list: Machines) => void;
}

/** The name, after it has passed the check. */
export function checked(
  { value, at }: { readonly value: string; readonly at: FileNode },
  check: ((name: string) => void) | undefined,
): string {
  try {
    check?.(value);
  } catch (error) {
    at.refuse((error as Error).message);
  }
  return value;
}
