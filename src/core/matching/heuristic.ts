import type { MachineView } from "../machines/machine-view.ts";
import type { Indexes } from "./indexes.ts";

/**
 * Which machine the next task goes to: among the open machines on which it fits,
 * the one with the lowest score; ties go to the first in pool order.
 *
 * `score` is the definition. `index` says how to find the same machine without
 * looking at all of them; a heuristic that names none is searched by a plain scan.
 */
export interface Heuristic {
  /** What is printed, and what people type. */
  readonly name: string;
  /** Other names that people type. */
  readonly aliases?: readonly string[];
  /** One line for `croft policies` and the docs. */
  readonly summary: string;
  /** True where the order depends on memory, so that a pool must know about memory. */
  readonly needsMemory: boolean;
  /**
   * True where the machine just chosen stays the choice for the next equal task
   * as long as that fits. All tasks of a job then go there in one step.
   */
  readonly keepsChoice: boolean;
  /** Lower is better. Only asked for machines on which the task fits. */
  score(machines: MachineView, machine: number, cores: number, memory: number, gpu: number): number;
  index?(indexes: Indexes): Finder;
}

/** The machine for a task of this size, or `NONE`. Cores and GPUs in thousandths, memory in MiB. */
export type Finder = (cores: number, memory: number, gpu: number) => number;
