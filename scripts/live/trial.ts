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
  /** Prints what came of it. Resolves with whether all went well. */
  readonly run: (count: number, seed: number) => Promise<boolean>;
}
