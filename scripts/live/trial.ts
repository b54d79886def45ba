import { fileURLToPath } from "node:url";

/** The built command line, which the trials run as processes. */
export const croft = fileURLToPath(new URL("../../bin/croft.js", import.meta.url));

/** Something that a live farm has to survive. */
export interface Trial {
  readonly name: string;
  readonly summary: string;
  /** What is counted: `--count` says how many. */
  readonly unit: string;
  /** How many unless told otherwise. */
  readonly usual: number;
  /** How many in `.ci/run`; without it, it is not tried there. */
  readonly short?: number;
  /** Faults of the kinds that it is there to find, and in how many it has to find each. */
  readonly plants: { readonly names: readonly string[]; readonly count: number };
  /**
   * Prints what came of it. Resolves with whether all went well.
   *
   * @param plant the fault that it has to find; null: there is none
   */
  readonly run: (count: number, seed: number, plant: string | null) => Promise<boolean>;
}
