import { nodeNames, splitOutside } from "./machines/node-names.ts";

/** A machine that a job ran on, and the number of its cores; null: an equal part of the job's. */
export interface NodePart {
  readonly name: string;
  readonly cores: number | null;
}

/** More machines than this in one list are considered damage. */
const MAX_NODES = 1_000_000;

/**
 * The machines in one entry of the column `nodes`: names joined by commas, numbers in
 * brackets as Slurm writes them, and `*8` after a name for the cores used there.
 *
 * `a[01-03,7],b*8` names a01, a02, a03, a7 and, with eight cores, b. Empty if the entry cannot be parsed.
 */
export function nodeParts(entry: string): NodePart[] {
  const parts: NodePart[] = [];
  for (const item of splitOutside(entry, ",")) {
    if (item.trim() === "") continue;
    const [, pattern = item, cores] = /^(.*)\*(\d+)$/.exec(item) ?? [];
    const names = nodeNames(pattern, MAX_NODES - parts.length);
    if (names === null) return [];
    for (const name of names) parts.push({ name, cores: cores === undefined ? null : Number(cores) });
  }
  return parts;
}
