import type { MachineView } from "../machines/machine-view.ts";
import type { Indexes } from "./indexes.ts";

/**
 * Which machine the next task goes to: among the open machines on which it fits,
 * the one with the lowest score; ties go to `amongEquals`, and without it to the first in pool order.
 *
 * `score` is the definition. `index` finds the same machine without scoring all of them; a heuristic that has none is
 * searched by a plain scan.
 */
export interface Heuristic {
  /** The name, as it is printed and typed. */
  readonly name: string;
  /** Other names that are accepted. */
  readonly aliases?: readonly string[];
  /** One line for `croft policies` and the docs. */
  readonly summary: string;
  /** Whether the order depends on memory, so that the pool's machines must have some. */
  readonly needsMemory: boolean;
  /**
   * Whether the machine just chosen stays the choice for the next equal task as long as that fits. If so, all tasks of
   * a job that fit go there in one step.
   */
  readonly keepsChoice: boolean;
  /** Lower is better. Only called for machines on which the task fits. */
  score(machines: MachineView, machine: number, cores: number, memory: number, gpu: number): number;
  /** Decides among machines of equal scores. Not together with an `index`. */
  readonly amongEquals?: Heuristic;
  index?(indexes: Indexes): Finder;
}

/** The machine for a task of this size, or `NONE`. Cores and GPUs in thousandths, memory in MiB. */
export type Finder = (cores: number, memory: number, gpu: number) => number;
